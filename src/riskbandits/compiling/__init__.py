"""How functions and record methods are compiled by numba, and when compiled code on disk may be used again."""
