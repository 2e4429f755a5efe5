// Chapters 5.2 and 5.5: buffers and what all memory objects have.
#include "table.h"

namespace conformance {
namespace {

const size_t zero[3] = {0, 0, 0}, box[3] = {4, 2, 1}, far_away[3] = {0, 0, 4096};

cl_int create(cl_context context, cl_mem_flags flags, size_t size, void* host) {
  return made([&](cl_int* code) { return clCreateBuffer(context, flags, size, host, code); });
}

cl_int create_with(cl_context context, cl_mem_properties property, cl_mem_flags flags, size_t size,
                   void* host) {
  const cl_mem_properties list[] = {property, 1, 0};
  return made(
      [&](cl_int* code) { return clCreateBufferWithProperties(context, list, flags, size, host, code); });
}

cl_int part(cl_mem of, cl_mem_flags flags, size_t origin, size_t size) {
  const cl_buffer_region region{origin, size};
  return made([&](cl_int* code) {
    return clCreateSubBuffer(of, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, code);
  });
}

// Reads and writes of buffers, plain and as boxes, from one description of what is wrong.
struct Transfer {
  cl_command_queue queue;
  cl_mem memory;
  size_t offset = 0;
  void* host = nullptr;
  cl_uint count = 0;
  const cl_event* list = nullptr;
};
using Transfers = cl_int (*)(const Transfer&);

cl_int read(const Transfer& t) {
  return clEnqueueReadBuffer(t.queue, t.memory, CL_TRUE, t.offset, 16, t.host, t.count, t.list, nullptr);
}
cl_int write(const Transfer& t) {
  return clEnqueueWriteBuffer(t.queue, t.memory, CL_TRUE, t.offset, 16, t.host, t.count, t.list, nullptr);
}
cl_int read_box(const Transfer& t) {
  const size_t origin[3] = {t.offset, 0, 0};
  return clEnqueueReadBufferRect(t.queue, t.memory, CL_TRUE, origin, zero, box, 16, 0, 16, 0, t.host, t.count,
                                 t.list, nullptr);
}
cl_int write_box(const Transfer& t) {
  const size_t origin[3] = {t.offset, 0, 0};
  return clEnqueueWriteBufferRect(t.queue, t.memory, CL_TRUE, origin, zero, box, 16, 0, 16, 0, t.host,
                                  t.count, t.list, nullptr);
}

void add_transfer(Rows& rows, const char* function, Transfers call, bool reads) {
  add_enqueue(rows, function, true,
              [=](World& w, cl_command_queue queue, cl_uint count, const cl_event* list) {
                return call({queue, w.memory, 0, w.host, count, list});
              });
  rows.push_back({function, CL_INVALID_CONTEXT,
                  [=](World& w) { return call({w.queue, w.foreign, 0, w.host, 0, nullptr}); }});
  rows.push_back({function, CL_INVALID_MEM_OBJECT,
                  [=](World& w) { return call({w.queue, nullptr, 0, w.host, 0, nullptr}); }});
  rows.push_back({function, CL_INVALID_VALUE,
                  [=](World& w) { return call({w.queue, w.memory, 4095, w.host, 0, nullptr}); }});
  rows.push_back({function, CL_INVALID_VALUE,
                  [=](World& w) { return call({w.queue, w.memory, 0, nullptr, 0, nullptr}); }});
  rows.push_back({function, CL_INVALID_OPERATION, [=](World& w) {
                    return call({w.queue, reads ? w.unread : w.unwritten, 0, w.host, 0, nullptr});
                  }});
}

void add_copies(Rows& rows) {
  add_enqueue(rows, "clEnqueueCopyBuffer", false,
              [](World& w, cl_command_queue queue, cl_uint count, const cl_event* list) {
                return clEnqueueCopyBuffer(queue, w.memory, w.other, 0, 0, 16, count, list, nullptr);
              });
  const auto copy = [](World& w, cl_mem from, cl_mem to, size_t at, size_t size) {
    return clEnqueueCopyBuffer(w.queue, from, to, 0, at, size, 0, nullptr, nullptr);
  };
  rows.push_back({"clEnqueueCopyBuffer", CL_INVALID_CONTEXT,
                  [=](World& w) { return copy(w, w.memory, w.foreign, 0, 16); }});
  rows.push_back({"clEnqueueCopyBuffer", CL_INVALID_MEM_OBJECT,
                  [=](World& w) { return copy(w, nullptr, w.other, 0, 16); }});
  rows.push_back({"clEnqueueCopyBuffer", CL_INVALID_MEM_OBJECT,
                  [=](World& w) { return copy(w, w.memory, nullptr, 0, 16); }});
  rows.push_back({"clEnqueueCopyBuffer", CL_INVALID_VALUE,
                  [=](World& w) { return copy(w, w.memory, w.other, 4090, 16); }});
  rows.push_back(
      {"clEnqueueCopyBuffer", CL_INVALID_VALUE, [=](World& w) { return copy(w, w.memory, w.other, 0, 0); }});
  rows.push_back({"clEnqueueCopyBuffer", CL_MEM_COPY_OVERLAP,
                  [=](World& w) { return copy(w, w.memory, w.memory, 8, 16); }});

  add_enqueue(rows, "clEnqueueCopyBufferRect", false,
              [](World& w, cl_command_queue queue, cl_uint count, const cl_event* list) {
                return clEnqueueCopyBufferRect(queue, w.memory, w.other, zero, zero, box, 16, 0, 16, 0, count,
                                               list, nullptr);
              });
  const auto boxes = [](World& w, cl_mem from, cl_mem to, const size_t* origin, size_t pitch) {
    return clEnqueueCopyBufferRect(w.queue, from, to, zero, origin, box, 16, 0, pitch, 0, 0, nullptr,
                                   nullptr);
  };
  rows.push_back({"clEnqueueCopyBufferRect", CL_INVALID_CONTEXT,
                  [=](World& w) { return boxes(w, w.memory, w.foreign, zero, 16); }});
  rows.push_back({"clEnqueueCopyBufferRect", CL_INVALID_MEM_OBJECT,
                  [=](World& w) { return boxes(w, w.memory, nullptr, zero, 16); }});
  rows.push_back({"clEnqueueCopyBufferRect", CL_INVALID_VALUE,
                  [=](World& w) { return boxes(w, w.memory, w.other, far_away, 16); }});
  rows.push_back({"clEnqueueCopyBufferRect", CL_INVALID_VALUE,
                  [=](World& w) { return boxes(w, w.memory, w.other, zero, 3); }});
  rows.push_back({"clEnqueueCopyBufferRect", CL_MEM_COPY_OVERLAP, [=](World& w) {
                    const size_t near_by[3] = {1, 1, 0};
                    return boxes(w, w.memory, w.memory, near_by, 16);
                  }});
}

void add_fill_and_map(Rows& rows) {
  add_enqueue(rows, "clEnqueueFillBuffer", false,
              [](World& w, cl_command_queue queue, cl_uint count, const cl_event* list) {
                return clEnqueueFillBuffer(queue, w.memory, w.host, 4, 0, 16, count, list, nullptr);
              });
  const auto fill = [](World& w, cl_mem memory, const void* pattern, size_t bytes, size_t offset) {
    return clEnqueueFillBuffer(w.queue, memory, pattern, bytes, offset, 16, 0, nullptr, nullptr);
  };
  rows.push_back({"clEnqueueFillBuffer", CL_INVALID_CONTEXT,
                  [=](World& w) { return fill(w, w.foreign, w.host, 4, 0); }});
  rows.push_back({"clEnqueueFillBuffer", CL_INVALID_MEM_OBJECT,
                  [=](World& w) { return fill(w, nullptr, w.host, 4, 0); }});
  rows.push_back(
      {"clEnqueueFillBuffer", CL_INVALID_VALUE, [=](World& w) { return fill(w, w.memory, nullptr, 4, 0); }});
  rows.push_back(
      {"clEnqueueFillBuffer", CL_INVALID_VALUE, [=](World& w) { return fill(w, w.memory, w.host, 3, 0); }});
  rows.push_back({"clEnqueueFillBuffer", CL_INVALID_VALUE,
                  [=](World& w) { return fill(w, w.memory, w.host, 4, 4096); }});

  const auto map = [](cl_command_queue queue, cl_mem memory, cl_map_flags flags, size_t offset, cl_uint count,
                      const cl_event* list) {
    cl_int code = 12345;
    void* place = clEnqueueMapBuffer(queue, memory, CL_TRUE, flags, offset, 16, count, list, nullptr, &code);
    if ((place != nullptr) != (code == CL_SUCCESS)) return 23456;
    if (place != nullptr) return clEnqueueUnmapMemObject(queue, memory, place, 0, nullptr, nullptr);
    return code;
  };
  add_enqueue(rows, "clEnqueueMapBuffer", true,
              [=](World& w, cl_command_queue queue, cl_uint count, const cl_event* list) {
                return map(queue, w.memory, CL_MAP_READ, 0, count, list);
              });
  const auto plain = [map](cl_int code, cl_mem World::* memory, cl_map_flags flags, size_t offset) {
    return Row{"clEnqueueMapBuffer", code,
               [=](World& w) { return map(w.queue, w.*memory, flags, offset, 0, nullptr); }};
  };
  rows.push_back(plain(CL_INVALID_CONTEXT, &World::foreign, CL_MAP_READ, 0));
  rows.push_back({"clEnqueueMapBuffer", CL_INVALID_MEM_OBJECT,
                  [=](World& w) { return map(w.queue, nullptr, CL_MAP_READ, 0, 0, nullptr); }});
  rows.push_back(plain(CL_INVALID_VALUE, &World::memory, CL_MAP_READ, 4095));
  rows.push_back(plain(CL_INVALID_VALUE, &World::memory, 1 << 20, 0));
  rows.push_back(plain(CL_INVALID_OPERATION, &World::unread, CL_MAP_READ, 0));
  rows.push_back(plain(CL_INVALID_OPERATION, &World::unwritten, CL_MAP_WRITE, 0));

  const auto unmap = [](cl_command_queue queue, cl_mem memory, cl_mem mapped, cl_uint count,
                        const cl_event* list, World& w) {
    cl_int code = 12345;
    void* place =
        clEnqueueMapBuffer(w.queue, mapped, CL_TRUE, CL_MAP_READ, 0, 16, 0, nullptr, nullptr, &code);
    if (code != CL_SUCCESS) return 23456;
    code = clEnqueueUnmapMemObject(queue, memory, place, count, list, nullptr);
    if (code != CL_SUCCESS) clEnqueueUnmapMemObject(w.queue, mapped, place, 0, nullptr, nullptr);
    return code;
  };
  add_enqueue(rows, "clEnqueueUnmapMemObject", false,
              [=](World& w, cl_command_queue queue, cl_uint count, const cl_event* list) {
                return unmap(queue, w.memory, w.memory, count, list, w);
              });
  rows.push_back({"clEnqueueUnmapMemObject", CL_INVALID_MEM_OBJECT,
                  [=](World& w) { return unmap(w.queue, nullptr, w.memory, 0, nullptr, w); }});
  rows.push_back({"clEnqueueUnmapMemObject", CL_INVALID_VALUE,
                  [=](World& w) { return unmap(w.queue, w.other, w.memory, 0, nullptr, w); }});
  rows.push_back({"clEnqueueUnmapMemObject", CL_INVALID_CONTEXT,
                  [=](World& w) { return unmap(w.queue, w.foreign, w.memory, 0, nullptr, w); }});

  add_enqueue(rows, "clEnqueueMigrateMemObjects", false,
              [](World& w, cl_command_queue queue, cl_uint count, const cl_event* list) {
                return clEnqueueMigrateMemObjects(queue, 1, &w.memory, 0, count, list, nullptr);
              });
  const auto migrate = [](World& w, cl_uint count, cl_mem memory, cl_mem_migration_flags flags) {
    return clEnqueueMigrateMemObjects(w.queue, count, &memory, flags, 0, nullptr, nullptr);
  };
  rows.push_back({"clEnqueueMigrateMemObjects", CL_INVALID_CONTEXT,
                  [=](World& w) { return migrate(w, 1, w.foreign, 0); }});
  rows.push_back({"clEnqueueMigrateMemObjects", CL_INVALID_MEM_OBJECT,
                  [=](World& w) { return migrate(w, 1, nullptr, 0); }});
  rows.push_back(
      {"clEnqueueMigrateMemObjects", CL_INVALID_VALUE, [=](World& w) { return migrate(w, 0, w.memory, 0); }});
  rows.push_back({"clEnqueueMigrateMemObjects", CL_INVALID_VALUE,
                  [=](World& w) { return migrate(w, 1, w.memory, 1 << 20); }});
}

}  // namespace

Rows buffer_rows() {
  Rows rows = {
      {"clCreateBuffer", CL_SUCCESS, [](World& w) { return create(w.context, 0, 64, nullptr); }},
      {"clCreateBuffer", CL_INVALID_CONTEXT, [](World&) { return create(nullptr, 0, 64, nullptr); }},
      {"clCreateBuffer", CL_INVALID_VALUE,
       [](World& w) { return create(w.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, nullptr); }},
      {"clCreateBuffer", CL_INVALID_BUFFER_SIZE, [](World& w) { return create(w.context, 0, 0, nullptr); }},
      {"clCreateBuffer", CL_INVALID_HOST_PTR, [](World& w) { return create(w.context, 0, 64, w.host); }},
      // More than the device has, in buffers that each are small enough.
      {"clCreateBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE,
       [](World& w) {
         cl_ulong most = 0;
         clGetDeviceInfo(w.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(most), &most, nullptr);
         std::vector<cl_mem> all;
         cl_int code = CL_SUCCESS;
         while (code == CL_SUCCESS && all.size() < 64) {
           const cl_mem made = clCreateBuffer(w.elsewhere, 0, most, nullptr, &code);
           if (made != nullptr) all.push_back(made);
         }
         for (const cl_mem each : all) clReleaseMemObject(each);
         return code;
       }},
      {"clCreateBufferWithProperties", CL_SUCCESS,
       [](World& w) { return create_with(w.context, 0, 0, 64, nullptr); }},
      {"clCreateBufferWithProperties", CL_INVALID_CONTEXT,
       [](World&) { return create_with(nullptr, 0, 0, 64, nullptr); }},
      {"clCreateBufferWithProperties", CL_INVALID_PROPERTY,
       [](World& w) { return create_with(w.context, 0x999, 0, 64, nullptr); }},
      {"clCreateBufferWithProperties", CL_INVALID_VALUE,
       [](World& w) { return create_with(w.context, 0, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, nullptr); }},
      {"clCreateBufferWithProperties", CL_INVALID_BUFFER_SIZE,
       [](World& w) { return create_with(w.context, 0, 0, 0, nullptr); }},
      {"clCreateBufferWithProperties", CL_INVALID_HOST_PTR,
       [](World& w) { return create_with(w.context, 0, CL_MEM_COPY_HOST_PTR, 64, nullptr); }},
      {"clCreateSubBuffer", CL_SUCCESS, [](World& w) { return part(w.memory, 0, 0, 64); }},
      {"clCreateSubBuffer", CL_INVALID_MEM_OBJECT, [](World&) { return part(nullptr, 0, 0, 64); }},
      {"clCreateSubBuffer", CL_INVALID_VALUE, [](World& w) { return part(w.memory, 0, 0, 5000); }},
      {"clCreateSubBuffer", CL_INVALID_VALUE,
       [](World& w) { return part(w.memory, CL_MEM_COPY_HOST_PTR, 0, 64); }},
      {"clCreateSubBuffer", CL_INVALID_BUFFER_SIZE, [](World& w) { return part(w.memory, 0, 0, 0); }},
      {"clCreateSubBuffer", CL_MISALIGNED_SUB_BUFFER_OFFSET,
       [](World& w) { return part(w.memory, 0, 1, 64); }},
      {"clRetainMemObject", CL_SUCCESS, [](World& w) { return clRetainMemObject(w.memory); }},
      {"clRetainMemObject", CL_INVALID_MEM_OBJECT, [](World&) { return clRetainMemObject(nullptr); }},
      {"clReleaseMemObject", CL_SUCCESS, [](World& w) { return clReleaseMemObject(w.memory); }},
      {"clReleaseMemObject", CL_INVALID_MEM_OBJECT, [](World&) { return clReleaseMemObject(nullptr); }},
      {"clSetMemObjectDestructorCallback", CL_SUCCESS,
       [](World& w) { return clSetMemObjectDestructorCallback(w.memory, [](cl_mem, void*) {}, nullptr); }},
      {"clSetMemObjectDestructorCallback", CL_INVALID_MEM_OBJECT,
       [](World&) { return clSetMemObjectDestructorCallback(nullptr, [](cl_mem, void*) {}, nullptr); }},
      {"clSetMemObjectDestructorCallback", CL_INVALID_VALUE,
       [](World& w) { return clSetMemObjectDestructorCallback(w.memory, nullptr, nullptr); }},
      {"clGetMemObjectInfo", CL_SUCCESS,
       [](World& w) { return clGetMemObjectInfo(w.memory, CL_MEM_SIZE, sizeof(w.host), w.host, nullptr); }},
      {"clGetMemObjectInfo", CL_INVALID_MEM_OBJECT,
       [](World&) { return clGetMemObjectInfo(nullptr, CL_MEM_SIZE, 0, nullptr, nullptr); }},
      {"clGetMemObjectInfo", CL_INVALID_VALUE,
       [](World& w) { return clGetMemObjectInfo(w.memory, 0x1, 0, nullptr, nullptr); }},
  };
  add_transfer(rows, "clEnqueueReadBuffer", read, true);
  add_transfer(rows, "clEnqueueWriteBuffer", write, false);
  add_transfer(rows, "clEnqueueReadBufferRect", read_box, true);
  add_transfer(rows, "clEnqueueWriteBufferRect", write_box, false);
  add_copies(rows);
  add_fill_and_map(rows);
  return rows;
}

}  // namespace conformance
