"""Many runs of policies on a problem: the kernel, the runner that spreads it over threads, and the trace it leaves."""
