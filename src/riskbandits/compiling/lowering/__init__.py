"""From numba's language to LLVM's, in few words."""
