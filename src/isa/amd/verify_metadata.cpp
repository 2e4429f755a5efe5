// Source: LLVM, "User Guide for AMDGPU Backend", tables of the code objects' metadata: argument value kinds,
// their sizes and meaning.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "isa/amd/verify.h"

namespace lockstep::amd {
namespace {

// No compiler makes more of them.
constexpr u32 most_argument_bytes = 1 << 20, most_private_bytes = 1 << 24, most_local_bytes = 1 << 20,
              most_work_items = 1024;

// Sizes of hidden arguments in bytes.
const std::map<std::string, u32, std::less<>>& hidden_sizes() {
  static const std::map<std::string, u32, std::less<>> sizes = [] {
    std::map<std::string, u32, std::less<>> made{{"hidden_none", 8},
                                                 {"hidden_grid_dims", 2},
                                                 {"hidden_dynamic_lds_size", 4},
                                                 {"hidden_printf_buffer", 8},
                                                 {"hidden_hostcall_buffer", 8},
                                                 {"hidden_default_queue", 8},
                                                 {"hidden_completion_action", 8},
                                                 {"hidden_multigrid_sync_arg", 8},
                                                 {"hidden_heap_v1", 8},
                                                 {"hidden_private_base", 4},
                                                 {"hidden_shared_base", 4},
                                                 {"hidden_queue_ptr", 8}};
    for (const char* dimension : {"x", "y", "z"}) {
      made[std::string("hidden_block_count_") + dimension] = 4;
      made[std::string("hidden_group_size_") + dimension] = 2;
      made[std::string("hidden_remainder_") + dimension] = 2;
      made[std::string("hidden_global_offset_") + dimension] = 8;
    }
    return made;
  }();
  return sizes;
}

std::string title(const Parameter& parameter) {
  if (!parameter.hidden.empty()) return fmt::format("argument '{}'", parameter.hidden);
  return parameter.name.empty() ? fmt::format("the argument at offset {}", parameter.offset)
                                : fmt::format("argument '{}'", parameter.name);
}

// What is wrong with one argument; empty if nothing is.
std::string wrong_argument(const Parameter& parameter, u32 segment_bytes) {
  if (u64{parameter.offset} + parameter.bytes > segment_bytes)
    return fmt::format("{} ends at byte {} of an argument segment of {} bytes", title(parameter),
                       u64{parameter.offset} + parameter.bytes, segment_bytes);
  u32 wanted = 0;
  switch (parameter.kind) {
    case ParameterKind::value:
      return {};
    case ParameterKind::hidden: {
      const auto known = hidden_sizes().find(parameter.hidden);
      if (known == hidden_sizes().end())
        return fmt::format("{} is of no kind that is known", title(parameter));
      wanted = known->second;
      break;
    }
    case ParameterKind::local_pointer:
      wanted = 4;
      break;
    default:
      wanted = 8;
      break;
  }
  return parameter.bytes == wanted ? std::string()
                                   : fmt::format("{} has {} bytes, where its kind has {}", title(parameter),
                                                 parameter.bytes, wanted);
}

std::string wrong_kernel(const Program& program) {
  const KernelNeeds& needs = program.needs;
  const auto too_large = [](const char* what, u32 is, u32 most) {
    return fmt::format("{} are {}, and {} is the most", what, is, most);
  };
  if (needs.argument_bytes > most_argument_bytes)
    return too_large("the bytes of its arguments", needs.argument_bytes, most_argument_bytes);
  if (needs.private_bytes > most_private_bytes)
    return too_large("a work-item's bytes of private memory", needs.private_bytes, most_private_bytes);
  if (needs.local_bytes > most_local_bytes)
    return too_large("the bytes of its local memory", needs.local_bytes, most_local_bytes);
  if (needs.most_work_items > most_work_items)
    return too_large("the work-items of a group", needs.most_work_items, most_work_items);
  std::vector<const Parameter*> by_offset;
  for (const Parameter& parameter : program.parameters) {
    std::string wrong = wrong_argument(parameter, needs.argument_bytes);
    if (!wrong.empty()) return wrong;
    if (parameter.bytes != 0) by_offset.push_back(&parameter);
  }
  std::sort(by_offset.begin(), by_offset.end(),
            [](const Parameter* a, const Parameter* b) { return a->offset < b->offset; });
  for (std::size_t i = 1; i < by_offset.size(); ++i) {
    const Parameter &before = *by_offset[i - 1], &after = *by_offset[i];
    if (before.offset + before.bytes > after.offset)
      return fmt::format("{} and {} overlap", title(before), title(after));
  }
  return {};
}

}  // namespace

Status verify_metadata(const Module& module, const std::string& name) {
  std::map<std::string_view, u32> named;
  for (const Program& program : module.programs) {
    std::string wrong = program.name.empty()        ? std::string("a kernel without a name")
                        : ++named[program.name] > 1 ? fmt::format("kernel '{}' is there twice", program.name)
                                                    : std::string();
    if (wrong.empty()) {
      wrong = wrong_kernel(program);
      if (!wrong.empty()) wrong = fmt::format("kernel '{}': {}", program.name, wrong);
    }
    if (!wrong.empty())
      return Diagnostic{
          "bad-metadata", {name, 0, 0}, wrong, "the code object is damaged, or was not made by a compiler"};
  }
  return Success{};
}

}  // namespace lockstep::amd
