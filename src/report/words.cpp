#include "report/words.h"

namespace lockstep {
namespace {

constexpr Words words_of_amd = {"wave",
                                "work-group",
                                "compute unit",
                                "SIMD",
                                "local memory (LDS)",
                                "private memory (scratch)",
                                "scalar memory",
                                "local memory (LDS)",
                                "bank conflicts in local memory (LDS)",
                                "atomics on one word of local memory (LDS)",
                                "traffic of private memory (scratch)",
                                "latency of scalar memory"};
constexpr Words words_of_nvidia = {"warp",
                                   "block",
                                   "SM",
                                   "sub-partition",
                                   "shared memory",
                                   "local memory (private variables)",
                                   "constant memory",
                                   "shared memory (OpenCL's local memory)",
                                   "bank conflicts in shared memory (OpenCL's local memory)",
                                   "atomics on one word of shared memory (OpenCL's local memory)",
                                   "traffic of local memory (private variables)",
                                   "latency of constant memory"};
constexpr Words words_of_intel = {"EU thread",
                                  "thread group",
                                  "subslice",
                                  "EU",
                                  "local memory (SLM)",
                                  "private memory (scratch)",
                                  "constant memory",
                                  "local memory (SLM)",
                                  "bank conflicts in local memory (SLM)",
                                  "atomics on one word of local memory (SLM)",
                                  "traffic of private memory (scratch)",
                                  "latency of constant memory"};

}  // namespace

const Words& words_of(const Machine& machine) {
  switch (machine.target->isa) {
    case IsaFamily::ptx:
      return words_of_nvidia;
    case IsaFamily::gen:
      return words_of_intel;
    default:
      return words_of_amd;
  }
}

std::string with_article(std::string_view word) {
  const bool vowel = word == "SM" || word.starts_with("EU");  // as they are spelt out
  return (vowel ? "an " : "a ") + std::string(word);
}

}  // namespace lockstep
