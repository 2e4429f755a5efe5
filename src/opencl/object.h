// What every OpenCL object has: the ICD loader's dispatch table first, its kind, and two counts. The
// application's references and the driver's own holds are apart, so that a released buffer lives on while a
// queued command uses it, and so that reference counts answer as the specification says.
#pragma once
#include <CL/cl_icd.h>

#include <atomic>
#include <utility>

#include "base/types.h"

namespace lockstep::opencl {

enum class ObjectKind : u8 { platform, device, context, queue, memory, sampler, program, kernel, event };

// The ICD dispatch table, filled in dispatch.cpp.
extern const cl_icd_dispatch dispatch_table;

struct Object {
  const cl_icd_dispatch* dispatch = &dispatch_table;  // must stay the first member
  const ObjectKind kind;
  const u64 number;                // of no other object of this process
  std::atomic<u32> references{1};  // the application's
  std::atomic<u32> holds{1};       // the driver's own, and one for all of the application's

  explicit Object(ObjectKind of);
  ~Object();
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
};

// Whether the pointer is a living object of this kind. Takes any pointer: what an application passes may be
// anything.
bool is_alive(const void* handle, ObjectKind kind);

void hold(Object* object);
// Destroys the object with its last hold.
void drop(Object* object);

// Holds it if it still is the object of this number, and the application has not released it.
bool hold_if_kept(Object* object, u64 number);

// The application's references. release() gives false when it had none left.
void retain(Object* object);
bool release(Object* object);

// A hold of the driver.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(T* object) : object_(object) {
    if (object_ != nullptr) hold(object_);
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ != nullptr) drop(object_);
  }
  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

// Remembers an object and keeps it alive in no way.
template <class T>
class Weak {
 public:
  Weak() = default;
  Weak(T* object) : object_(object), number_(object != nullptr ? object->number : 0) {}
  bool is_null() const { return object_ == nullptr; }
  // None when the application has released it since, or when it is null.
  Ref<T> get() const {
    if (object_ == nullptr || !hold_if_kept(object_, number_)) return {};
    Ref<T> kept(object_);
    drop(object_);
    return kept;
  }

 private:
  T* object_ = nullptr;
  u64 number_ = 0;
};

}  // namespace lockstep::opencl
