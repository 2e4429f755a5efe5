// Not there, and said so.
#error "rocwmma.hpp: rocWMMA is not there: use the compiler's __builtin_amdgcn_mfma_... and __builtin_amdgcn_wmma_..."
