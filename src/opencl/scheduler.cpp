#include "opencl/scheduler.h"

#include "opencl/launch_log.h"
#include "opencl/types.h"
#include "opencl/virtual_clock.h"

namespace lockstep::opencl {
namespace {

using Lock = std::unique_lock<std::mutex>;
using Calls = std::vector<_cl_event::Callback>;

// Moves the event on and takes the callbacks that are due; the mutex is held.
Calls advance(_cl_event& event, cl_int status) {
  event.status = status;
  Calls due;
  for (auto it = event.callbacks.begin(); it != event.callbacks.end();) {
    if (status <= it->at) {
      due.push_back(*it);
      it = event.callbacks.erase(it);
    } else {
      ++it;
    }
  }
  return due;
}

void call(const Calls& due, _cl_event& event, cl_int status) {
  for (const auto& callback : due)
    callback.function(&event, status < 0 ? status : callback.at, callback.data);
}

// Completes the event and lets its dependents go; the mutex is held.
Calls complete(Scheduler& scheduler, _cl_event& event, cl_int status) {
  Calls due = advance(event, status);
  for (auto& [dependent, poisons] : event.dependents) {
    if (status < 0 && poisons) dependent->poisoned = true;
    dependent->earliest_ns = std::max(dependent->earliest_ns, event.times_ns[3]);
    if (--dependent->waits_for == 0) scheduler.ready.emplace(dependent->sequence, dependent);
  }
  event.dependents.clear();
  if (event.queue) {
    event.queue->outstanding.erase(event.sequence);
    event.queue->last_end_ns = std::max(event.queue->last_end_ns, event.times_ns[3]);
    if (event.queue->barrier.get() == &event) event.queue->barrier = {};
    --scheduler.outstanding;
    if (scheduler.outstanding == 0) scheduler.worker_wanted = false;
  }
  return due;
}

u64 nanoseconds(u64 bytes, u64 bytes_per_second) {
  if (bytes == 0 || bytes_per_second == 0) return 0;
  return static_cast<u64>(static_cast<unsigned __int128>(bytes) * 1'000'000'000 / bytes_per_second);
}

// Places the command on the modelled timeline; the mutex is held.
void model_times(Scheduler& scheduler, _cl_event& event) {
  const Machine& machine = event.queue->device->machine;
  const Cost& cost = event.cost;
  const u64 link = integer_or(machine, "host.bytes_per_second", 0);
  const u64 memory = integer_or(machine, "memory.bytes_per_second", 0);
  const u64 duration =
      cost.kernel_ns + std::max(nanoseconds(cost.host_bytes, link), nanoseconds(cost.device_bytes, memory));
  // Where others are before it, the way from the host has passed meanwhile.
  const u64 way = cost.engine == Engine::compute ? integer_or(machine, "host.launch_ns", 0) : 0;
  const u64 earliest = std::max(event.times_ns[0] + way, event.earliest_ns);
  const auto most = [&](const char* key, u64 otherwise) {
    return static_cast<u32>(integer_or(machine, key, otherwise));
  };
  DeviceTimeline& timeline =
      scheduler.timelines
          .try_emplace(event.queue->device, most("host.concurrent_kernels", 1), most("host.copy_engines", 2))
          .first->second;
  DeviceTimeline::Span span{earliest, earliest + duration};
  if (cost.engine == Engine::compute)
    span = timeline.kernel(earliest, duration, cost.share ? *cost.share : DeviceShare{});
  else if (cost.engine != Engine::none)
    span = timeline.copy(cost.engine == Engine::copy_to_host, earliest, duration);
  event.times_ns[1] = event.times_ns[0];
  event.times_ns[2] = span.begin_ns;
  event.times_ns[3] = span.end_ns;
  log_command(event);
}

// Runs the first ready command; the lock is held at entry and at return, not while it runs.
void run_one(Scheduler& scheduler, Lock& lock) {
  Ref<_cl_event> event = std::move(scheduler.ready.begin()->second);
  scheduler.ready.erase(scheduler.ready.begin());
  scheduler.busy = true;
  const bool poisoned = event->poisoned;
  Calls due;
  cl_int status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  auto work = std::move(event->work);
  event->work = nullptr;
  if (!poisoned) {
    event->times_ns[1] = event->times_ns[2] = host_now_ns();
    const bool watched = !event->callbacks.empty();
    if (watched) {
      const Calls submitted = advance(*event, CL_SUBMITTED);
      lock.unlock();
      call(submitted, *event, CL_SUBMITTED);
      lock.lock();
    }
    const Calls running = advance(*event, CL_RUNNING);
    lock.unlock();
    call(running, *event, CL_RUNNING);
    status = work ? guarded([&] { return work(*event); }) : CL_SUCCESS;
    work = nullptr;  // what the command held goes outside the lock
    lock.lock();
  } else {
    lock.unlock();
    work = nullptr;
    lock.lock();
  }
  event->times_ns[3] = host_now_ns();
  if (scheduler.timed) model_times(scheduler, *event);
  if (status < 0 && !poisoned && event->queue) event->queue->faulted = true;
  due = complete(scheduler, *event, status < 0 ? status : CL_COMPLETE);
  scheduler.busy = false;
  scheduler.changed.notify_all();
  // Who is told of the end sees a clock that has come so far.
  if (!due.empty() && scheduler.timed) advance_application_clock(event->times_ns[3]);
  // Outside the lock: callbacks, and perhaps the last use of the event, its queue and the context.
  lock.unlock();
  call(due, *event, status < 0 ? status : CL_COMPLETE);
  event = {};
  lock.lock();
}

void worker_loop(const std::shared_ptr<Scheduler>& scheduler) {
  Lock lock(scheduler->mutex);
  while (!scheduler->stopping) {
    if (scheduler->worker_wanted && !scheduler->busy && !scheduler->ready.empty()) {
      run_one(*scheduler, lock);
    } else {
      scheduler->changed.wait(lock);
    }
  }
}

// Runs commands until `done` holds; the lock is held at entry and at return.
template <class F>
void help_until(Scheduler& scheduler, Lock& lock, F&& done) {
  while (!done()) {
    if (!scheduler.busy && !scheduler.ready.empty()) {
      run_one(scheduler, lock);
    } else {
      scheduler.changed.wait(lock);
    }
  }
}

void depend(_cl_event& later, _cl_event& earlier, bool poisons) {
  if (earlier.status <= CL_COMPLETE) later.earliest_ns = std::max(later.earliest_ns, earlier.times_ns[3]);
  if (earlier.status < 0) {
    if (poisons) later.poisoned = true;
    return;
  }
  if (earlier.status == CL_COMPLETE) return;
  earlier.dependents.emplace_back(Ref<_cl_event>(&later), poisons);
  ++later.waits_for;
}

}  // namespace

u64 host_now_ns() {
  return application_now_ns();
}

void submit(const Ref<_cl_event>& event, std::span<const cl_event> wait_list, Ordering ordering) {
  Scheduler& scheduler = *event->context->scheduler;
  _cl_command_queue& queue = *event->queue;
  const Lock lock(scheduler.mutex);
  event->sequence = scheduler.next_sequence++;
  event->times_ns[0] = scheduler.timed && !has_virtual_clock() ? scheduler.host_ns : host_now_ns();
  event->status = CL_QUEUED;
  for (const cl_event other : wait_list) depend(*event, *other, true);
  if (queue.in_order()) {
    if (!queue.outstanding.empty()) depend(*event, *queue.outstanding.rbegin()->second, false);
  } else if (ordering == Ordering::queue || !wait_list.empty()) {
    if (queue.barrier) depend(*event, *queue.barrier, false);
  } else {
    for (const auto& [sequence, earlier] : queue.outstanding) depend(*event, *earlier, false);
  }
  if (ordering == Ordering::barrier && !queue.in_order()) queue.barrier = event;
  queue.outstanding.emplace(event->sequence, event);
  ++scheduler.outstanding;
  if (event->waits_for == 0) {
    scheduler.ready.emplace(event->sequence, event);
    if (scheduler.worker_wanted) scheduler.changed.notify_all();
  }
}

void flush(_cl_context& context) {
  const std::shared_ptr<Scheduler>& scheduler = context.scheduler;
  const Lock lock(scheduler->mutex);
  if (scheduler->outstanding == 0 || scheduler->worker_wanted) return;
  scheduler->worker_wanted = true;
  if (!scheduler->worker.joinable()) scheduler->worker = std::thread(worker_loop, scheduler);
  scheduler->changed.notify_all();
}

cl_int wait_for(_cl_event& event) {
  const Ref<_cl_context> context = event.context;
  Scheduler& scheduler = *context->scheduler;
  Lock lock(scheduler.mutex);
  const StoppedClock stopped;
  help_until(scheduler, lock, [&] { return event.status <= CL_COMPLETE; });
  scheduler.host_ns = std::max(scheduler.host_ns, event.times_ns[3]);
  if (scheduler.timed) advance_application_clock(event.times_ns[3]);
  return event.status;
}

void wait_for_all(_cl_command_queue& queue) {
  const Ref<_cl_context> context = queue.context;
  Scheduler& scheduler = *context->scheduler;
  Lock lock(scheduler.mutex);
  const u64 last = scheduler.next_sequence;
  const StoppedClock stopped;
  help_until(scheduler, lock,
             [&] { return queue.outstanding.empty() || queue.outstanding.begin()->first >= last; });
  scheduler.host_ns = std::max(scheduler.host_ns, queue.last_end_ns);
  if (scheduler.timed) advance_application_clock(queue.last_end_ns);
}

bool set_user_status(_cl_event& event, cl_int status) {
  Scheduler& scheduler = *event.context->scheduler;
  Calls due;
  {
    const Lock lock(scheduler.mutex);
    if (event.user_set) return false;
    event.user_set = true;
    if (has_virtual_clock()) event.times_ns[3] = application_now_ns();
    due = complete(scheduler, event, status);
    scheduler.changed.notify_all();
  }
  call(due, event, status);
  return true;
}

void abandon(_cl_event& event) {
  if (event.type != CL_COMMAND_USER || event.user_set) return;
  event.callbacks.clear();  // the event that they would be told of is gone
  set_user_status(event, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

cl_int status_of(_cl_event& event) {
  Scheduler& scheduler = *event.context->scheduler;
  Lock lock(scheduler.mutex);
  if (!scheduler.timed || !has_virtual_clock() || !event.queue) return event.status;
  {
    // What takes the host seconds may be over at once on the modelled device: the command runs before the
    // answer, unless it waits for what only the application can do.
    const StoppedClock stopped;
    help_until(scheduler, lock,
               [&] { return event.status <= CL_COMPLETE || (!scheduler.busy && scheduler.ready.empty()); });
  }
  if (event.status != CL_COMPLETE) return event.status;
  const u64 now = application_now_ns();
  if (now >= event.times_ns[3]) return CL_COMPLETE;
  return now >= event.times_ns[2] ? CL_RUNNING : CL_SUBMITTED;
}

bool take_fault(_cl_command_queue& queue) {
  const Lock lock(queue.context->scheduler->mutex);
  return std::exchange(queue.faulted, false);
}

void stop_scheduler(const std::shared_ptr<Scheduler>& scheduler) {
  {
    const Lock lock(scheduler->mutex);
    scheduler->stopping = true;
    scheduler->changed.notify_all();
  }
  if (!scheduler->worker.joinable()) return;
  // The last use may end on the worker itself.
  if (scheduler->worker.get_id() == std::this_thread::get_id())
    scheduler->worker.detach();
  else
    scheduler->worker.join();
}

}  // namespace lockstep::opencl
