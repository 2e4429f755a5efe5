// The MUFU's results over whole intervals of 2^23 arguments against those of an H200, as hashes
// (h200-mufu.txt): "FUNCTION FIRST-ARGUMENT'S-BITS FNV-1a-OF-THE-RESULTS'-32-BIT-WORDS". Exit code: 0 all
// equal, 1 not.
#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>

#include "float/float.h"

namespace {

using namespace lockstep;

const std::map<std::string, std::function<f32(f32)>> functions = {
    {"rcp", [](f32 x) { return ptx_rcp_approx_f32(x, true); }},
    {"rsqrt", [](f32 x) { return ptx_rsqrt_approx_f32(x, true); }},
    {"sqrt", [](f32 x) { return ptx_sqrt_approx_f32(x, true); }},
    {"ex2", [](f32 x) { return ptx_ex2_approx_f32(x, true); }},
    {"lg2", [](f32 x) { return ptx_lg2_approx_f32(x, true); }},
    {"sin", ptx_sin_approx_f32},
    {"cos", ptx_cos_approx_f32},
};

}  // namespace

int main() {
  std::ifstream in(LOCKSTEP_SOURCE_DIR "/tests/nvidia/h200-mufu.txt");
  u32 equal = 0, different = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name, first, expected;
    words >> name >> first >> expected;
    const auto function = functions.find(name);
    if (function == functions.end()) {
      fmt::print("FAILED: no function {}\n", name);
      return 1;
    }
    const u32 begin = static_cast<u32>(std::stoul(first, nullptr, 16));
    u64 hash = 0xcbf29ce484222325u;
    for (u32 i = 0; i < 1u << 23; ++i) {
      const u32 result = as_u32(function->second(as_f32(begin + i)));
      for (u32 b = 0; b < 32; b += 8) hash = (hash ^ (result >> b & 0xff)) * 0x100000001b3u;
    }
    const std::string actual = fmt::format("{:016x}", hash);
    if (actual == expected) {
      ++equal;
    } else {
      ++different;
      fmt::print("FAILED {} from {}: hash {}, the GPU's {}\n", name, first, actual, expected);
    }
  }
  fmt::print("{} passed, {} failed\n", equal, different);
  return different == 0 && equal != 0 ? 0 : 1;
}
