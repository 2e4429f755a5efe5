// Commands and waiting.
#include "fuzz.h"

namespace fuzz {

void Fuzz::launch() {
  const Waits w = waits();
  const size_t global[3] = {one_in(15) ? number() : 64, one_in(10) ? below(3) : 1, 1};
  const size_t local[3] = {one_in(5) ? below(100) : 64, 1, 1};
  const size_t offset[3] = {one_in(6) ? number() : 0, 0, 0};
  // What a huge range would run must not be run: the fuzzer tests the API.
  if (global[0] > 4096 && global[0] < (size_t{1} << 33)) return;
  const cl_command_queue queue = handle(queues_);
  if (one_in(8))
    table->clEnqueueTask(queue, handle(kernels_), w.count, w.list, w.result);
  else
    table->clEnqueueNDRangeKernel(queue, handle(kernels_), one_in(20) ? below(5) : 1 + below(2),
                                  one_in(2) ? nullptr : offset, one_in(30) ? nullptr : global,
                                  one_in(2) ? nullptr : local, w.count, w.list, w.result);
  keep_event();
}

void Fuzz::transfer() {
  const Waits w = waits();
  const cl_command_queue queue = handle(queues_);
  const cl_mem memory = handle(memories_), other = handle(memories_);
  const size_t offset = one_in(6) ? number() : below(64), size = one_in(6) ? number() : below(256);
  switch (below(6)) {
    case 0:
      table->clEnqueueReadBuffer(queue, memory, blocking(), offset, size, host(), w.count, w.list, w.result);
      break;
    case 1:
      table->clEnqueueWriteBuffer(queue, memory, blocking(), offset, size, host(), w.count, w.list, w.result);
      break;
    case 2:
      table->clEnqueueCopyBuffer(queue, memory, other, offset, below(64), size, w.count, w.list, w.result);
      break;
    case 3:
      table->clEnqueueFillBuffer(queue, memory, host(), among<size_t>({1, 2, 4, 8, 16, 128, 3, 0}), offset,
                                 size, w.count, w.list, w.result);
      break;
    case 4: {
      const cl_mem list[2] = {memory, other};
      table->clEnqueueMigrateMemObjects(queue, below(3), one_in(20) ? nullptr : list,
                                        one_in(10) ? random_() : below(4), w.count, w.list, w.result);
      break;
    }
    default:
      boxes();
      return;
  }
  keep_event();
}

void Fuzz::boxes() {
  const Waits w = waits();
  const cl_command_queue queue = handle(queues_);
  const cl_mem memory = handle(memories_), other = handle(memories_);
  const auto a = origin(), b = origin(), region = triple();
  const size_t row = pitch(128), slice = pitch(2048), host_row = pitch(128), host_slice = pitch(2048);
  // The host's box must lie in the arena: regions that only overflow reach the driver.
  const std::array<size_t, 3> near = {a[0] & 31, a[1], a[2]};
  switch (below(3)) {
    case 0:
      table->clEnqueueReadBufferRect(queue, memory, blocking(), b.data(), near.data(), region.data(), row,
                                     slice, host_row, host_slice, host(), w.count, w.list, w.result);
      break;
    case 1:
      table->clEnqueueWriteBufferRect(queue, memory, blocking(), b.data(), near.data(), region.data(), row,
                                      slice, host_row, host_slice, host(), w.count, w.list, w.result);
      break;
    default:
      table->clEnqueueCopyBufferRect(queue, memory, other, a.data(), b.data(), region.data(), row, slice,
                                     host_row, host_slice, w.count, w.list, w.result);
      break;
  }
  keep_event();
}

void Fuzz::images() {
  const Waits w = waits();
  const cl_command_queue queue = handle(queues_);
  const cl_mem image = handle(memories_), other = handle(memories_);
  const auto a = origin(), b = origin();
  std::array<size_t, 3> region = {1 + below(8), 1 + below(3), 1};
  if (one_in(8)) region = triple();
  switch (below(6)) {
    case 0:
      table->clEnqueueReadImage(queue, image, blocking(), a.data(), region.data(), pitch(1024), pitch(4096),
                                host(), w.count, w.list, w.result);
      break;
    case 1:
      table->clEnqueueWriteImage(queue, image, blocking(), a.data(), region.data(), pitch(1024), pitch(4096),
                                 host(), w.count, w.list, w.result);
      break;
    case 2:
      table->clEnqueueCopyImage(queue, image, other, a.data(), b.data(), region.data(), w.count, w.list,
                                w.result);
      break;
    case 3:
      table->clEnqueueCopyImageToBuffer(queue, image, other, a.data(), region.data(), number(), w.count,
                                        w.list, w.result);
      break;
    case 4:
      table->clEnqueueCopyBufferToImage(queue, image, other, number(), a.data(), region.data(), w.count,
                                        w.list, w.result);
      break;
    default:
      table->clEnqueueFillImage(queue, image, host(), a.data(), region.data(), w.count, w.list, w.result);
      break;
  }
  keep_event();
}

void Fuzz::maps() {
  const Waits w = waits();
  const cl_command_queue queue = handle(queues_);
  const cl_mem memory = handle(memories_);
  cl_int code = 0;
  size_t row = 0, slice = 0;
  const cl_bitfield how = one_in(15) ? random_() : among<cl_bitfield>({1, 2, 3, 4});
  void* place = nullptr;
  switch (below(3)) {
    case 0:
      place =
          table->clEnqueueMapBuffer(queue, memory, blocking(), how, one_in(8) ? number() : below(32),
                                    one_in(8) ? number() : 1 + below(32), w.count, w.list, w.result, &code);
      break;
    case 1: {
      const auto a = origin(), region = triple();
      place = table->clEnqueueMapImage(queue, memory, blocking(), how, a.data(), region.data(), &row,
                                       one_in(3) ? nullptr : &slice, w.count, w.list, w.result, &code);
      break;
    }
    default: {
      std::pair<cl_mem, void*> chosen = {memory, arena_.data()};
      if (!mapped_.empty() && !one_in(6)) {
        chosen = mapped_.back();
        mapped_.pop_back();
      }
      table->clEnqueueUnmapMemObject(queue, chosen.first, chosen.second, w.count, w.list, w.result);
      break;
    }
  }
  if (place != nullptr) mapped_.emplace_back(memory, place);
  keep_event();
}

void Fuzz::synchronise() {
  const cl_command_queue queue = handle(queues_);
  const Waits w = waits();
  switch (below(11)) {
    case 0:
      table->clFlush(queue);
      return;
    case 1:
      set_gates();
      table->clFinish(queue);
      return;
    case 2:
      set_gates();
      table->clWaitForEvents(w.count, w.list);
      return;
    case 3:
      table->clEnqueueMarkerWithWaitList(queue, w.count, w.list, w.result);
      return keep_event();
    case 4:
      table->clEnqueueBarrierWithWaitList(queue, w.count, w.list, w.result);
      return keep_event();
    case 5:
      table->clEnqueueMarker(queue, &event_);
      return keep_event();
    case 6:
      table->clEnqueueBarrier(queue);
      return;
    case 7:
      table->clEnqueueWaitForEvents(queue, w.count, w.list);
      return;
    case 8:
      table->clSetUserEventStatus(handle(events_), among<cl_int>({0, 0, -1, 1, 5}));
      return;
    case 9:
      table->clSetEventCallback(
          handle(events_), static_cast<cl_int>(below(4)), [](cl_event, cl_int, void*) { ++called_back; },
          nullptr);
      return;
    default:
      table->clSetMemObjectDestructorCallback(
          handle(memories_), [](cl_mem, void*) { ++called_back; }, nullptr);
      return;
  }
}

}  // namespace fuzz
