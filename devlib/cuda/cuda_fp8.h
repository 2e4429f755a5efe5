// Not there, and said so.
#error "cuda_fp8.h: the types of 8 bits are not there: keep them in bytes and convert them by hand, or with cvt as inline PTX"
