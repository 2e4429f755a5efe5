// Objects, programs and kernel arguments.
#include "fuzz.h"

namespace fuzz {

void Fuzz::create() {
  cl_int code = 0;
  cl_int* const place = one_in(10) ? nullptr : &code;
  const cl_context context = handle(contexts_);
  const cl_device_id device = handle(devices_);
  switch (below(9)) {
    case 0: {
      if (contexts_.size() > 3) return;
      const cl_context_properties lists[][3] = {
          {0, 0, 0},
          {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(handle(std::vector{platform_})), 0},
          {static_cast<cl_context_properties>(random_() | 1), 1, 0}};
      const auto* list = one_in(2) ? nullptr : lists[below(3)];
      if (one_in(2))
        keep(contexts_, table->clCreateContext(list, one_in(10) ? 0 : 1, one_in(10) ? nullptr : &device,
                                               nullptr, one_in(10) ? arena_.data() : nullptr, place));
      else
        keep(contexts_, table->clCreateContextFromType(list, one_in(3) ? random_() : CL_DEVICE_TYPE_ALL,
                                                       nullptr, nullptr, place));
      return;
    }
    case 1: {
      if (queues_.size() > 6) return;
      const cl_queue_properties list[] = {
          one_in(10) ? random_() | 1 : cl_queue_properties{CL_QUEUE_PROPERTIES},
          one_in(8) ? random_() : below(4), 0};
      if (one_in(2))
        keep(queues_,
             table->clCreateCommandQueueWithProperties(context, device, one_in(3) ? nullptr : list, place));
      else
        keep(queues_, table->clCreateCommandQueue(context, device, one_in(8) ? random_() : below(4), place));
      return;
    }
    case 2:
    case 3: {
      const cl_bitfield bits = flags();
      const size_t size = one_in(10) ? number() : 64 + below(most_buffer - 64);
      // Contents are read as far as the size says: none are given for sizes beyond the arena.
      void* const contents = size > arena_bytes ? nullptr : host_for(bits);
      const cl_mem_properties none[] = {one_in(3) ? random_() : 0, 0, 0};
      if (one_in(3))
        keep(memories_, table->clCreateBufferWithProperties(context, one_in(2) ? nullptr : none, bits, size,
                                                            contents, place));
      else
        keep(memories_, table->clCreateBuffer(context, bits, size, contents, place));
      return;
    }
    case 4: {
      const cl_buffer_region region = {one_in(3) ? number() : 256 * below(8), one_in(3) ? number() : 64};
      keep(memories_, table->clCreateSubBuffer(handle(memories_), flags(),
                                               one_in(20) ? below(9) : CL_BUFFER_CREATE_TYPE_REGION,
                                               one_in(20) ? nullptr : &region, place));
      return;
    }
    case 5:
      return create_image();
    case 6: {
      const cl_sampler_properties list[] = {one_in(10) ? random_() : 0x1152 + below(3),
                                            one_in(3) ? random_() : 0x1130 + below(5), 0};
      if (one_in(2))
        keep(samplers_,
             table->clCreateSampler(context, below(3), 0x1130 + below(6), 0x1140 + below(3), place));
      else
        keep(samplers_, table->clCreateSamplerWithProperties(context, one_in(3) ? nullptr : list, place));
      return;
    }
    case 7: {
      const cl_event made = table->clCreateUserEvent(context, place);
      keep(events_, made);
      if (made != nullptr) gates_.push_back(made);
      return;
    }
    default:
      return program();
  }
}

void Fuzz::create_image() {
  cl_int code = 0;
  const cl_context context = handle(contexts_);
  cl_image_desc desc{};
  desc.image_type = one_in(15) ? below(0x2000) : 0x10F1 + below(6);
  desc.image_width = one_in(15) ? number() : 1 + below(32);
  desc.image_height = one_in(15) ? number() : 1 + below(16);
  desc.image_depth = one_in(15) ? number() : 1 + below(4);
  desc.image_array_size = one_in(15) ? number() : 1 + below(4);
  desc.image_row_pitch = one_in(3) ? 256 * below(5) : 0;
  desc.image_slice_pitch = one_in(6) ? 256 * below(80) : 0;
  if (one_in(20)) desc.num_mip_levels = 1;
  if (desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER || one_in(10)) desc.mem_object = handle(memories_);
  const cl_image_format format = {one_in(15) ? below(0x2000) : 0x10B0 + below(13),
                                  one_in(15) ? below(0x2000) : 0x10D0 + below(17)};
  const cl_bitfield bits = flags();
  // Contents only where they lie within the arena.
  const bool small_enough = desc.image_width <= 64 && desc.image_height <= 64 && desc.image_depth <= 8 &&
                            desc.image_array_size <= 8;
  void* const contents = small_enough ? host_for(bits) : nullptr;
  const cl_image_desc* const shape = one_in(30) ? nullptr : &desc;
  const cl_image_format* const texel = one_in(30) ? nullptr : &format;
  switch (below(5)) {
    case 0:
      return keep(memories_, table->clCreateImage2D(context, bits, texel, desc.image_width, desc.image_height,
                                                    desc.image_row_pitch, contents, &code));
    case 1:
      return keep(memories_, table->clCreateImage3D(context, bits, texel, desc.image_width, desc.image_height,
                                                    desc.image_depth, desc.image_row_pitch,
                                                    desc.image_slice_pitch, contents, &code));
    case 2:
      return keep(memories_,
                  table->clCreateImageWithProperties(context, nullptr, bits, texel, shape, contents, &code));
    default:
      return keep(memories_, table->clCreateImage(context, bits, texel, shape, contents, &code));
  }
}

void Fuzz::program() {
  cl_int code = 0;
  const cl_device_id device = handle(devices_);
  const cl_program chosen = handle(programs_);
  const cl_uint count = one_in(15) ? below(2) : 1;
  const cl_device_id* const list = one_in(15) ? nullptr : &device;
  const char* const options =
      among<const char*>({nullptr, "", "-cl-kernel-arg-info", "-DX=1", "-no-such", "\"", "x"});
  switch (below(9)) {
    case 0:
    case 1: {
      const char* text = sources[below(4)];
      const size_t length = std::strlen(text);
      keep(programs_, table->clCreateProgramWithSource(handle(contexts_), one_in(20) ? 0 : 1,
                                                       one_in(20) ? nullptr : &text,
                                                       one_in(2) ? nullptr : &length, &code));
      return;
    }
    case 2:
    case 3:
      table->clBuildProgram(chosen, count, list, options, nullptr, one_in(20) ? arena_.data() : nullptr);
      return;
    case 4: {
      const cl_program header = handle(programs_);
      const char* name = one_in(3) ? "../up.h" : "h.h";
      const cl_uint headers = below(2);
      table->clCompileProgram(chosen, count, list, options, headers, headers != 0 ? &header : nullptr,
                              headers != 0 ? &name : nullptr, nullptr, nullptr);
      return;
    }
    case 5: {
      const cl_program inputs[2] = {handle(programs_), handle(programs_)};
      keep(programs_,
           table->clLinkProgram(handle(contexts_), count, list,
                                among<const char*>({nullptr, "-create-library", "-bad"}), 1 + below(2),
                                one_in(20) ? nullptr : inputs, nullptr, nullptr, &code));
      return;
    }
    case 6: {
      // A program's binary, whole or damaged.
      std::vector<unsigned char> bytes(below(400));
      for (unsigned char& each : bytes) each = static_cast<unsigned char>(random_());
      size_t size = 0;
      if (table->clGetProgramInfo(chosen, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr) ==
              CL_SUCCESS &&
          size != 0) {
        bytes.resize(size);
        unsigned char* place = bytes.data();
        table->clGetProgramInfo(chosen, CL_PROGRAM_BINARIES, sizeof(place), &place, nullptr);
        if (one_in(2))
          bytes[below(static_cast<unsigned>(size))] ^= static_cast<unsigned char>(1 + below(255));
      }
      const unsigned char* given = bytes.data();
      size = bytes.size();
      cl_int status = 0;
      keep(programs_,
           table->clCreateProgramWithBinary(handle(contexts_), count, list, &size, &given, &status, &code));
      return;
    }
    case 7: {
      cl_kernel made[8] = {};
      cl_uint number = 0;
      if (table->clCreateKernelsInProgram(chosen, 8, made, &number) == CL_SUCCESS) {
        for (cl_uint i = 0; i < number; ++i) keep(kernels_, made[i]);
      }
      return;
    }
    default:
      keep(kernels_, table->clCreateKernel(
                         chosen, among<const char*>({"k0", "k1", "k2", "k3", "none", nullptr}), &code));
      if (one_in(4)) keep(kernels_, table->clCloneKernel(handle(kernels_), &code));
      return;
  }
}

void Fuzz::arguments() {
  const cl_kernel kernel = handle(kernels_);
  const cl_uint index = below(5);
  const cl_mem memory = handle(memories_);
  const cl_sampler sampler = handle(samplers_);
  const float values[4] = {1, 2, 3, 4};
  switch (below(5)) {
    case 0:
    case 1:
      table->clSetKernelArg(kernel, index, one_in(20) ? below(9) : sizeof(memory),
                            one_in(20) ? nullptr : &memory);
      return;
    case 2:
      table->clSetKernelArg(kernel, index, one_in(20) ? below(9) : sizeof(sampler), &sampler);
      return;
    case 3:
      table->clSetKernelArg(kernel, index, one_in(10) ? 0 : 1024, nullptr);
      return;
    default:
      table->clSetKernelArg(kernel, index, among<size_t>({1, 4, 8, 16}), values);
      return;
  }
}

}  // namespace fuzz
