// The platform, what all devices have in common, and messages.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "opencl/object.h"

namespace lockstep {
struct KernelNeeds;
}

namespace lockstep::opencl {

inline constexpr std::string_view platform_version = "OpenCL 3.0 Lockstep";
// Where nobody asked for a GPU there is none: an installed driver puts no modelled one before programs that
// look for a real one. Their users see why in clinfo.
inline constexpr std::string_view platform_version_without_gpus =
    "OpenCL 3.0 Lockstep, no GPU chosen: set LOCKSTEP_GPU=mi25, or name GPUs in ~/.config/lockstep/gpus";
inline constexpr std::string_view driver_version = "0.1.0";

// Made with the first use: the devices that LOCKSTEP_GPU names.
_cl_platform_id* the_platform();

// Whether kernels of a context with these devices run on the timing model, and profiling times are the
// model's; else they run as fast as possible, and profiling times are the host's. LOCKSTEP_MODE:
// "functional", also when nothing is said; "timed", where GPUs without a timing model are not shown; "auto":
// timed where all devices of the context have a model.
bool is_timed(const std::vector<cl_device_id>& devices);

// Tells the user something on standard error: the driver's only way besides error codes.
void message(std::string_view text);

// Limits of a device that more than one place needs.
u64 most_bytes_of_buffer(const _cl_device_id& device);
u64 local_bytes(const _cl_device_id& device);
u64 most_group_items(const _cl_device_id& device);
// CL_DEVICE_IMAGE_SUPPORT.
bool has_images(const _cl_device_id& device);
// cl_khr_subgroups: clang's headers and device library have it for AMD's GPUs alone.
bool has_sub_groups(const _cl_device_id& device);
std::string device_extensions(const _cl_device_id& device);

// Sub-buffers begin at multiples of this.
inline constexpr u64 buffer_alignment_bytes = 256;
inline constexpr u64 constant_bytes = 65536;

}  // namespace lockstep::opencl
