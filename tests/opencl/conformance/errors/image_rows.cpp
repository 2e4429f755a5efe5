// Chapters 5.3 and 5.7: images and samplers.
#include "table.h"

namespace conformance {
namespace {

const size_t zero[3] = {0, 0, 0}, box[3] = {4, 2, 1}, beyond[3] = {6, 0, 0};
const cl_image_format bytes{CL_R, CL_UNSIGNED_INT8};
const cl_image_format unknown{0x1, 0x1};
const cl_image_format rare{CL_RGB, CL_UNORM_SHORT_555};

// What a creation may have wrong, for the four functions that make images.
struct Creation {
  cl_context context = nullptr;
  cl_mem_flags flags = 0;
  const cl_image_format* format = &bytes;
  cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D;
  size_t width = 8;
  void* host = nullptr;
};
using Creates = cl_int (*)(const Creation&);

cl_image_desc shape(const Creation& c) {
  cl_image_desc desc{};
  desc.image_type = c.type;
  desc.image_width = c.width;
  desc.image_height = 4;
  return desc;
}
cl_int create(const Creation& c) {
  const cl_image_desc desc = shape(c);
  return made([&](cl_int* code) { return clCreateImage(c.context, c.flags, c.format, &desc, c.host, code); });
}
cl_int create_with(const Creation& c) {
  const cl_image_desc desc = shape(c);
  return made([&](cl_int* code) {
    return clCreateImageWithProperties(c.context, nullptr, c.flags, c.format, &desc, c.host, code);
  });
}
cl_int create_flat(const Creation& c) {
  return made([&](cl_int* code) {
    return clCreateImage2D(c.context, c.flags, c.format, c.width, 4, 0, c.host, code);
  });
}
cl_int create_solid(const Creation& c) {
  return made([&](cl_int* code) {
    return clCreateImage3D(c.context, c.flags, c.format, c.width, 4, 2, 0, 0, c.host, code);
  });
}

void add_creation(Rows& rows, const char* function, Creates call, bool described) {
  const auto add = [&](cl_int code, const std::function<Creation(World&)>& what,
                       Needs needs = Needs::images) {
    rows.push_back({function, code, [=](World& w) { return call(what(w)); }, needs});
  };
  add(CL_SUCCESS, [](World& w) { return Creation{w.context}; });
  add(CL_INVALID_CONTEXT, [](World&) { return Creation{}; });
  add(CL_INVALID_VALUE, [](World& w) { return Creation{w.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY}; });
  add(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, [](World& w) { return Creation{w.context, 0, nullptr}; });
  add(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, [](World& w) { return Creation{w.context, 0, &unknown}; });
  add(CL_INVALID_IMAGE_SIZE,
      [](World& w) { return Creation{w.context, 0, &bytes, CL_MEM_OBJECT_IMAGE2D, size_t{1} << 32}; });
  add(CL_INVALID_HOST_PTR, [](World& w) {
    return Creation{w.context, CL_MEM_COPY_HOST_PTR, &bytes, CL_MEM_OBJECT_IMAGE2D, 8, nullptr};
  });
  add(CL_IMAGE_FORMAT_NOT_SUPPORTED, [](World& w) { return Creation{w.context, 0, &rare}; });
  add(CL_INVALID_OPERATION, [](World& w) { return Creation{w.context}; }, Needs::no_images);
  if (described)
    add(CL_INVALID_IMAGE_DESCRIPTOR, [](World& w) { return Creation{w.context, 0, &bytes, 0x1}; });
}

void add_transfers(Rows& rows) {
  const auto read = [](cl_command_queue queue, cl_mem image, const size_t* origin, void* host, cl_uint count,
                       const cl_event* list) {
    return clEnqueueReadImage(queue, image, CL_TRUE, origin, box, 0, 0, host, count, list, nullptr);
  };
  const auto write = [](cl_command_queue queue, cl_mem image, const size_t* origin, void* host, cl_uint count,
                        const cl_event* list) {
    return clEnqueueWriteImage(queue, image, CL_TRUE, origin, box, 0, 0, host, count, list, nullptr);
  };
  const auto add = [&](const char* function, auto call, cl_mem World::* hidden) {
    add_enqueue(
        rows, function, true,
        [=](World& w, cl_command_queue queue, cl_uint count, const cl_event* list) {
          return call(queue, w.image, zero, w.host, count, list);
        },
        Needs::images);
    const auto row = [&](cl_int code, cl_mem World::* image, const size_t* origin, bool host) {
      rows.push_back(
          {function, code,
           [=](World& w) { return call(w.queue, w.*image, origin, host ? w.host : nullptr, 0, nullptr); },
           Needs::images});
    };
    row(CL_INVALID_CONTEXT, &World::foreign_image, zero, true);
    row(CL_INVALID_MEM_OBJECT, &World::memory, zero, true);
    row(CL_INVALID_VALUE, &World::image, beyond, true);
    row(CL_INVALID_VALUE, &World::image, zero, false);
    row(CL_INVALID_OPERATION, hidden, zero, true);
  };
  add("clEnqueueReadImage", read, &World::unread_image);
  add("clEnqueueWriteImage", write, &World::unwritten_image);
}

void add_copies(Rows& rows) {
  const auto copy = [](cl_command_queue queue, cl_mem from, cl_mem to, const size_t* origin, cl_uint count,
                       const cl_event* list) {
    return clEnqueueCopyImage(queue, from, to, origin, zero, box, count, list, nullptr);
  };
  const auto out = [](cl_command_queue queue, cl_mem from, cl_mem to, const size_t* origin, cl_uint count,
                      const cl_event* list) {
    return clEnqueueCopyImageToBuffer(queue, from, to, origin, box, 0, count, list, nullptr);
  };
  const auto in = [](cl_command_queue queue, cl_mem from, cl_mem to, const size_t* origin, cl_uint count,
                     const cl_event* list) {
    return clEnqueueCopyBufferToImage(queue, from, to, 0, origin, box, count, list, nullptr);
  };
  const auto add = [&](const char* function, auto call, cl_mem World::* from, cl_mem World::* to,
                       cl_mem World::* foreign, cl_mem World::* wrong) {
    add_enqueue(
        rows, function, false,
        [=](World& w, cl_command_queue queue, cl_uint count, const cl_event* list) {
          return call(queue, w.*from, w.*to, zero, count, list);
        },
        Needs::images);
    const auto row = [&](cl_int code, cl_mem World::* a, cl_mem World::* b, const size_t* origin) {
      rows.push_back({function, code, [=](World& w) { return call(w.queue, w.*a, w.*b, origin, 0, nullptr); },
                      Needs::images});
    };
    row(CL_INVALID_CONTEXT, from, foreign, zero);
    row(CL_INVALID_MEM_OBJECT, from, wrong, zero);
    row(CL_INVALID_VALUE, from, to, beyond);
  };
  add("clEnqueueCopyImage", copy, &World::image, &World::other_image, &World::foreign_image, &World::memory);
  add("clEnqueueCopyImageToBuffer", out, &World::image, &World::memory, &World::foreign, &World::image);
  add("clEnqueueCopyBufferToImage", in, &World::memory, &World::image, &World::foreign_image, &World::memory);
  rows.push_back({"clEnqueueCopyImage", CL_IMAGE_FORMAT_MISMATCH,
                  [=](World& w) { return copy(w.queue, w.image, w.signed_image, zero, 0, nullptr); },
                  Needs::images});
  rows.push_back({"clEnqueueCopyImage", CL_MEM_COPY_OVERLAP,
                  [=](World& w) { return copy(w.queue, w.image, w.image, zero, 0, nullptr); },
                  Needs::images});
}

void add_fill_and_map(Rows& rows) {
  const auto fill = [](cl_command_queue queue, cl_mem image, const void* colour, const size_t* origin,
                       cl_uint count, const cl_event* list) {
    return clEnqueueFillImage(queue, image, colour, origin, box, count, list, nullptr);
  };
  add_enqueue(
      rows, "clEnqueueFillImage", false,
      [=](World& w, cl_command_queue queue, cl_uint count, const cl_event* list) {
        return fill(queue, w.image, w.host, zero, count, list);
      },
      Needs::images);
  const auto filling = [&](cl_int code, cl_mem World::* image, bool colour, const size_t* origin) {
    rows.push_back(
        {"clEnqueueFillImage", code,
         [=](World& w) { return fill(w.queue, w.*image, colour ? w.host : nullptr, origin, 0, nullptr); },
         Needs::images});
  };
  filling(CL_INVALID_CONTEXT, &World::foreign_image, true, zero);
  filling(CL_INVALID_MEM_OBJECT, &World::memory, true, zero);
  filling(CL_INVALID_VALUE, &World::image, false, zero);
  filling(CL_INVALID_VALUE, &World::image, true, beyond);

  const auto map = [](cl_command_queue queue, cl_mem image, const size_t* origin, size_t* pitch,
                      cl_uint count, const cl_event* list) {
    cl_int code = 12345;
    void* place = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin, box, pitch, nullptr, count,
                                    list, nullptr, &code);
    if ((place != nullptr) != (code == CL_SUCCESS)) return 23456;
    if (place != nullptr) return clEnqueueUnmapMemObject(queue, image, place, 0, nullptr, nullptr);
    return code;
  };
  add_enqueue(
      rows, "clEnqueueMapImage", true,
      [=](World& w, cl_command_queue queue, cl_uint count, const cl_event* list) {
        size_t pitch = 0;
        return map(queue, w.image, zero, &pitch, count, list);
      },
      Needs::images);
  const auto mapping = [&](cl_int code, cl_mem World::* image, const size_t* origin, bool place) {
    rows.push_back({"clEnqueueMapImage", code,
                    [=](World& w) {
                      size_t pitch = 0;
                      return map(w.queue, w.*image, origin, place ? &pitch : nullptr, 0, nullptr);
                    },
                    Needs::images});
  };
  mapping(CL_INVALID_CONTEXT, &World::foreign_image, zero, true);
  mapping(CL_INVALID_MEM_OBJECT, &World::memory, zero, true);
  mapping(CL_INVALID_VALUE, &World::image, beyond, true);
  mapping(CL_INVALID_VALUE, &World::image, zero, false);
  mapping(CL_INVALID_OPERATION, &World::unread_image, zero, true);
}

void add_samplers(Rows& rows) {
  const auto old = [](cl_context context, cl_addressing_mode mode) {
    return made(
        [&](cl_int* code) { return clCreateSampler(context, CL_TRUE, mode, CL_FILTER_NEAREST, code); });
  };
  const auto with = [](cl_context context, cl_sampler_properties name) {
    const cl_sampler_properties list[] = {name, CL_FILTER_NEAREST, 0};
    return made([&](cl_int* code) { return clCreateSamplerWithProperties(context, list, code); });
  };
  const Rows more = {
      {"clCreateSampler", CL_SUCCESS, [=](World& w) { return old(w.context, CL_ADDRESS_CLAMP); },
       Needs::images},
      {"clCreateSampler", CL_INVALID_CONTEXT, [=](World&) { return old(nullptr, CL_ADDRESS_CLAMP); }},
      {"clCreateSampler", CL_INVALID_VALUE, [=](World& w) { return old(w.context, 0x1); }, Needs::images},
      {"clCreateSampler", CL_INVALID_OPERATION, [=](World& w) { return old(w.context, CL_ADDRESS_CLAMP); },
       Needs::no_images},
      {"clCreateSamplerWithProperties", CL_SUCCESS,
       [=](World& w) { return with(w.context, CL_SAMPLER_FILTER_MODE); }, Needs::images},
      {"clCreateSamplerWithProperties", CL_INVALID_CONTEXT,
       [=](World&) { return with(nullptr, CL_SAMPLER_FILTER_MODE); }},
      {"clCreateSamplerWithProperties", CL_INVALID_VALUE, [=](World& w) { return with(w.context, 0x1); },
       Needs::images},
      {"clCreateSamplerWithProperties", CL_INVALID_OPERATION,
       [=](World& w) { return with(w.context, CL_SAMPLER_FILTER_MODE); }, Needs::no_images},
      {"clRetainSampler", CL_SUCCESS, [](World& w) { return clRetainSampler(w.sampler); }, Needs::images},
      {"clRetainSampler", CL_INVALID_SAMPLER, [](World&) { return clRetainSampler(nullptr); }},
      {"clReleaseSampler", CL_SUCCESS, [](World& w) { return clReleaseSampler(w.sampler); }, Needs::images},
      {"clReleaseSampler", CL_INVALID_SAMPLER, [](World&) { return clReleaseSampler(nullptr); }},
      {"clGetSamplerInfo", CL_SUCCESS,
       [](World& w) {
         return clGetSamplerInfo(w.sampler, CL_SAMPLER_CONTEXT, sizeof(w.host), w.host, nullptr);
       },
       Needs::images},
      {"clGetSamplerInfo", CL_INVALID_SAMPLER,
       [](World&) { return clGetSamplerInfo(nullptr, CL_SAMPLER_CONTEXT, 0, nullptr, nullptr); }},
      {"clGetSamplerInfo", CL_INVALID_VALUE,
       [](World& w) { return clGetSamplerInfo(w.sampler, 0x1, 0, nullptr, nullptr); }, Needs::images},
  };
  rows.insert(rows.end(), more.begin(), more.end());
}

}  // namespace

Rows image_rows() {
  Rows rows;
  add_creation(rows, "clCreateImage", create, true);
  add_creation(rows, "clCreateImageWithProperties", create_with, true);
  add_creation(rows, "clCreateImage2D", create_flat, false);
  add_creation(rows, "clCreateImage3D", create_solid, false);
  const Rows more = {
      {"clCreateImage", CL_MEM_OBJECT_ALLOCATION_FAILURE,
       [](World& w) {
         size_t width = 0, height = 0, layers = 0;
         clGetDeviceInfo(w.device, CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof(width), &width, nullptr);
         clGetDeviceInfo(w.device, CL_DEVICE_IMAGE2D_MAX_HEIGHT, sizeof(height), &height, nullptr);
         clGetDeviceInfo(w.device, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, sizeof(layers), &layers, nullptr);
         const cl_image_format wide{CL_RGBA, CL_FLOAT};
         cl_image_desc desc{};
         desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
         desc.image_width = width;
         desc.image_height = height;
         desc.image_array_size = layers;
         return made(
             [&](cl_int* code) { return clCreateImage(w.elsewhere, 0, &wide, &desc, nullptr, code); });
       },
       Needs::images},
      {"clCreateImageWithProperties", CL_INVALID_PROPERTY,
       [](World& w) {
         const cl_mem_properties list[] = {0x999, 1, 0};
         const cl_image_desc desc = shape({});
         return made([&](cl_int* code) {
           return clCreateImageWithProperties(w.context, list, 0, &bytes, &desc, nullptr, code);
         });
       },
       Needs::images},
      {"clGetSupportedImageFormats", CL_SUCCESS,
       [](World& w) {
         cl_uint count = 0;
         return clGetSupportedImageFormats(w.context, 0, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count);
       }},
      {"clGetSupportedImageFormats", CL_INVALID_CONTEXT,
       [](World&) {
         cl_uint count = 0;
         return clGetSupportedImageFormats(nullptr, 0, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count);
       }},
      {"clGetSupportedImageFormats", CL_INVALID_VALUE,
       [](World& w) {
         cl_uint count = 0;
         return clGetSupportedImageFormats(w.context, 0, CL_MEM_OBJECT_BUFFER, 0, nullptr, &count);
       }},
      {"clGetImageInfo", CL_SUCCESS,
       [](World& w) { return clGetImageInfo(w.image, CL_IMAGE_WIDTH, sizeof(w.host), w.host, nullptr); },
       Needs::images},
      {"clGetImageInfo", CL_INVALID_MEM_OBJECT,
       [](World& w) { return clGetImageInfo(w.memory, CL_IMAGE_WIDTH, 0, nullptr, nullptr); }},
      {"clGetImageInfo", CL_INVALID_VALUE,
       [](World& w) { return clGetImageInfo(w.image, 0x1, 0, nullptr, nullptr); }, Needs::images},
  };
  rows.insert(rows.end(), more.begin(), more.end());
  add_transfers(rows);
  add_copies(rows);
  add_fill_and_map(rows);
  add_samplers(rows);
  return rows;
}

}  // namespace conformance
