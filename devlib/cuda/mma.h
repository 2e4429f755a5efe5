// Not there, and said so.
#error "mma.h: warp matrix functions (nvcuda::wmma) are not there: write wmma or mma.sync as inline PTX"
