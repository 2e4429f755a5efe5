// Not there, and said so.
#error "hip_fp8.h: the types of 8 bits are not there: keep them in bytes and convert them by hand"
