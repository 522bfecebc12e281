// The functions of mathematics that compiled policies may call. Those with an @ are LLVM's own names for what comes with
// Zig; a page finds them as `log`, `exp` and so on by itself. The others are Zig's, under the names of C.
const math = @import("std").math;
const errors = @import("erf.zig");

export fn page_log(x: f64) f64 { return @log(x); }
export fn page_log2(x: f64) f64 { return @log2(x); }
export fn page_log10(x: f64) f64 { return @log10(x); }
export fn page_exp(x: f64) f64 { return @exp(x); }
export fn page_exp2(x: f64) f64 { return @exp2(x); }
export fn page_sin(x: f64) f64 { return @sin(x); }
export fn page_cos(x: f64) f64 { return @cos(x); }
export fn page_tan(x: f64) f64 { return @tan(x); }
export fn page_fmod(x: f64, y: f64) f64 { return @rem(x, y); }

export fn pow(x: f64, y: f64) f64 { return math.pow(f64, x, y); }
export fn log1p(x: f64) f64 { return math.log1p(x); }
export fn expm1(x: f64) f64 { return math.expm1(x); }
export fn sinh(x: f64) f64 { return math.sinh(x); }
export fn cosh(x: f64) f64 { return math.cosh(x); }
export fn tanh(x: f64) f64 { return math.tanh(x); }
export fn asin(x: f64) f64 { return math.asin(x); }
export fn acos(x: f64) f64 { return math.acos(x); }
export fn atan(x: f64) f64 { return math.atan(x); }
export fn atan2(y: f64, x: f64) f64 { return math.atan2(y, x); }
export fn asinh(x: f64) f64 { return math.asinh(x); }
export fn acosh(x: f64) f64 { return math.acosh(x); }
export fn atanh(x: f64) f64 { return math.atanh(x); }
export fn hypot(x: f64, y: f64) f64 { return math.hypot(x, y); }
export fn cbrt(x: f64) f64 { return math.cbrt(x); }
export fn lgamma(x: f64) f64 { return math.lgamma(f64, x); }
export fn numba_gamma(x: f64) f64 { return math.gamma(f64, x); } // numba's name
export fn erf(x: f64) f64 { return errors.erf(x); }
export fn erfc(x: f64) f64 { return errors.erfc(x); }
