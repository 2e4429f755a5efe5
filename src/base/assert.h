// The project's only macro: a broken invariant stops the program with a sentence. User input never reaches
// one.
#pragma once
#include <cstdio>
#include <cstdlib>

namespace lockstep {

[[noreturn]] inline void assertion_failed(const char* condition, const char* sentence, const char* file,
                                          int line) {
  std::fprintf(stderr, "lockstep: internal error at %s:%d: %s (%s)\n", file, line, sentence, condition);
  std::abort();
}

}  // namespace lockstep

#define LOCKSTEP_ASSERT(condition, sentence) \
  ((condition) ? (void)0 : ::lockstep::assertion_failed(#condition, sentence, __FILE__, __LINE__))
