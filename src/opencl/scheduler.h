// Commands of a context in execution. A command runs when everything that it waits for is complete, one at a
// time, in the order of enqueueing among those that may run. Threads that wait for a command run commands
// meanwhile; a worker thread runs what was flushed and nobody waits for.
#pragma once
#include <CL/cl.h>

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>

#include "base/types.h"
#include "opencl/object.h"
#include "run/device_timeline.h"

namespace lockstep::opencl {

// What a command costs on the modelled device: bytes over the host link and to and from device memory, or a
// kernel's own time. Copies of one engine follow each other; those of different engines overlap, and kernels
// as far as the device has room for them (run/device_timeline.h). The link carries both ways at once, with a
// copy engine for each where the device has two; the first one copies within the device as well.
enum class Engine : u8 { none, copy, copy_to_host, compute };
struct Cost {
  Engine engine = Engine::none;
  u64 host_bytes = 0;
  u64 device_bytes = 0;
  u64 kernel_ns = 0;
  std::shared_ptr<const DeviceShare> share{};  // what the kernel takes of the device; none: all of it
};

struct Scheduler {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<u64, Ref<_cl_event>> ready;  // by sequence
  u64 next_sequence = 1;
  u64 outstanding = 0;         // commands that are not complete
  bool busy = false;           // a thread is running a command
  bool worker_wanted = false;  // something was flushed
  bool stopping = false;
  std::thread worker;

  // The modelled timeline of timed mode, ns since the context was made.
  bool timed = false;
  u64 host_ns = 0;  // as far as the host has waited
  std::map<cl_device_id, DeviceTimeline> timelines;
};

// What a new command waits for beside its wait list.
enum class Ordering : u8 {
  queue,    // what the queue's order demands
  marker,   // every earlier command of the queue
  barrier,  // the same, and every later command waits for it
};

// Puts a command into its queue. `event` has queue, context, type and work.
void submit(const Ref<_cl_event>& event, std::span<const cl_event> wait_list, Ordering ordering);

// Lets the worker run what is in the context's queues.
void flush(_cl_context& context);

// Returns when the event is complete or failed, with its status.
cl_int wait_for(_cl_event& event);
// Returns when every command that is now in the queue is complete.
void wait_for_all(_cl_command_queue& queue);

// A user event's end. False when it was set before.
bool set_user_status(_cl_event& event, cl_int status);

// With the event's last use: who waits for a user event that nobody can set any more fails.
void abandon(_cl_event& event);

// What the application is told: with a virtual clock a command is complete when that clock has passed its
// end.
cl_int status_of(_cl_event& event);

// Whether a command of the queue failed since the last time that this was asked.
bool take_fault(_cl_command_queue& queue);

// Called with the last use of a context.
void stop_scheduler(const std::shared_ptr<Scheduler>& scheduler);

// The host's clock for profiling as the application sees it, ns.
u64 host_now_ns();

}  // namespace lockstep::opencl
