// OpenCL 3.0, chapters 5.3, 5.7: images and samplers. No device has them (CL_DEVICE_IMAGE_SUPPORT is
// CL_FALSE): creating one is CL_INVALID_OPERATION, and no memory object is an image.
#include "opencl/enqueue.h"
#include "opencl/info.h"

using namespace lockstep::opencl;

namespace {

cl_mem no_image(cl_context context, cl_int* errcode_ret) {
  if (errcode_ret != nullptr) *errcode_ret = valid(context) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT;
  return nullptr;
}

cl_int not_an_image(cl_command_queue queue, const WaitList& waits) {
  return guarded([&]() -> cl_int {
    const cl_int code = check_enqueue(queue, waits);
    return code != CL_SUCCESS ? code : CL_INVALID_MEM_OBJECT;
  });
}

}  // namespace

cl_mem clCreateImage(cl_context context, cl_mem_flags, const cl_image_format*, const cl_image_desc*, void*,
                     cl_int* errcode_ret) {
  return no_image(context, errcode_ret);
}

cl_mem clCreateImageWithProperties(cl_context context, const cl_mem_properties*, cl_mem_flags,
                                   const cl_image_format*, const cl_image_desc*, void*, cl_int* errcode_ret) {
  return no_image(context, errcode_ret);
}

cl_mem clCreateImage2D(cl_context context, cl_mem_flags, const cl_image_format*, size_t, size_t, size_t,
                       void*, cl_int* errcode_ret) {
  return no_image(context, errcode_ret);
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags, const cl_image_format*, size_t, size_t, size_t,
                       size_t, size_t, void*, cl_int* errcode_ret) {
  return no_image(context, errcode_ret);
}

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags, cl_mem_object_type type,
                                  cl_uint num_entries, cl_image_format* formats, cl_uint* num_formats) {
  if (!valid(context)) return CL_INVALID_CONTEXT;
  const bool image = type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_BUFFER ||
                     type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D ||
                     type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE3D;
  if (!image || (num_entries == 0 && formats != nullptr)) return CL_INVALID_VALUE;
  if (num_formats != nullptr) *num_formats = 0;
  return CL_SUCCESS;
}

cl_int clGetImageInfo(cl_mem, cl_image_info, size_t, void*, size_t*) {
  return CL_INVALID_MEM_OBJECT;
}

cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem, cl_bool, const size_t*, const size_t*, size_t,
                          size_t, void*, cl_uint num_waits, const cl_event* waits, cl_event* event) {
  return not_an_image(queue, {num_waits, waits, event});
}

cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem, cl_bool, const size_t*, const size_t*, size_t,
                           size_t, const void*, cl_uint num_waits, const cl_event* waits, cl_event* event) {
  return not_an_image(queue, {num_waits, waits, event});
}

cl_int clEnqueueCopyImage(cl_command_queue queue, cl_mem, cl_mem, const size_t*, const size_t*, const size_t*,
                          cl_uint num_waits, const cl_event* waits, cl_event* event) {
  return not_an_image(queue, {num_waits, waits, event});
}

cl_int clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem, cl_mem, const size_t*, const size_t*,
                                  size_t, cl_uint num_waits, const cl_event* waits, cl_event* event) {
  return not_an_image(queue, {num_waits, waits, event});
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem, cl_mem, size_t, const size_t*,
                                  const size_t*, cl_uint num_waits, const cl_event* waits, cl_event* event) {
  return not_an_image(queue, {num_waits, waits, event});
}

cl_int clEnqueueFillImage(cl_command_queue queue, cl_mem, const void*, const size_t*, const size_t*,
                          cl_uint num_waits, const cl_event* waits, cl_event* event) {
  return not_an_image(queue, {num_waits, waits, event});
}

void* clEnqueueMapImage(cl_command_queue queue, cl_mem, cl_bool, cl_map_flags, const size_t*, const size_t*,
                        size_t*, size_t*, cl_uint num_waits, const cl_event* waits, cl_event* event,
                        cl_int* errcode_ret) {
  const cl_int code = not_an_image(queue, {num_waits, waits, event});
  if (errcode_ret != nullptr) *errcode_ret = code;
  return nullptr;
}

cl_sampler clCreateSampler(cl_context context, cl_bool, cl_addressing_mode, cl_filter_mode,
                           cl_int* errcode_ret) {
  if (errcode_ret != nullptr) *errcode_ret = valid(context) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT;
  return nullptr;
}

cl_sampler clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties*,
                                         cl_int* errcode_ret) {
  if (errcode_ret != nullptr) *errcode_ret = valid(context) ? CL_INVALID_OPERATION : CL_INVALID_CONTEXT;
  return nullptr;
}

cl_int clRetainSampler(cl_sampler sampler) {
  if (!valid(sampler)) return CL_INVALID_SAMPLER;
  retain(sampler);
  return CL_SUCCESS;
}

cl_int clReleaseSampler(cl_sampler sampler) {
  return guarded([&] { return valid(sampler) && release(sampler) ? CL_SUCCESS : CL_INVALID_SAMPLER; });
}

cl_int clGetSamplerInfo(cl_sampler sampler, cl_sampler_info, size_t, void*, size_t*) {
  return valid(sampler) ? CL_INVALID_VALUE : CL_INVALID_SAMPLER;
}
