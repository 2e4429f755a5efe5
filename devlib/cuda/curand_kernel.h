// Not there, and said so.
#error "curand_kernel.h: the device part of cuRAND is not there: bring a generator of your own, or numbers in a buffer"
