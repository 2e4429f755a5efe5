// The host's memory.
#pragma once
namespace lockstep {

// For a program that owns its process: from now on what is freed stays with the process for what is allocated
// next, and the heap has pages as large as the host gives. A launch takes and frees some megabytes, and each
// page that the kernel gives anew costs a microsecond, in some virtual machines ten or more. To be called
// once, at the begin of main(): a library leaves its process' allocator alone. Allocations of 32 MB and more
// still come from the kernel and go back to it.
void keep_freed_memory();

}  // namespace lockstep
