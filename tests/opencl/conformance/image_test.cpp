// Chapters 5.3 and 5.7: images and samplers. On a device without images: that they are refused.
#include <numeric>

#include "fixture.h"

namespace conformance {
namespace {

class Image : public Device {
 protected:
  void SetUp() override {
    Device::SetUp();
    if (query<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_SUPPORT) != CL_TRUE)
      GTEST_SKIP() << "no images";
  }
  void TearDown() override {
    for (cl_sampler each : samplers) EXPECT_EQ(clReleaseSampler(each), CL_SUCCESS);
    Device::TearDown();
  }
  static cl_image_desc shape(cl_mem_object_type type, size_t width, size_t height = 0, size_t depth = 0,
                             size_t layers = 0) {
    cl_image_desc made{};
    made.image_type = type;
    made.image_width = width;
    made.image_height = height;
    made.image_depth = depth;
    made.image_array_size = layers;
    return made;
  }
  cl_mem image(const cl_image_desc& desc, cl_image_format format = {CL_R, CL_UNSIGNED_INT8},
               cl_mem_flags flags = CL_MEM_READ_WRITE, void* host = nullptr) {
    cl_int code = -1;
    cl_mem made = clCreateImage(context, flags, &format, &desc, host, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    if (made != nullptr) memories.insert(memories.begin(), made);
    return made;
  }
  // An image of 4 x 3 bytes that counts from 0.
  cl_mem counting() {
    return image(shape(CL_MEM_OBJECT_IMAGE2D, 4, 3), byte_format, copies, numbers().data());
  }
  std::vector<unsigned char>& numbers() {
    bytes.resize(256);
    std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(0));
    return bytes;
  }
  std::vector<unsigned char> texels(cl_mem from, std::array<size_t, 3> origin, std::array<size_t, 3> region) {
    std::vector<unsigned char> got(region[0] * region[1] * region[2]);
    EXPECT_EQ(clEnqueueReadImage(queue, from, CL_TRUE, origin.data(), region.data(), 0, 0, got.data(), 0,
                                 nullptr, nullptr),
              CL_SUCCESS);
    return got;
  }
  cl_int wrong(const cl_image_desc& desc, cl_image_format format = {CL_R, CL_UNSIGNED_INT8},
               cl_mem_flags flags = CL_MEM_READ_WRITE, void* host = nullptr) {
    cl_int code = 1;
    EXPECT_EQ(clCreateImage(context, flags, &format, &desc, host, &code), nullptr);
    return code;
  }

  static constexpr cl_mem_flags copies = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  const cl_image_format byte_format{CL_R, CL_UNSIGNED_INT8};
  const size_t zero[3] = {0, 0, 0};
  const size_t all[3] = {4, 3, 1};
  std::vector<unsigned char> bytes;
  std::vector<cl_sampler> samplers;
};

TEST_F(Image, FormatsAreListed) {
  for (const cl_mem_object_type type :
       {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
        CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D}) {
    cl_uint count = 0;
    ASSERT_EQ(clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, type, 0, nullptr, &count), CL_SUCCESS);
    std::vector<cl_image_format> list(count);
    ASSERT_EQ(clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, type, count, list.data(), nullptr),
              CL_SUCCESS);
    // What every device with images must have: 5.3.2.1, table of the least formats.
    for (const cl_channel_type must :
         {CL_UNORM_INT8, CL_UNORM_INT16, CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32, CL_UNSIGNED_INT8,
          CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT, CL_FLOAT}) {
      EXPECT_TRUE(std::any_of(list.begin(), list.end(),
                              [&](const cl_image_format& each) {
                                return each.image_channel_order == CL_RGBA &&
                                       each.image_channel_data_type == must;
                              }))
          << type << ", " << must;
    }
  }
  cl_image_format one{};
  EXPECT_EQ(clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_BUFFER, 1, &one, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, &one, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clGetSupportedImageFormats(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE2D,
                                       1, &one, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clGetSupportedImageFormats(nullptr, 0, CL_MEM_OBJECT_IMAGE2D, 1, &one, nullptr),
            CL_INVALID_CONTEXT);
}

TEST_F(Image, ImagesAnswer) {
  const cl_image_format format{CL_RGBA, CL_HALF_FLOAT};
  cl_mem made = image(shape(CL_MEM_OBJECT_IMAGE3D, 5, 4, 3), format, CL_MEM_READ_ONLY);
  const auto got = query<cl_image_format>(clGetImageInfo, made, CL_IMAGE_FORMAT);
  EXPECT_EQ(got.image_channel_order, cl_uint{CL_RGBA});
  EXPECT_EQ(got.image_channel_data_type, cl_uint{CL_HALF_FLOAT});
  EXPECT_EQ(query<size_t>(clGetImageInfo, made, CL_IMAGE_ELEMENT_SIZE), 8u);
  EXPECT_GE(query<size_t>(clGetImageInfo, made, CL_IMAGE_ROW_PITCH), 40u);
  EXPECT_GE(query<size_t>(clGetImageInfo, made, CL_IMAGE_SLICE_PITCH), 160u);
  EXPECT_EQ(query<size_t>(clGetImageInfo, made, CL_IMAGE_WIDTH), 5u);
  EXPECT_EQ(query<size_t>(clGetImageInfo, made, CL_IMAGE_HEIGHT), 4u);
  EXPECT_EQ(query<size_t>(clGetImageInfo, made, CL_IMAGE_DEPTH), 3u);
  EXPECT_EQ(query<size_t>(clGetImageInfo, made, CL_IMAGE_ARRAY_SIZE), 0u);
  EXPECT_EQ(query<cl_mem>(clGetImageInfo, made, CL_IMAGE_BUFFER), nullptr);
  EXPECT_EQ(query<cl_uint>(clGetImageInfo, made, CL_IMAGE_NUM_MIP_LEVELS), 0u);
  EXPECT_EQ(query<cl_uint>(clGetImageInfo, made, CL_IMAGE_NUM_SAMPLES), 0u);
  EXPECT_EQ(query<cl_mem_object_type>(clGetMemObjectInfo, made, CL_MEM_TYPE), cl_uint{CL_MEM_OBJECT_IMAGE3D});
  EXPECT_EQ(query<cl_mem_flags>(clGetMemObjectInfo, made, CL_MEM_FLAGS), cl_bitfield{CL_MEM_READ_ONLY});
  EXPECT_GE(query<size_t>(clGetMemObjectInfo, made, CL_MEM_SIZE), 5u * 4 * 3 * 8);
  cl_mem layers = image(shape(CL_MEM_OBJECT_IMAGE1D_ARRAY, 7, 0, 0, 6));
  EXPECT_EQ(query<size_t>(clGetImageInfo, layers, CL_IMAGE_ARRAY_SIZE), 6u);
  EXPECT_EQ(query<size_t>(clGetImageInfo, layers, CL_IMAGE_HEIGHT), 0u);
  EXPECT_EQ(clGetImageInfo(made, 0x1, 0, nullptr, nullptr), CL_INVALID_VALUE);
  size_t small = 0;
  EXPECT_EQ(clGetImageInfo(made, CL_IMAGE_FORMAT, 4, &small, nullptr), CL_INVALID_VALUE);
  cl_mem plain = buffer(16);
  EXPECT_EQ(clGetImageInfo(plain, CL_IMAGE_WIDTH, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clGetImageInfo(nullptr, CL_IMAGE_WIDTH, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
}

TEST_F(Image, WrongImages) {
  const cl_image_desc flat = shape(CL_MEM_OBJECT_IMAGE2D, 4, 4);
  char host[64] = {};
  cl_int code = 0;
  EXPECT_EQ(clCreateImage(nullptr, 0, &byte_format, &flat, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(wrong(flat, byte_format, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY), CL_INVALID_VALUE);
  EXPECT_EQ(clCreateImage(context, 0, nullptr, &flat, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(wrong(flat, {CL_R, 0x1}), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(wrong(flat, {CL_RGB, CL_FLOAT}), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(wrong(flat, {CL_LUMINANCE, CL_SIGNED_INT8}), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(clCreateImage(context, 0, &byte_format, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(wrong(shape(CL_MEM_OBJECT_BUFFER, 4, 4)), CL_INVALID_IMAGE_DESCRIPTOR);
  EXPECT_EQ(wrong(shape(CL_MEM_OBJECT_IMAGE1D_BUFFER, 4)), CL_INVALID_IMAGE_DESCRIPTOR);
  cl_image_desc levels = flat;
  levels.num_mip_levels = 1;
  EXPECT_EQ(wrong(levels), CL_INVALID_IMAGE_DESCRIPTOR);
  cl_image_desc pitched = flat;
  pitched.image_row_pitch = 8;
  EXPECT_EQ(wrong(pitched), CL_INVALID_IMAGE_DESCRIPTOR);  // a pitch needs contents
  pitched.image_row_pitch = 3;
  EXPECT_EQ(wrong(pitched, byte_format, copies, host), CL_INVALID_IMAGE_DESCRIPTOR);
  const auto most = query<size_t>(clGetDeviceInfo, device, CL_DEVICE_IMAGE2D_MAX_WIDTH);
  EXPECT_EQ(wrong(shape(CL_MEM_OBJECT_IMAGE2D, most + 1, 1)), CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(wrong(flat, byte_format, CL_MEM_READ_WRITE, host), CL_INVALID_HOST_PTR);
  EXPECT_EQ(wrong(flat, byte_format, CL_MEM_COPY_HOST_PTR), CL_INVALID_HOST_PTR);
  const cl_mem_properties unknown[] = {0x999, 1, 0};
  EXPECT_EQ(clCreateImageWithProperties(context, unknown, 0, &byte_format, &flat, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PROPERTY);
  const cl_mem_properties none[] = {0};
  cl_mem made = clCreateImageWithProperties(context, none, 0, &byte_format, &flat, nullptr, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  memories.push_back(made);
}

TEST_F(Image, FormatsThatNobodyNeedHave) {
  const cl_image_format rare{CL_RGB, CL_UNORM_INT_101010};
  cl_uint count = 0;
  ASSERT_EQ(clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, nullptr, &count), CL_SUCCESS);
  std::vector<cl_image_format> list(count);
  clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, count, list.data(), nullptr);
  if (std::any_of(list.begin(), list.end(),
                  [&](const cl_image_format& each) { return each.image_channel_order == CL_RGB; }))
    GTEST_SKIP() << "has them";
  EXPECT_EQ(wrong(shape(CL_MEM_OBJECT_IMAGE2D, 4, 4), rare), CL_IMAGE_FORMAT_NOT_SUPPORTED);
}

TEST_F(Image, OldFunctionsMakeImages) {
  cl_int code = 1;
  cl_mem flat = clCreateImage2D(context, copies, &byte_format, 4, 3, 8, numbers().data(), &code);
  ASSERT_EQ(code, CL_SUCCESS);
  memories.push_back(flat);
  EXPECT_EQ(texels(flat, {1, 1, 0}, {3, 2, 1}), (std::vector<unsigned char>{9, 10, 11, 17, 18, 19}));
  cl_mem solid = clCreateImage3D(context, copies, &byte_format, 2, 2, 2, 4, 16, numbers().data(), &code);
  ASSERT_EQ(code, CL_SUCCESS);
  memories.push_back(solid);
  EXPECT_EQ(texels(solid, {0, 0, 0}, {2, 2, 2}), (std::vector<unsigned char>{0, 1, 4, 5, 16, 17, 20, 21}));
  EXPECT_EQ(clCreateImage2D(context, 0, &byte_format, 0, 3, 0, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(clCreateImage3D(context, 0, &byte_format, 3, 3, 0, 0, 0, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_IMAGE_SIZE);
  EXPECT_EQ(clCreateImage2D(nullptr, 0, &byte_format, 4, 3, 0, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateImage2D(context, 0, nullptr, 4, 3, 0, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(clCreateImage3D(context, 0, nullptr, 4, 3, 2, 0, 0, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  EXPECT_EQ(clCreateImage3D(context, CL_MEM_COPY_HOST_PTR, &byte_format, 4, 3, 2, 0, 0, nullptr, &code),
            nullptr);
  EXPECT_EQ(code, CL_INVALID_HOST_PTR);
}

TEST_F(Image, EveryShapeIsWrittenAndRead) {
  const struct {
    cl_mem_object_type type;
    std::array<size_t, 4> size;  // width, height, depth, layers
    std::array<size_t, 3> region;
  } shapes[] = {{CL_MEM_OBJECT_IMAGE1D, {12, 0, 0, 0}, {12, 1, 1}},
                {CL_MEM_OBJECT_IMAGE1D_ARRAY, {4, 0, 0, 3}, {4, 3, 1}},
                {CL_MEM_OBJECT_IMAGE2D, {6, 2, 0, 0}, {6, 2, 1}},
                {CL_MEM_OBJECT_IMAGE2D_ARRAY, {3, 2, 0, 2}, {3, 2, 2}},
                {CL_MEM_OBJECT_IMAGE3D, {2, 2, 3, 0}, {2, 2, 3}}};
  for (const auto& each : shapes) {
    cl_mem made = image(shape(each.type, each.size[0], each.size[1], each.size[2], each.size[3]));
    ASSERT_EQ(clEnqueueWriteImage(queue, made, CL_TRUE, zero, each.region.data(), 0, 0, numbers().data(), 0,
                                  nullptr, nullptr),
              CL_SUCCESS);
    const auto got = texels(made, {0, 0, 0}, each.region);
    EXPECT_TRUE(std::equal(got.begin(), got.end(), numbers().begin())) << each.type;
    // The last texel alone.
    const std::array<size_t, 3> last = {each.region[0] - 1, each.region[1] - 1, each.region[2] - 1};
    EXPECT_EQ(texels(made, last, {1, 1, 1})[0], 11) << each.type;
  }
}

TEST_F(Image, PitchesOfTheHostAreKept) {
  cl_mem layers = image(shape(CL_MEM_OBJECT_IMAGE2D_ARRAY, 2, 2, 0, 2));
  const size_t region[3] = {2, 2, 2};
  ASSERT_EQ(
      clEnqueueWriteImage(queue, layers, CL_TRUE, zero, region, 5, 20, numbers().data(), 0, nullptr, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(texels(layers, {0, 0, 0}, {2, 2, 2}), (std::vector<unsigned char>{0, 1, 5, 6, 20, 21, 25, 26}));
  std::vector<unsigned char> back(12, 0xEE);
  ASSERT_EQ(clEnqueueReadImage(queue, layers, CL_TRUE, zero, region, 3, 6, back.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(back, (std::vector<unsigned char>{0, 1, 0xEE, 5, 6, 0xEE, 20, 21, 0xEE, 25, 26, 0xEE}));
}

TEST_F(Image, WrongTransfers) {
  cl_mem flat = counting();
  unsigned char host[64] = {};
  const auto read = [&](cl_mem from, const size_t* origin, const size_t* region, size_t row, size_t slice,
                        void* to) {
    return clEnqueueReadImage(queue, from, CL_TRUE, origin, region, row, slice, to, 0, nullptr, nullptr);
  };
  const auto write = [&](cl_mem to, const size_t* origin, const size_t* region, size_t row, size_t slice,
                         const void* from) {
    return clEnqueueWriteImage(queue, to, CL_TRUE, origin, region, row, slice, from, 0, nullptr, nullptr);
  };
  const size_t beyond[3] = {1, 0, 0}, deep[3] = {0, 0, 1}, none[3] = {4, 0, 1}, slices[3] = {4, 3, 2};
  for (const auto& [origin, region] :
       {std::pair{beyond, all}, {deep, all}, {zero, none}, {zero, slices}, {nullptr, all}, {zero, nullptr}}) {
    EXPECT_EQ(read(flat, origin, region, 0, 0, host), CL_INVALID_VALUE);
    EXPECT_EQ(write(flat, origin, region, 0, 0, host), CL_INVALID_VALUE);
  }
  EXPECT_EQ(read(flat, zero, all, 3, 0, host), CL_INVALID_VALUE);
  EXPECT_EQ(write(flat, zero, all, 3, 0, host), CL_INVALID_VALUE);
  EXPECT_EQ(read(flat, zero, all, 0, 0, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(write(flat, zero, all, 0, 0, nullptr), CL_INVALID_VALUE);
  cl_mem plain = buffer(64);
  EXPECT_EQ(read(plain, zero, all, 0, 0, host), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(write(plain, zero, all, 0, 0, host), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(read(nullptr, zero, all, 0, 0, host), CL_INVALID_MEM_OBJECT);
  cl_mem unread = image(shape(CL_MEM_OBJECT_IMAGE2D, 4, 3), byte_format, CL_MEM_HOST_WRITE_ONLY);
  cl_mem unwritten = image(shape(CL_MEM_OBJECT_IMAGE2D, 4, 3), byte_format, CL_MEM_HOST_READ_ONLY);
  EXPECT_EQ(read(unread, zero, all, 0, 0, host), CL_INVALID_OPERATION);
  EXPECT_EQ(write(unwritten, zero, all, 0, 0, host), CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueReadImage(nullptr, flat, CL_TRUE, zero, all, 0, 0, host, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueWriteImage(nullptr, flat, CL_TRUE, zero, all, 0, 0, host, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueReadImage(queue, flat, CL_TRUE, zero, all, 0, 0, host, 1, nullptr, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueWriteImage(queue, flat, CL_TRUE, zero, all, 0, 0, host, 1, nullptr, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  cl_context elsewhere = other_context();
  cl_int code = 0;
  const cl_image_desc desc = shape(CL_MEM_OBJECT_IMAGE2D, 4, 3);
  cl_mem foreign = clCreateImage(elsewhere, 0, &byte_format, &desc, nullptr, &code);
  EXPECT_EQ(read(foreign, zero, all, 0, 0, host), CL_INVALID_CONTEXT);
  EXPECT_EQ(write(foreign, zero, all, 0, 0, host), CL_INVALID_CONTEXT);
  EXPECT_EQ(clReleaseMemObject(foreign), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(elsewhere), CL_SUCCESS);
}

TEST_F(Image, ImagesAreCopied) {
  cl_mem from = counting();
  cl_mem to = image(shape(CL_MEM_OBJECT_IMAGE3D, 4, 3, 2));
  const size_t origin[3] = {1, 1, 0}, target[3] = {0, 1, 1}, region[3] = {2, 2, 1};
  ASSERT_EQ(clEnqueueCopyImage(queue, from, to, origin, target, region, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(texels(to, {0, 1, 1}, {2, 2, 1}), (std::vector<unsigned char>{5, 6, 9, 10}));
  EXPECT_EQ(clEnqueueCopyImage(queue, from, from, zero, origin, region, 0, nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
  cl_mem other = image(shape(CL_MEM_OBJECT_IMAGE2D, 4, 3), {CL_R, CL_SIGNED_INT8});
  EXPECT_EQ(clEnqueueCopyImage(queue, from, other, zero, zero, region, 0, nullptr, nullptr),
            CL_IMAGE_FORMAT_MISMATCH);
  const size_t far_away[3] = {3, 2, 0};
  EXPECT_EQ(clEnqueueCopyImage(queue, from, to, far_away, zero, region, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueCopyImage(queue, from, to, zero, far_away, region, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueCopyImage(queue, from, nullptr, zero, zero, region, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyImage(queue, buffer(64), to, zero, zero, region, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyImage(nullptr, from, to, zero, zero, region, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueCopyImage(queue, from, to, zero, zero, region, 1, nullptr, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
}

TEST_F(Image, BuffersAndImagesAreCopied) {
  cl_mem from = counting();
  cl_mem memory = filled(std::vector<unsigned char>(16, 0xEE));
  const size_t origin[3] = {1, 1, 0}, region[3] = {2, 2, 1};
  ASSERT_EQ(clEnqueueCopyImageToBuffer(queue, from, memory, origin, region, 3, 0, nullptr, nullptr),
            CL_SUCCESS);
  const auto got = read<unsigned char>(memory, 8);
  EXPECT_EQ(got, (std::vector<unsigned char>{0xEE, 0xEE, 0xEE, 5, 6, 9, 10, 0xEE}));
  ASSERT_EQ(clEnqueueCopyBufferToImage(queue, memory, from, 4, zero, region, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(texels(from, {0, 0, 0}, {4, 2, 1}), (std::vector<unsigned char>{6, 9, 2, 3, 10, 0xEE, 6, 7}));
  const size_t beyond[3] = {3, 0, 0};
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, from, memory, origin, region, 13, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, from, memory, beyond, region, 0, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueCopyBufferToImage(queue, memory, from, 13, origin, region, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueCopyBufferToImage(queue, memory, from, 0, beyond, region, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, memory, memory, origin, region, 0, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, from, from, origin, region, 0, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBufferToImage(queue, from, from, 0, origin, region, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBufferToImage(queue, memory, memory, 0, origin, region, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBufferToImage(nullptr, memory, from, 0, origin, region, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(nullptr, from, memory, origin, region, 0, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue, from, memory, origin, region, 0, 1, nullptr, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueCopyBufferToImage(queue, memory, from, 0, origin, region, 1, nullptr, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
}

// 5.3.3: the colour is converted to the image's format.
TEST_F(Image, FillsConvertTheColour) {
  const size_t one[3] = {1, 1, 1};
  const auto filled_with = [&](cl_image_format format, const void* colour) {
    cl_mem made = image(shape(CL_MEM_OBJECT_IMAGE2D, 1, 1), format);
    EXPECT_EQ(clEnqueueFillImage(queue, made, colour, zero, one, 0, nullptr, nullptr), CL_SUCCESS);
    std::vector<unsigned char> texel(query<size_t>(clGetImageInfo, made, CL_IMAGE_ELEMENT_SIZE));
    EXPECT_EQ(clEnqueueReadImage(queue, made, CL_TRUE, zero, one, 0, 0, texel.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return texel;
  };
  const cl_float real[4] = {0.2f, 2.0f, -1.0f, 0.75f};
  // 0.2 * 255 = 51, above 1 is 255, below 0 is 0, 0.75 * 255 = 191.25.
  EXPECT_EQ(filled_with({CL_RGBA, CL_UNORM_INT8}, real), (std::vector<unsigned char>{51, 255, 0, 191}));
  // 1.0 and 0.75 as half: 0x3A00 is 0.75, -1 is 0xBC00, 2 is 0x4000; 0.2 is 0x3266.
  EXPECT_EQ(filled_with({CL_RGBA, CL_HALF_FLOAT}, real),
            (std::vector<unsigned char>{0x66, 0x32, 0x00, 0x40, 0x00, 0xBC, 0x00, 0x3A}));
  const cl_int whole[4] = {-5, 7, 100000, -100000};
  EXPECT_EQ(filled_with({CL_RGBA, CL_SIGNED_INT16}, whole),
            (std::vector<unsigned char>{0xFB, 0xFF, 7, 0, 0xFF, 0x7F, 0x00, 0x80}));
  const cl_uint natural[4] = {9, 300, 3, 4};
  EXPECT_EQ(filled_with({CL_RGBA, CL_UNSIGNED_INT8}, natural), (std::vector<unsigned char>{9, 255, 3, 4}));

  cl_mem flat = counting();
  const size_t origin[3] = {1, 1, 0}, region[3] = {2, 2, 1}, beyond[3] = {3, 0, 0};
  ASSERT_EQ(clEnqueueFillImage(queue, flat, natural, origin, region, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(texels(flat, {0, 0, 0}, {4, 3, 1}),
            (std::vector<unsigned char>{0, 1, 2, 3, 4, 9, 9, 7, 8, 9, 9, 11}));
  EXPECT_EQ(clEnqueueFillImage(queue, flat, nullptr, origin, region, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueFillImage(queue, flat, natural, beyond, region, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueFillImage(queue, buffer(8), natural, origin, region, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueFillImage(nullptr, flat, natural, origin, region, 0, nullptr, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clEnqueueFillImage(queue, flat, natural, origin, region, 1, nullptr, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
}

TEST_F(Image, MappedRegionsAreTheImages) {
  cl_mem flat = counting();
  const size_t origin[3] = {1, 1, 0}, region[3] = {2, 2, 1};
  size_t row = 0, slice = 77;
  cl_int code = 1;
  auto* mapped =
      static_cast<unsigned char*>(clEnqueueMapImage(queue, flat, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin,
                                                    region, &row, &slice, 0, nullptr, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_GE(row, 2u);
  EXPECT_EQ(slice, 0u);
  EXPECT_EQ(mapped[0], 5);
  EXPECT_EQ(mapped[row + 1], 10);
  mapped[row] = 99;
  EXPECT_EQ(query<cl_uint>(clGetMemObjectInfo, flat, CL_MEM_MAP_COUNT), 1u);
  ASSERT_EQ(clEnqueueUnmapMemObject(queue, flat, mapped, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(texels(flat, {0, 2, 0}, {4, 1, 1}), (std::vector<unsigned char>{8, 99, 10, 11}));

  const auto refused = [&](cl_mem of, const size_t* at, const size_t* size, cl_map_flags flags,
                           size_t* pitch) {
    EXPECT_EQ(
        clEnqueueMapImage(queue, of, CL_TRUE, flags, at, size, pitch, nullptr, 0, nullptr, nullptr, &code),
        nullptr);
    return code;
  };
  const size_t beyond[3] = {3, 0, 0};
  EXPECT_EQ(refused(flat, beyond, region, CL_MAP_READ, &row), CL_INVALID_VALUE);
  EXPECT_EQ(refused(flat, origin, region, CL_MAP_READ, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(refused(flat, origin, region, cl_map_flags{1} << 20, &row), CL_INVALID_VALUE);
  EXPECT_EQ(refused(buffer(64), origin, region, CL_MAP_READ, &row), CL_INVALID_MEM_OBJECT);
  cl_mem solid = image(shape(CL_MEM_OBJECT_IMAGE3D, 4, 3, 2));
  EXPECT_EQ(refused(solid, origin, region, CL_MAP_READ, &row), CL_INVALID_VALUE);  // no place for slices
  cl_mem hidden = image(shape(CL_MEM_OBJECT_IMAGE2D, 4, 3), byte_format, CL_MEM_HOST_NO_ACCESS);
  EXPECT_EQ(refused(hidden, origin, region, CL_MAP_READ, &row), CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueMapImage(nullptr, flat, CL_TRUE, CL_MAP_READ, origin, region, &row, &slice, 0, nullptr,
                              nullptr, &code),
            nullptr);
  EXPECT_EQ(code, CL_INVALID_COMMAND_QUEUE);
}

TEST_F(Image, HostMemoryIsUsedThroughMaps) {
  std::vector<unsigned char> host(24, 1);
  cl_image_desc desc = shape(CL_MEM_OBJECT_IMAGE2D, 4, 3);
  desc.image_row_pitch = 8;
  cl_mem flat = image(desc, byte_format, CL_MEM_USE_HOST_PTR, host.data());
  EXPECT_EQ(query<size_t>(clGetImageInfo, flat, CL_IMAGE_ROW_PITCH), 8u);
  const cl_uint colour[4] = {7, 0, 0, 0};
  const size_t origin[3] = {1, 1, 0}, region[3] = {2, 2, 1};
  ASSERT_EQ(clEnqueueFillImage(queue, flat, colour, origin, region, 0, nullptr, nullptr), CL_SUCCESS);
  size_t row = 0;
  cl_int code = 1;
  auto* mapped =
      static_cast<unsigned char*>(clEnqueueMapImage(queue, flat, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, zero,
                                                    all, &row, nullptr, 0, nullptr, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(mapped, host.data());
  EXPECT_EQ(row, 8u);
  EXPECT_EQ(host[9], 7);
  EXPECT_EQ(host[18], 7);
  EXPECT_EQ(host[11], 1);
  host[0] = 55;
  ASSERT_EQ(clEnqueueUnmapMemObject(queue, flat, mapped, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(texels(flat, {0, 0, 0}, {1, 1, 1})[0], 55);
}

TEST_F(Image, ImagesLieOverBuffers) {
  cl_mem memory = filled(std::vector<unsigned char>(numbers()));
  cl_image_desc desc = shape(CL_MEM_OBJECT_IMAGE1D_BUFFER, 64);
  desc.buffer = memory;
  cl_mem line = image(desc, {CL_RGBA, CL_UNSIGNED_INT8});
  EXPECT_EQ(query<cl_mem>(clGetImageInfo, line, CL_IMAGE_BUFFER), memory);
  EXPECT_EQ(query<cl_mem>(clGetMemObjectInfo, line, CL_MEM_ASSOCIATED_MEMOBJECT), memory);
  const size_t origin[3] = {2, 0, 0}, one[3] = {1, 1, 1};
  unsigned char texel[4] = {};
  ASSERT_EQ(clEnqueueReadImage(queue, line, CL_TRUE, origin, one, 0, 0, texel, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(texel[0], 8);
  EXPECT_EQ(texel[3], 11);
  const unsigned char word[4] = {1, 2, 3, 4};
  ASSERT_EQ(clEnqueueWriteImage(queue, line, CL_TRUE, origin, one, 0, 0, word, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(read<unsigned char>(memory, 12)[11], 4);
  desc.image_width = 65;
  EXPECT_NE(wrong(desc, {CL_RGBA, CL_UNSIGNED_INT8}), CL_SUCCESS);  // beyond the buffer
  desc.image_width = 4;
  desc.image_type = CL_MEM_OBJECT_IMAGE1D;
  EXPECT_EQ(wrong(desc), CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_F(Image, FlatImagesLieOverBuffers) {
  const auto alignment = query<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT);
  if (alignment == 0) GTEST_SKIP() << "no 2D images over buffers";
  cl_mem memory = buffer(3 * alignment);
  cl_image_desc desc = shape(CL_MEM_OBJECT_IMAGE2D, 4, 3);
  desc.image_row_pitch = alignment;
  desc.mem_object = memory;
  cl_mem flat = image(desc);
  const cl_uint colour[4] = {7, 0, 0, 0};
  ASSERT_EQ(clEnqueueFillImage(queue, flat, colour, zero, all, 0, nullptr, nullptr), CL_SUCCESS);
  const auto got = read<unsigned char>(memory, 3 * alignment);
  EXPECT_EQ(got[2 * alignment + 3], 7);
  EXPECT_EQ(got[2 * alignment + 4], 0);
  desc.image_row_pitch = alignment + 1;
  EXPECT_EQ(wrong(desc), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
  cl_mem read_only = buffer(3 * alignment, CL_MEM_READ_ONLY);
  desc.image_row_pitch = alignment;
  desc.mem_object = read_only;
  EXPECT_EQ(wrong(desc, byte_format, CL_MEM_READ_WRITE), CL_INVALID_VALUE);
}

TEST_F(Image, SamplersAnswer) {
  cl_int code = 1;
  cl_sampler made = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(query<cl_bool>(clGetSamplerInfo, made, CL_SAMPLER_NORMALIZED_COORDS), cl_bool{CL_FALSE});
  EXPECT_EQ(query<cl_addressing_mode>(clGetSamplerInfo, made, CL_SAMPLER_ADDRESSING_MODE),
            cl_uint{CL_ADDRESS_CLAMP_TO_EDGE});
  EXPECT_EQ(query<cl_filter_mode>(clGetSamplerInfo, made, CL_SAMPLER_FILTER_MODE), cl_uint{CL_FILTER_LINEAR});
  EXPECT_EQ(query<cl_context>(clGetSamplerInfo, made, CL_SAMPLER_CONTEXT), context);
  EXPECT_EQ(clRetainSampler(made), CL_SUCCESS);
  EXPECT_EQ(query<cl_uint>(clGetSamplerInfo, made, CL_SAMPLER_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseSampler(made), CL_SUCCESS);
  EXPECT_EQ(clGetSamplerInfo(made, 0x1, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetSamplerInfo(nullptr, CL_SAMPLER_CONTEXT, 0, nullptr, nullptr), CL_INVALID_SAMPLER);
  EXPECT_EQ(clReleaseSampler(made), CL_SUCCESS);
  EXPECT_EQ(clReleaseSampler(nullptr), CL_INVALID_SAMPLER);
  EXPECT_EQ(clRetainSampler(nullptr), CL_INVALID_SAMPLER);
  const cl_sampler_properties properties[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
  made = clCreateSamplerWithProperties(context, properties, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(query<cl_bool>(clGetSamplerInfo, made, CL_SAMPLER_NORMALIZED_COORDS), cl_bool{CL_TRUE});
  EXPECT_EQ(query<cl_addressing_mode>(clGetSamplerInfo, made, CL_SAMPLER_ADDRESSING_MODE),
            cl_uint{CL_ADDRESS_CLAMP});
  cl_sampler_properties back[3] = {};
  EXPECT_EQ(clGetSamplerInfo(made, CL_SAMPLER_PROPERTIES, sizeof(back), back, nullptr), CL_SUCCESS);
  EXPECT_EQ(back[1], cl_sampler_properties{CL_FILTER_LINEAR});
  EXPECT_EQ(clReleaseSampler(made), CL_SUCCESS);
}

TEST_F(Image, WrongSamplers) {
  cl_int code = 1;
  EXPECT_EQ(clCreateSampler(nullptr, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateSampler(context, CL_FALSE, 0x1, CL_FILTER_LINEAR, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, 0x1, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateSamplerWithProperties(nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  const cl_sampler_properties unknown[] = {0x1, 2, 0};
  EXPECT_EQ(clCreateSamplerWithProperties(context, unknown, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  const cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE,
                                         CL_FILTER_LINEAR, 0};
  EXPECT_EQ(clCreateSamplerWithProperties(context, twice, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
}

// Reads through a sampler, half a texel off: the mean of two texels.
TEST_F(Image, KernelsSample) {
  cl_program program = built(
      "__kernel void f(__read_only image2d_t in, sampler_t s, __write_only image2d_t out) {\n"
      "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
      "  write_imagef(out, at, read_imagef(in, s, convert_float2(at) + (float2)(1.0f, 0.5f)));\n"
      "}\n",
      "-cl-kernel-arg-info");
  cl_kernel made = kernel(program, "f");
  EXPECT_EQ(query<cl_uint>(clGetKernelInfo, made, CL_KERNEL_NUM_ARGS), 3u);
  cl_kernel_arg_access_qualifier access = 0;
  EXPECT_EQ(clGetKernelArgInfo(made, 2, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof(access), &access, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(access, cl_uint{CL_KERNEL_ARG_ACCESS_WRITE_ONLY});
  std::vector<float> values = {1, 3, 7, 9, 20, 40, 60, 100};
  const cl_image_format format{CL_R, CL_FLOAT};
  cl_mem in = image(shape(CL_MEM_OBJECT_IMAGE2D, 4, 2), format, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                    values.data());
  cl_mem out = image(shape(CL_MEM_OBJECT_IMAGE2D, 4, 2), format, CL_MEM_WRITE_ONLY);
  cl_int code = 1;
  cl_sampler sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  samplers.push_back(sampler);
  ASSERT_EQ(clSetKernelArg(made, 0, sizeof(in), &in), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(made, 1, sizeof(sampler), &sampler), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(made, 2, sizeof(out), &out), CL_SUCCESS);
  const size_t global[2] = {4, 2};
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, made, 2, nullptr, global, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  std::vector<float> got(8);
  const size_t region[3] = {4, 2, 1};
  ASSERT_EQ(clEnqueueReadImage(queue, out, CL_TRUE, zero, region, 0, 0, got.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(got, (std::vector<float>{2, 5, 8, 9, 30, 50, 80, 100}));

  cl_mem memory = buffer(64), solid = image(shape(CL_MEM_OBJECT_IMAGE3D, 4, 2, 2), format);
  EXPECT_EQ(clSetKernelArg(made, 0, sizeof(memory), &memory), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetKernelArg(made, 0, sizeof(out), &out), CL_INVALID_ARG_VALUE);  // write-only, to be read
  EXPECT_EQ(clSetKernelArg(made, 2, sizeof(in), &in), CL_INVALID_ARG_VALUE);
  EXPECT_NE(clSetKernelArg(made, 0, sizeof(solid), &solid), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(made, 0, 4, &in), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(made, 1, sizeof(in), &in), CL_INVALID_SAMPLER);
  EXPECT_EQ(clSetKernelArg(made, 1, 4, &sampler), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(made, 1, sizeof(sampler), nullptr), CL_INVALID_ARG_VALUE);
}

}  // namespace
}  // namespace conformance
