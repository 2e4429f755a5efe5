#include "opencl/object.h"

#include <shared_mutex>
#include <unordered_map>

#include "opencl/types.h"

namespace lockstep::opencl {
namespace {

// Living objects. Never destroyed: applications release objects from their own static destructors.
struct Registry {
  std::shared_mutex mutex;
  std::unordered_map<const void*, ObjectKind> objects;
};

Registry& registry() {
  static Registry* const the_registry = new Registry;
  return *the_registry;
}

void destroy_context(cl_context context) {
  for (auto it = context->destructors.rbegin(); it != context->destructors.rend(); ++it)
    it->first(context, it->second);
  stop_scheduler(context->scheduler);
  delete context;
}

void destroy_memory(cl_mem memory) {
  for (auto it = memory->destructors.rbegin(); it != memory->destructors.rend(); ++it)
    it->first(memory, it->second);
  delete memory;
}

void destroy(Object* object) {
  switch (object->kind) {
    case ObjectKind::platform:
    case ObjectKind::device:
      return;  // they live as long as the process
    case ObjectKind::context:
      return destroy_context(static_cast<cl_context>(object));
    case ObjectKind::queue:
      delete static_cast<cl_command_queue>(object);
      return;
    case ObjectKind::memory:
      return destroy_memory(static_cast<cl_mem>(object));
    case ObjectKind::sampler:
      delete static_cast<cl_sampler>(object);
      return;
    case ObjectKind::program:
      delete static_cast<cl_program>(object);
      return;
    case ObjectKind::kernel:
      delete static_cast<cl_kernel>(object);
      return;
    case ObjectKind::event:
      abandon(*static_cast<cl_event>(object));
      delete static_cast<cl_event>(object);
      return;
  }
}

}  // namespace

namespace {
std::atomic<u64> made{0};
}

Object::Object(ObjectKind of) : kind(of), number(++made) {
  const std::unique_lock lock(registry().mutex);
  registry().objects[this] = of;
}

Object::~Object() {
  const std::unique_lock lock(registry().mutex);
  registry().objects.erase(this);
}

bool is_alive(const void* handle, ObjectKind kind) {
  const std::shared_lock lock(registry().mutex);
  const auto found = registry().objects.find(handle);
  return found != registry().objects.end() && found->second == kind;
}

bool hold_if_kept(Object* object, u64 number) {
  // Who is in the registry is not freed while this is locked.
  const std::shared_lock lock(registry().mutex);
  if (!registry().objects.contains(object) || object->number != number || object->references == 0)
    return false;
  u32 holds = object->holds.load(std::memory_order_relaxed);
  do {
    if (holds == 0) return false;  // being destroyed
  } while (!object->holds.compare_exchange_weak(holds, holds + 1, std::memory_order_acq_rel));
  return true;
}

void hold(Object* object) {
  object->holds.fetch_add(1, std::memory_order_relaxed);
}

void drop(Object* object) {
  if (object->holds.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(object);
}

void retain(Object* object) {
  // A query can hand out an object that the application has released and that only the driver holds.
  if (object->references.fetch_add(1, std::memory_order_relaxed) == 0) hold(object);
}

bool release(Object* object) {
  u32 count = object->references.load(std::memory_order_relaxed);
  do {
    if (count == 0) return false;
  } while (!object->references.compare_exchange_weak(count, count - 1, std::memory_order_acq_rel));
  if (count == 1) drop(object);
  return true;
}

}  // namespace lockstep::opencl
