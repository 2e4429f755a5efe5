// Image formats between the numbers of CL/cl.h and the model's.
#pragma once
#include <optional>

#include "opencl/types.h"

namespace lockstep::opencl {

// Whether order and type are ones that the specification knows and that go together (5.3.1.1, tables of
// orders and types).
bool format_is_valid(const cl_image_format& format);
// The model's format; nothing for what no modelled GPU has.
std::optional<ImageFormat> format_of(const cl_image_format& format);
cl_image_format format_of(const ImageFormat& format);

// Converts a colour as clEnqueueFillImage takes it (5.3.3: four floats, int32s or uint32s by the format's
// type) to a texel's bytes. Fractions round to the nearest, ties to even (OpenCL C, 8.3.1); integers
// saturate.
std::vector<u8> texel_of(const ImageFormat& format, const void* colour);

}  // namespace lockstep::opencl
