// What a user can cause: a Diagnostic says what is wrong, where, and what to try. Expected<T> carries one
// instead of a value. Nothing in the library prints or exits; the two doors (cli, opencl) show the
// diagnostics.
#pragma once
#include <string>
#include <utility>
#include <variant>

#include "base/assert.h"
#include "base/types.h"

namespace lockstep {

// A position in a user's file; line and column count from 1, 0 means unknown.
struct Place {
  std::string file;
  u32 line = 0;
  u32 column = 0;

  bool operator==(const Place&) const = default;
};

struct Diagnostic {
  std::string code;  // stable, lower case with dashes: "unknown-instruction"
  Place place;
  std::string message;  // one sentence, or the compiler's own lines unchanged
  std::string hint;     // what to do; may be empty
};

// "file:line:column: error: message [code]" and, on a second line, "  hint: ...".
std::string to_string(const Diagnostic& diagnostic);

// A value, or the diagnostic that says why there is none.
template <class T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Expected(Diagnostic diagnostic) : state_(std::in_place_index<1>, std::move(diagnostic)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() {
    LOCKSTEP_ASSERT(ok(), "value() of a failed Expected");
    return std::get<0>(state_);
  }
  const T& value() const {
    LOCKSTEP_ASSERT(ok(), "value() of a failed Expected");
    return std::get<0>(state_);
  }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Diagnostic& error() const {
    LOCKSTEP_ASSERT(!ok(), "error() of a successful Expected");
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Diagnostic> state_;
};

struct Success {};
using Status = Expected<Success>;  // for what yields no value

}  // namespace lockstep
