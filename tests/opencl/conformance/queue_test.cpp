// Chapters 5.1, 5.11 to 5.15: queues, events, markers, barriers, profiling.
#include <atomic>
#include <thread>

#include "fixture.h"

namespace conformance {
namespace {

TEST_F(Device, QueuesAnswer) {
  cl_int code = 0;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue made = clCreateCommandQueueWithProperties(context, device, properties, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(query<cl_context>(clGetCommandQueueInfo, made, CL_QUEUE_CONTEXT), context);
  EXPECT_EQ(query<cl_device_id>(clGetCommandQueueInfo, made, CL_QUEUE_DEVICE), device);
  EXPECT_EQ(query<cl_command_queue_properties>(clGetCommandQueueInfo, made, CL_QUEUE_PROPERTIES),
            cl_bitfield{CL_QUEUE_PROFILING_ENABLE});
  cl_queue_properties back[3] = {};
  EXPECT_EQ(clGetCommandQueueInfo(made, CL_QUEUE_PROPERTIES_ARRAY, sizeof(back), back, nullptr), CL_SUCCESS);
  EXPECT_EQ(back[1], cl_queue_properties{CL_QUEUE_PROFILING_ENABLE});
  EXPECT_EQ(clRetainCommandQueue(made), CL_SUCCESS);
  EXPECT_EQ(query<cl_uint>(clGetCommandQueueInfo, made, CL_QUEUE_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseCommandQueue(made), CL_SUCCESS);
  EXPECT_EQ(clGetCommandQueueInfo(made, 0x1, 0, nullptr, nullptr), CL_INVALID_VALUE);
  cl_uint size = 0;
  EXPECT_EQ(clGetCommandQueueInfo(made, CL_QUEUE_SIZE, sizeof(size), &size, nullptr),
            CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(clReleaseCommandQueue(made), CL_SUCCESS);
}

TEST_F(Device, WrongQueues) {
  cl_int code = 0;
  EXPECT_EQ(clCreateCommandQueueWithProperties(context, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_DEVICE);
  const cl_queue_properties unknown[] = {0x777, 1, 0};
  EXPECT_EQ(clCreateCommandQueueWithProperties(context, device, unknown, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  const cl_queue_properties bits[] = {CL_QUEUE_PROPERTIES, cl_queue_properties{1} << 20, 0};
  EXPECT_EQ(clCreateCommandQueueWithProperties(context, device, bits, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
}

TEST_F(Device, UserEventHoldsCommandsBack) {
  cl_mem memory = filled<int>({1, 2, 3, 4});
  cl_event gate = user_event();
  EXPECT_EQ(query<cl_command_type>(clGetEventInfo, gate, CL_EVENT_COMMAND_TYPE), cl_uint{CL_COMMAND_USER});
  EXPECT_EQ(query<cl_command_queue>(clGetEventInfo, gate, CL_EVENT_COMMAND_QUEUE), nullptr);
  EXPECT_EQ(query<cl_context>(clGetEventInfo, gate, CL_EVENT_CONTEXT), context);
  EXPECT_EQ(status(gate), CL_SUBMITTED);
  int out[4] = {};
  cl_event done = nullptr;
  ASSERT_EQ(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, sizeof(out), out, 1, &gate, &done), CL_SUCCESS);
  events.push_back(done);
  EXPECT_EQ(clFlush(queue), CL_SUCCESS);
  EXPECT_GT(status(done), CL_COMPLETE);
  EXPECT_EQ(out[3], 0);
  EXPECT_EQ(clSetUserEventStatus(gate, 5), CL_INVALID_VALUE);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_INVALID_OPERATION);
  EXPECT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
  EXPECT_EQ(out[3], 4);
  EXPECT_EQ(query<cl_command_type>(clGetEventInfo, done, CL_EVENT_COMMAND_TYPE),
            cl_uint{CL_COMMAND_READ_BUFFER});
  EXPECT_EQ(query<cl_command_queue>(clGetEventInfo, done, CL_EVENT_COMMAND_QUEUE), queue);
  EXPECT_EQ(clSetUserEventStatus(done, CL_COMPLETE), CL_INVALID_EVENT);
}

TEST_F(Device, FailedUserEventFailsWhatWaitsForIt) {
  cl_mem memory = filled<int>({7});
  cl_event gate = user_event(), done = nullptr;
  int out = 0;
  ASSERT_EQ(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, sizeof(out), &out, 1, &gate, &done), CL_SUCCESS);
  events.push_back(done);
  EXPECT_EQ(clSetUserEventStatus(gate, -42), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &done), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_LT(status(done), 0);
  EXPECT_EQ(status(gate), -42);
  EXPECT_EQ(out, 0);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(Device, WrongWaits) {
  EXPECT_EQ(clWaitForEvents(0, nullptr), CL_INVALID_VALUE);
  cl_event gate = user_event(), none = nullptr;
  EXPECT_EQ(clWaitForEvents(1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 0, &gate, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 1, &none, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  cl_context elsewhere = other_context();
  cl_int code = 0;
  cl_event foreign = clCreateUserEvent(elsewhere, &code);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 1, &foreign, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueBarrierWithWaitList(queue, 1, &foreign, nullptr), CL_INVALID_CONTEXT);
  const cl_event both[] = {gate, foreign};
  EXPECT_EQ(clWaitForEvents(2, both), CL_INVALID_CONTEXT);
  EXPECT_EQ(clGetEventInfo(gate, 0x1, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetUserEventStatus(foreign, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(foreign), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(elsewhere), CL_SUCCESS);
}

TEST_F(Device, EventsAreCounted) {
  cl_event gate = user_event();
  EXPECT_EQ(query<cl_uint>(clGetEventInfo, gate, CL_EVENT_REFERENCE_COUNT), 1u);
  EXPECT_EQ(clRetainEvent(gate), CL_SUCCESS);
  EXPECT_EQ(query<cl_uint>(clGetEventInfo, gate, CL_EVENT_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
}

TEST_F(Device, CallbacksComeInOrderOfStates) {
  static std::atomic<int> seen[3];
  static std::atomic<int> turn;
  turn = 0;
  for (auto& each : seen) each = -1;
  cl_event gate = user_event(), done = nullptr;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 1, &gate, &done), CL_SUCCESS);
  events.push_back(done);
  for (const cl_int at : {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED}) {
    ASSERT_EQ(clSetEventCallback(
                  done, at,
                  [](cl_event, cl_int state, void*) {
                    if (state >= 0 && state <= 2) seen[state] = turn++;
                  },
                  nullptr),
              CL_SUCCESS);
  }
  EXPECT_EQ(clSetEventCallback(done, CL_COMPLETE, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetEventCallback(done, CL_QUEUED, [](cl_event, cl_int, void*) {}, nullptr), CL_INVALID_VALUE);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  for (int i = 0; i < 2000 && turn != 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(turn, 3);
  EXPECT_LT(seen[CL_SUBMITTED], seen[CL_RUNNING]);
  EXPECT_LT(seen[CL_RUNNING], seen[CL_COMPLETE]);
  // One that comes late is called too.
  static std::atomic<int> late;
  late = 0;
  ASSERT_EQ(
      clSetEventCallback(done, CL_COMPLETE, [](cl_event, cl_int, void*) { late = 1; }, nullptr), CL_SUCCESS);
  for (int i = 0; i < 2000 && late != 1; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(late, 1);
}

// A command nobody waits for must complete after clFlush.
TEST_F(Device, FlushedCommandsComplete) {
  cl_mem memory = filled<int>({5});
  int out = 0;
  cl_event done = nullptr;
  ASSERT_EQ(clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, sizeof(out), &out, 0, nullptr, &done),
            CL_SUCCESS);
  events.push_back(done);
  ASSERT_EQ(clFlush(queue), CL_SUCCESS);
  for (int i = 0; i < 5000 && status(done) != CL_COMPLETE; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(status(done), CL_COMPLETE);
  EXPECT_EQ(out, 5);
}

TEST_F(Device, OutOfOrderQueuesOvertakeAndBarriersHold) {
  cl_int code = 0;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue loose = clCreateCommandQueueWithProperties(context, device, properties, &code);
  if (code == CL_INVALID_QUEUE_PROPERTIES) GTEST_SKIP() << "no out-of-order queues";
  ASSERT_EQ(code, CL_SUCCESS);
  cl_mem memory = filled<int>({1, 2});
  cl_event gate = user_event(), first = nullptr, second = nullptr, barrier = nullptr, third = nullptr,
           marker = nullptr;
  int a = 0, b = 0, c = 0;
  ASSERT_EQ(clEnqueueReadBuffer(loose, memory, CL_FALSE, 0, 4, &a, 1, &gate, &first), CL_SUCCESS);
  ASSERT_EQ(clEnqueueReadBuffer(loose, memory, CL_FALSE, 4, 4, &b, 0, nullptr, &second), CL_SUCCESS);
  ASSERT_EQ(clWaitForEvents(1, &second), CL_SUCCESS);
  EXPECT_EQ(b, 2);
  EXPECT_EQ(a, 0);
  ASSERT_EQ(clEnqueueBarrierWithWaitList(loose, 0, nullptr, &barrier), CL_SUCCESS);
  ASSERT_EQ(clEnqueueReadBuffer(loose, memory, CL_FALSE, 4, 4, &c, 0, nullptr, &third), CL_SUCCESS);
  ASSERT_EQ(clEnqueueMarkerWithWaitList(loose, 0, nullptr, &marker), CL_SUCCESS);
  ASSERT_EQ(clFlush(loose), CL_SUCCESS);
  EXPECT_GT(status(third), CL_COMPLETE);
  EXPECT_GT(status(marker), CL_COMPLETE);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clFinish(loose), CL_SUCCESS);
  EXPECT_EQ(a, 1);
  EXPECT_EQ(c, 2);
  EXPECT_EQ(status(marker), CL_COMPLETE);
  for (cl_event each : {first, second, barrier, third, marker}) events.push_back(each);
  EXPECT_EQ(clReleaseCommandQueue(loose), CL_SUCCESS);
}

TEST_F(Device, ProfilingTimesRise) {
  cl_int code = 0;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue timed = clCreateCommandQueueWithProperties(context, device, properties, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  cl_mem memory = filled<int>(std::vector<int>(1 << 16, 3));
  std::vector<int> out(1 << 16);
  cl_event gate = user_event(), done = nullptr;
  ASSERT_EQ(clEnqueueReadBuffer(timed, memory, CL_FALSE, 0, out.size() * 4, out.data(), 1, &gate, &done),
            CL_SUCCESS);
  events.push_back(done);
  cl_ulong value = 0;
  EXPECT_EQ(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_END, 8, &value, nullptr),
            CL_PROFILING_INFO_NOT_AVAILABLE);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clFinish(timed), CL_SUCCESS);
  cl_ulong before = 0;
  for (const cl_profiling_info name : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                       CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END}) {
    const auto time = query<cl_ulong>(clGetEventProfilingInfo, done, name);
    EXPECT_GE(time, before);
    before = time;
  }
  EXPECT_EQ(clGetEventProfilingInfo(done, 0x1, 8, &value, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetEventProfilingInfo(gate, CL_PROFILING_COMMAND_END, 8, &value, nullptr),
            CL_PROFILING_INFO_NOT_AVAILABLE);
  EXPECT_EQ(clReleaseCommandQueue(timed), CL_SUCCESS);
}

}  // namespace
}  // namespace conformance
