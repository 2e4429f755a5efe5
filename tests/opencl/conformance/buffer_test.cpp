// Chapters 5.2 and 5.5: buffers, sub-buffers, transfers, maps.
#include <numeric>

#include "fixture.h"

namespace conformance {
namespace {

TEST_F(Device, BuffersAnswer) {
  cl_mem memory = buffer(1000, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY);
  EXPECT_EQ(query<cl_mem_object_type>(clGetMemObjectInfo, memory, CL_MEM_TYPE),
            cl_uint{CL_MEM_OBJECT_BUFFER});
  EXPECT_EQ(query<cl_mem_flags>(clGetMemObjectInfo, memory, CL_MEM_FLAGS),
            cl_bitfield{CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY});
  EXPECT_EQ(query<size_t>(clGetMemObjectInfo, memory, CL_MEM_SIZE), 1000u);
  EXPECT_EQ(query<void*>(clGetMemObjectInfo, memory, CL_MEM_HOST_PTR), nullptr);
  EXPECT_EQ(query<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT), 0u);
  EXPECT_EQ(query<cl_context>(clGetMemObjectInfo, memory, CL_MEM_CONTEXT), context);
  EXPECT_EQ(query<cl_mem>(clGetMemObjectInfo, memory, CL_MEM_ASSOCIATED_MEMOBJECT), nullptr);
  EXPECT_EQ(query<size_t>(clGetMemObjectInfo, memory, CL_MEM_OFFSET), 0u);
  EXPECT_EQ(clRetainMemObject(memory), CL_SUCCESS);
  EXPECT_EQ(query<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
  EXPECT_EQ(clGetMemObjectInfo(memory, 0x1, 0, nullptr, nullptr), CL_INVALID_VALUE);
}

TEST_F(Device, WrongBuffers) {
  cl_int code = 0;
  int host[4] = {};
  const auto expect = [&](cl_mem_flags flags, size_t size, void* pointer, cl_int wanted) {
    EXPECT_EQ(clCreateBuffer(context, flags, size, pointer, &code), nullptr);
    EXPECT_EQ(code, wanted) << "flags " << flags << ", size " << size;
  };
  expect(CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 16, nullptr, CL_INVALID_VALUE);
  expect(CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY, 16, nullptr, CL_INVALID_VALUE);
  expect(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 16, host, CL_INVALID_VALUE);
  expect(cl_mem_flags{1} << 40, 16, nullptr, CL_INVALID_VALUE);
  expect(CL_MEM_READ_WRITE, 0, nullptr, CL_INVALID_BUFFER_SIZE);
  const auto most = query<cl_ulong>(clGetDeviceInfo, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  expect(CL_MEM_READ_WRITE, most + 1, nullptr, CL_INVALID_BUFFER_SIZE);
  expect(CL_MEM_READ_WRITE, 16, host, CL_INVALID_HOST_PTR);
  expect(CL_MEM_COPY_HOST_PTR, 16, nullptr, CL_INVALID_HOST_PTR);
  expect(CL_MEM_USE_HOST_PTR, 16, nullptr, CL_INVALID_HOST_PTR);
  const cl_mem_properties unknown[] = {0x999, 1, 0};
  EXPECT_EQ(clCreateBufferWithProperties(context, unknown, 0, 16, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PROPERTY);
}

TEST_F(Device, SubBuffersShareTheirParent) {
  const size_t align = query<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  cl_mem parent = buffer(4 * align, CL_MEM_READ_WRITE);
  cl_int code = 0;
  const cl_buffer_region region{align, 2 * align};
  cl_mem part = clCreateSubBuffer(parent, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  memories.insert(memories.begin(), part);
  EXPECT_EQ(query<cl_mem>(clGetMemObjectInfo, part, CL_MEM_ASSOCIATED_MEMOBJECT), parent);
  EXPECT_EQ(query<size_t>(clGetMemObjectInfo, part, CL_MEM_OFFSET), align);
  EXPECT_EQ(query<size_t>(clGetMemObjectInfo, part, CL_MEM_SIZE), 2 * align);
  const std::vector<char> text(2 * align, 'x');
  ASSERT_EQ(clEnqueueWriteBuffer(queue, part, CL_TRUE, 0, text.size(), text.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  const char dot = '.';
  ASSERT_EQ(clEnqueueFillBuffer(queue, parent, &dot, 1, 0, align, 0, nullptr, nullptr), CL_SUCCESS);
  const auto all = read<char>(parent, 3 * align);
  EXPECT_EQ(all[align - 1], '.');
  EXPECT_EQ(all[align], 'x');
  EXPECT_EQ(all[3 * align - 1], 'x');

  const auto expect = [&](cl_mem of, cl_mem_flags flags, cl_buffer_region wrong, cl_int wanted) {
    EXPECT_EQ(clCreateSubBuffer(of, flags, CL_BUFFER_CREATE_TYPE_REGION, &wrong, &code), nullptr);
    EXPECT_EQ(code, wanted) << wrong.origin << ", " << wrong.size;
  };
  expect(parent, 0, {0, 0}, CL_INVALID_BUFFER_SIZE);
  expect(parent, 0, {0, 5 * align}, CL_INVALID_VALUE);
  expect(parent, 0, {align / 2, 4}, CL_MISALIGNED_SUB_BUFFER_OFFSET);
  expect(parent, CL_MEM_USE_HOST_PTR, {0, 4}, CL_INVALID_VALUE);
  expect(part, 0, {0, 4}, CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clCreateSubBuffer(parent, 0, 0x1, &region, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  cl_mem read_only = buffer(256, CL_MEM_READ_ONLY);
  expect(read_only, CL_MEM_READ_WRITE, {0, 4}, CL_INVALID_VALUE);
  // One buffer, though two objects: the copy overlaps.
  EXPECT_EQ(clEnqueueCopyBuffer(queue, parent, part, align, 0, 4, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
}

TEST_F(Device, TransfersMoveTheirBytes) {
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 0);
  cl_mem a = buffer(400), b = buffer(400);
  ASSERT_EQ(clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, 400, values.data(), 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clEnqueueCopyBuffer(queue, a, b, 40, 80, 200, 0, nullptr, nullptr), CL_SUCCESS);
  const short pattern[] = {-1, 77};
  ASSERT_EQ(clEnqueueFillBuffer(queue, b, pattern, sizeof(pattern), 8, 16, 0, nullptr, nullptr), CL_SUCCESS);
  const auto got = read<int>(b, 100);
  EXPECT_EQ(got[20], 10);
  EXPECT_EQ(got[69], 59);
  for (int i = 2; i < 6; ++i) EXPECT_EQ(got[static_cast<size_t>(i)], (77 << 16) | 0xFFFF);
}

TEST_F(Device, WrongTransfers) {
  cl_mem memory = buffer(64);
  int host[16] = {};
  const auto read_code = [&](size_t offset, size_t size, void* to) {
    return clEnqueueReadBuffer(queue, memory, CL_TRUE, offset, size, to, 0, nullptr, nullptr);
  };
  EXPECT_EQ(read_code(60, 8, host), CL_INVALID_VALUE);
  EXPECT_EQ(read_code(0, 8, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(read_code(~size_t{0}, 8, host), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadBuffer(queue, nullptr, CL_TRUE, 0, 4, host, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 60, 8, host, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, 8, nullptr, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueWriteBuffer(queue, nullptr, CL_TRUE, 0, 8, host, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  cl_mem unread = buffer(64, CL_MEM_HOST_WRITE_ONLY), unwritten = buffer(64, CL_MEM_HOST_READ_ONLY),
         hidden = buffer(64, CL_MEM_HOST_NO_ACCESS);
  for (cl_mem each : {unread, hidden})
    EXPECT_EQ(clEnqueueReadBuffer(queue, each, CL_TRUE, 0, 4, host, 0, nullptr, nullptr),
              CL_INVALID_OPERATION);
  for (cl_mem each : {unwritten, hidden})
    EXPECT_EQ(clEnqueueWriteBuffer(queue, each, CL_TRUE, 0, 4, host, 0, nullptr, nullptr),
              CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, memory, memory, 0, 8, 16, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, memory, unread, 56, 0, 16, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, memory, nullptr, 0, 0, 16, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  const auto fill = [&](const void* pattern, size_t size, size_t offset, size_t bytes) {
    return clEnqueueFillBuffer(queue, memory, pattern, size, offset, bytes, 0, nullptr, nullptr);
  };
  EXPECT_EQ(fill(nullptr, 4, 0, 16), CL_INVALID_VALUE);
  EXPECT_EQ(fill(host, 3, 0, 15), CL_INVALID_VALUE);
  EXPECT_EQ(fill(host, 0, 0, 16), CL_INVALID_VALUE);
  EXPECT_EQ(fill(host, 4, 2, 16), CL_INVALID_VALUE);
  EXPECT_EQ(fill(host, 4, 0, 18), CL_INVALID_VALUE);
  EXPECT_EQ(fill(host, 4, 60, 16), CL_INVALID_VALUE);
  cl_context elsewhere = other_context();
  cl_int code = 0;
  cl_mem foreign = clCreateBuffer(elsewhere, 0, 64, nullptr, &code);
  EXPECT_EQ(clEnqueueReadBuffer(queue, foreign, CL_TRUE, 0, 4, host, 0, nullptr, nullptr),
            CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, memory, foreign, 0, 0, 4, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(clReleaseMemObject(foreign), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(elsewhere), CL_SUCCESS);
}

// A 2x2x2 box out of a 4x4x3 one.
TEST_F(Device, BoxesAreCopied) {
  std::vector<unsigned char> volume(48);
  std::iota(volume.begin(), volume.end(), static_cast<unsigned char>(0));
  cl_mem memory = filled(volume), other = filled(std::vector<unsigned char>(48, 0xFF));
  const size_t origin[] = {1, 2, 1}, zero[] = {0, 0, 0}, region[] = {2, 2, 2};
  unsigned char box[8] = {};
  ASSERT_EQ(clEnqueueReadBufferRect(queue, memory, CL_TRUE, origin, zero, region, 4, 16, 0, 0, box, 0,
                                    nullptr, nullptr),
            CL_SUCCESS);
  const unsigned char expected[] = {25, 26, 29, 30, 41, 42, 45, 46};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(box[i], expected[i]);
  ASSERT_EQ(clEnqueueWriteBufferRect(queue, other, CL_TRUE, zero, zero, region, 4, 16, 2, 4, box, 0, nullptr,
                                     nullptr),
            CL_SUCCESS);
  EXPECT_EQ(read<unsigned char>(other, 48)[21], 46);
  ASSERT_EQ(clEnqueueCopyBufferRect(queue, memory, other, origin, origin, region, 4, 16, 4, 16, 0, nullptr,
                                    nullptr),
            CL_SUCCESS);
  EXPECT_EQ(read<unsigned char>(other, 48)[46], 46);

  const size_t empty[] = {0, 1, 1}, far_away[] = {0, 0, 3};
  const auto code = [&](const size_t* from, const size_t* size, size_t row, size_t slice, void* to) {
    return clEnqueueReadBufferRect(queue, memory, CL_TRUE, from, zero, size, row, slice, 0, 0, to, 0, nullptr,
                                   nullptr);
  };
  EXPECT_EQ(code(zero, empty, 4, 16, box), CL_INVALID_VALUE);
  EXPECT_EQ(code(far_away, region, 4, 16, box), CL_INVALID_VALUE);
  EXPECT_EQ(code(zero, region, 1, 16, box), CL_INVALID_VALUE);
  EXPECT_EQ(code(zero, region, 4, 6, box), CL_INVALID_VALUE);
  EXPECT_EQ(code(zero, region, 4, 16, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(code(nullptr, region, 4, 16, box), CL_INVALID_VALUE);
  const size_t near_by[] = {1, 1, 1};
  EXPECT_EQ(clEnqueueCopyBufferRect(queue, memory, memory, zero, near_by, region, 4, 16, 4, 16, 0, nullptr,
                                    nullptr),
            CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clEnqueueCopyBufferRect(queue, memory, memory, zero, far_away, region, 4, 16, 8, 16, 0, nullptr,
                                    nullptr),
            CL_INVALID_VALUE);
}

TEST_F(Device, MappedRegionsAreTheBuffers) {
  cl_mem memory = filled<int>({1, 2, 3, 4});
  cl_int code = -1;
  auto* mapped = static_cast<int*>(clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 4,
                                                      8, 0, nullptr, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(mapped[0], 2);
  mapped[1] = 30;
  EXPECT_EQ(query<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT), 1u);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, memory, &code, 0, nullptr, nullptr), CL_INVALID_VALUE);
  ASSERT_EQ(clEnqueueUnmapMemObject(queue, memory, mapped, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(query<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT), 0u);
  EXPECT_EQ(read<int>(memory, 4), (std::vector<int>{1, 2, 30, 4}));
  EXPECT_EQ(clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 12, 8, 0, nullptr, nullptr, &code),
            nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 8, 0,
                               nullptr, nullptr, &code),
            nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  cl_mem hidden = buffer(16, CL_MEM_HOST_NO_ACCESS);
  EXPECT_EQ(clEnqueueMapBuffer(queue, hidden, CL_TRUE, CL_MAP_READ, 0, 8, 0, nullptr, nullptr, &code),
            nullptr);
  EXPECT_EQ(code, CL_INVALID_OPERATION);
}

TEST_F(Device, HostMemoryIsUsedThroughMaps) {
  std::vector<int> host = {1, 2, 3, 4};
  cl_mem memory = buffer(16, CL_MEM_USE_HOST_PTR, host.data());
  EXPECT_EQ(query<void*>(clGetMemObjectInfo, memory, CL_MEM_HOST_PTR), host.data());
  const int nine = 9;
  ASSERT_EQ(clEnqueueFillBuffer(queue, memory, &nine, 4, 4, 8, 0, nullptr, nullptr), CL_SUCCESS);
  cl_int code = -1;
  void* mapped = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 4, 12, 0, nullptr,
                                    nullptr, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(mapped, host.data() + 1);
  EXPECT_EQ(host, (std::vector<int>{1, 9, 9, 4}));
  host[3] = 44;
  ASSERT_EQ(clEnqueueUnmapMemObject(queue, memory, mapped, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(read<int>(memory, 4), (std::vector<int>{1, 9, 9, 44}));
}

TEST_F(Device, MigrationAndItsErrors) {
  cl_mem memory = buffer(16);
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 1, &memory, CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 0, &memory, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 1, nullptr, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 1, &memory, 1 << 10, 0, nullptr, nullptr), CL_INVALID_VALUE);
  cl_mem none = nullptr;
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 1, &none, 0, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(Device, ReleasedBuffersLiveUntilTheirCommandsEnd) {
  static std::vector<int> calls;
  calls.clear();
  std::vector<int> values = {5, 6};
  cl_int code = 0;
  cl_mem memory = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 8, values.data(), &code);
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(clSetMemObjectDestructorCallback(memory, nullptr, nullptr), CL_INVALID_VALUE);
  static int numbers[] = {1, 2};
  for (int& number : numbers) {
    ASSERT_EQ(clSetMemObjectDestructorCallback(
                  memory, [](cl_mem, void* data) { calls.push_back(*static_cast<int*>(data)); }, &number),
              CL_SUCCESS);
  }
  cl_event gate = user_event();
  int out[2] = {};
  ASSERT_EQ(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, 8, out, 1, &gate, nullptr), CL_SUCCESS);
  ASSERT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
  EXPECT_TRUE(calls.empty());
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(out[1], 6);
  EXPECT_EQ(calls, (std::vector<int>{2, 1}));
}

}  // namespace
}  // namespace conformance
