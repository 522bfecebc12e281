// erf and erfc, which Zig's mathematics lacks: after FreeBSD's s_erf.c, which says
//
// Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
// Developed at SunPro, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and distribute this software
// is freely granted, provided that this notice is preserved.

const ERX = 8.45062911510467529297e-01;
// |x| < 0.84375
const PP = [_]f64{ 1.28379167095512558561e-01, -3.25042107247001499370e-01, -2.84817495755985104766e-02, -5.77027029648944159157e-03, -2.37630166566501626084e-05 };
const QQ = [_]f64{ 1.0, 3.97917223959155352819e-01, 6.50222499887672944485e-02, 5.08130628187576562776e-03, 1.32494738004321644526e-04, -3.96022827877536812320e-06 };
// |x| < 1.25
const PA = [_]f64{ -2.36211856075265944077e-03, 4.14856118683748331666e-01, -3.72207876035701323847e-01, 3.18346619901161753674e-01, -1.10894694282396677476e-01, 3.54783043256182359371e-02, -2.16637559486879084300e-03 };
const QA = [_]f64{ 1.0, 1.06420880400844228286e-01, 5.40397917702171048937e-01, 7.18286544141962662868e-02, 1.26171219808761642112e-01, 1.36370839120290507362e-02, 1.19844998467991074170e-02 };
// |x| < 1/0.35
const RA = [_]f64{ -9.86494403484714822705e-03, -6.93858572707181764372e-01, -1.05586262253232909814e+01, -6.23753324503260060396e+01, -1.62396669462573470355e+02, -1.84605092906711035994e+02, -8.12874355063065934246e+01, -9.81432934416914548592e+00 };
const SA = [_]f64{ 1.0, 1.96512716674392571292e+01, 1.37657754143519042600e+02, 4.34565877475229228821e+02, 6.45387271733267880336e+02, 4.29008140027567833386e+02, 1.08635005541779435134e+02, 6.57024977031928170135e+00, -6.04244152148580987438e-02 };
// beyond
const RB = [_]f64{ -9.86494292470009928597e-03, -7.99283237680523006574e-01, -1.77579549177547519889e+01, -1.60636384855821916062e+02, -6.37566443368389627722e+02, -1.02509513161107724954e+03, -4.83519191608651397019e+02 };
const SB = [_]f64{ 1.0, 3.03380607434824582924e+01, 3.25792512996573918826e+02, 1.53672958608443695994e+03, 3.19985821950859553908e+03, 2.55305040643316442583e+03, 4.74528541206955367215e+02, -2.24409524465858183362e+01 };

fn polynomial(coefficients: []const f64, s: f64) f64 {
    var value: f64 = 0.0;
    var place = coefficients.len;
    while (place > 0) : (place -= 1) value = coefficients[place - 1] + s * value;
    return value;
}

// erfc(|x|) for |x| >= 0.84375
fn tail(x: f64) f64 {
    const size = @abs(x);
    if (size < 1.25) {
        const s = size - 1.0;
        return 1.0 - ERX - polynomial(&PA, s) / polynomial(&QA, s);
    }
    if (size >= 28.0) return 0.0;
    const s = 1.0 / (size * size);
    const near = size < 1.0 / 0.35;
    const ratio = if (near) polynomial(&RA, s) / polynomial(&SA, s) else polynomial(&RB, s) / polynomial(&SB, s);
    // The first half of the digits: its square is exact.
    const z: f64 = @bitCast(@as(u64, @bitCast(size)) & 0xffffffff00000000);
    return @exp(-z * z - 0.5625) * @exp((z - size) * (z + size) + ratio) / size;
}

pub fn erf(x: f64) f64 {
    if (x != x) return x;
    if (@abs(x) < 0.84375) return x + x * (polynomial(&PP, x * x) / polynomial(&QQ, x * x));
    const y = 1.0 - tail(x);
    return if (x < 0.0) -y else y;
}

pub fn erfc(x: f64) f64 {
    if (x != x) return x;
    if (@abs(x) < 0.84375) {
        const y = polynomial(&PP, x * x) / polynomial(&QQ, x * x);
        return if (x < 0.25) 1.0 - (x + x * y) else 0.5 - (x - 0.5 + x * y);
    }
    return if (x < 0.0) 2.0 - tail(x) else tail(x);
}
