#include "compile/bundle.h"

#include <fmt/format.h>

#include <cstring>
#include <vector>

namespace lockstep {
namespace {

constexpr std::string_view magic = "__CLANG_OFFLOAD_BUNDLE__", compressed_magic = "CCOB";

// The processor in an entry's name "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"; empty for the host's.
std::string_view processor(std::string_view name) {
  const std::size_t triple = name.find("amdgcn-amd-amdhsa-");
  if (triple == std::string_view::npos) return {};
  const std::size_t at = name.find("gfx", triple);
  if (at == std::string_view::npos) return {};
  name.remove_prefix(at);
  return name.substr(0, name.find(':'));
}

}  // namespace

bool is_bundle(std::string_view bytes) {
  return bytes.starts_with(magic) || bytes.starts_with(compressed_magic);
}

Expected<std::string> take_from_bundle(std::string_view bytes, const Target& target,
                                       const std::string& path) {
  const Place place{path, 0, 0};
  if (bytes.starts_with(compressed_magic))
    return Diagnostic{
        "bad-bundle", place, "this bundle of code objects is compressed",
        "take one out with clang-offload-bundler -unbundle, or build with --no-offload-compress"};
  std::size_t at = magic.size();
  bool whole = true;
  const auto number = [&] {
    u64 value = 0;
    whole = whole && bytes.size() - at >= sizeof value;
    if (whole) {
      std::memcpy(&value, bytes.data() + at, sizeof value);
      at += sizeof value;
    }
    return value;
  };
  const u64 entries = number();
  std::vector<std::string> others;
  for (u64 i = 0; i < entries && whole; ++i) {
    const u64 offset = number(), size = number(), name_bytes = number();
    if (!whole || name_bytes > bytes.size() - at || offset > bytes.size() || size > bytes.size() - offset) {
      whole = false;
      break;
    }
    const std::string_view gpu = processor(bytes.substr(at, name_bytes));
    at += name_bytes;
    if (gpu == target.compiler_target) return std::string(bytes.substr(offset, size));
    if (!gpu.empty()) others.emplace_back(gpu);
  }
  if (!whole) return Diagnostic{"bad-bundle", place, "this bundle of code objects is cut off", ""};
  return Diagnostic{
      "wrong-target", place,
      fmt::format("the bundle has no code object for {}, only for {}", target.compiler_target,
                  others.empty() ? "no GPU at all" : fmt::format("{}", fmt::join(others, ", "))),
      "choose a GPU of one of these targets, or compile the source again"};
}

}  // namespace lockstep
