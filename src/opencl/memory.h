// What buffers and images share in their making.
#pragma once
#include "opencl/types.h"

namespace lockstep::opencl {

// Known flags, and no two that exclude each other (5.2.1, table of memory flags).
bool memory_flags_fit(cl_mem_flags flags);
// What an object over a buffer's memory may be (5.2.1, table of flags): `flags` with what it inherits from
// the parent's; 0 with `code` set when it may not.
cl_mem_flags inherited_flags(cl_mem_flags flags, cl_mem_flags parent, cl_int& code);
// A host pointer is given exactly when the flags use one.
bool host_pointer_fits(cl_mem_flags flags, const void* host_ptr);
// Gives the object `size` bytes of device memory. CL_MEM_OBJECT_ALLOCATION_FAILURE when there are none.
cl_int allocate_device_memory(_cl_mem& memory);
// The host, or a command of its, wrote or read these bytes of the object: for checked runs and for caches.
void host_wrote(const _cl_mem& memory, u64 offset, u64 bytes);
void host_read(const _cl_mem& memory, u64 offset, u64 bytes);

}  // namespace lockstep::opencl
