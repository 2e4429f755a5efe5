// Not there, and said so.
#error "hiprand_kernel.h: the device part of hipRAND is not there: bring a generator of your own, or numbers in a buffer"
