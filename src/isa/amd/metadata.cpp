#include "isa/amd/metadata.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "isa/amd/metadata_v2.h"

namespace lockstep::amd {
namespace {

using nlohmann::json;

// Bytes of a work-item, as PTX's programs with recursion have (isa/nv/module.cpp).
constexpr u32 dynamic_stack_bytes = 16384, largest_frame = 1 << 24;

// Fields of the metadata's maps by name: one that is not there has its default, one of another type is wrong,
// and the first such one is kept for the diagnostic.
struct Fields {
  std::string problem;

  void wrong(const char* key, const char* wanted) {
    if (problem.empty()) problem = fmt::format("'{}' is no {}", key, wanted);
  }
  u32 number_in(const json& value, const char* key) {
    if (value.is_number_unsigned() && value.get<u64>() <= 0xFFFFFFFFu) return value.get<u32>();
    if (value.is_number_integer() && value.get<i64>() >= 0 && value.get<i64>() <= i64{0xFFFFFFFF})
      return value.get<u32>();
    wrong(key, "number of 32 bits");
    return 0;
  }
  u32 number(const json& map, const char* key) {
    const auto at = map.find(key);
    return at != map.end() ? number_in(*at, key) : 0;
  }
  std::string text(const json& map, const char* key) {
    const auto at = map.find(key);
    if (at == map.end()) return {};
    if (at->is_string()) return at->get<std::string>();
    wrong(key, "text");
    return {};
  }
  bool flag(const json& map, const char* key) {
    const auto at = map.find(key);
    if (at == map.end()) return false;
    if (at->is_boolean()) return at->get<bool>();
    wrong(key, "truth value");
    return false;
  }
  void sizes(const json& map, const char* key, std::array<u32, 3>& into) {
    const auto at = map.find(key);
    if (at == map.end()) return;
    if (!at->is_array() || at->size() != 3) return wrong(key, "list of three numbers");
    for (std::size_t i = 0; i < 3; ++i) into[i] = number_in((*at)[i], key);
  }
};

ParameterKind parameter_kind(const std::string& value_kind, const std::string& address_space) {
  if (value_kind == "by_value") return ParameterKind::value;
  if (value_kind == "dynamic_shared_pointer") return ParameterKind::local_pointer;
  if (value_kind == "global_buffer") {
    return address_space == "constant" ? ParameterKind::constant_pointer : ParameterKind::global_pointer;
  }
  if (value_kind == "image") return ParameterKind::image;
  if (value_kind == "sampler") return ParameterKind::sampler;
  return value_kind.starts_with("hidden_") ? ParameterKind::hidden : ParameterKind::value;
}

Parameter parameter(const json& argument, Fields& fields) {
  const std::string value_kind = fields.text(argument, ".value_kind");
  Parameter result;
  result.name = fields.text(argument, ".name");
  result.type_name = fields.text(argument, ".type_name");
  result.kind = parameter_kind(value_kind, fields.text(argument, ".address_space"));
  result.offset = fields.number(argument, ".offset");
  result.bytes = fields.number(argument, ".size");
  result.align = fields.number(argument, ".pointee_align");
  if (result.kind == ParameterKind::hidden) result.hidden = value_kind;
  result.read_only = fields.flag(argument, ".is_const");
  result.is_restrict = fields.flag(argument, ".is_restrict");
  result.is_volatile = fields.flag(argument, ".is_volatile");
  result.access = fields.text(argument, ".access");
  return result;
}

Program program(const json& kernel, Fields& fields) {
  Program result;
  result.name = fields.text(kernel, ".name");
  KernelNeeds& needs = result.needs;
  needs.vector_registers = fields.number(kernel, ".vgpr_count");
  needs.accumulation_registers = fields.number(kernel, ".agpr_count");
  needs.scalar_registers = fields.number(kernel, ".sgpr_count");
  needs.local_bytes = fields.number(kernel, ".group_segment_fixed_size");
  needs.private_bytes = fields.number(kernel, ".private_segment_fixed_size");
  // Recursion, or functions called by address: how much they need the compiler does not know. LLVM, "User
  // Guide for AMDGPU Backend", code object V5 kernel metadata.
  if (fields.flag(kernel, ".uses_dynamic_stack") && needs.private_bytes < largest_frame)
    needs.private_bytes = needs.private_bytes / 16 * 16 + dynamic_stack_bytes;
  needs.argument_bytes = fields.number(kernel, ".kernarg_segment_size");
  if (const u32 most = fields.number(kernel, ".max_flat_workgroup_size")) needs.most_work_items = most;
  fields.sizes(kernel, ".reqd_workgroup_size", needs.required_group);
  fields.sizes(kernel, ".workgroup_size_hint", needs.hinted_group);
  needs.vector_hint = fields.text(kernel, ".vec_type_hint");
  const auto arguments = kernel.find(".args");
  if (arguments == kernel.end()) return result;
  if (!arguments->is_array()) fields.wrong(".args", "list");
  for (const json& argument : *arguments) {
    if (argument.is_object())
      result.parameters.push_back(parameter(argument, fields));
    else
      fields.wrong(".args", "list of maps");
  }
  return result;
}

// Whether MessagePack nests no deeper than any compiler's metadata: its reader calls itself for each level.
// Source: the MessagePack specification, "Formats".
bool shallow(std::span<const u8> bytes) {
  constexpr std::size_t most_levels = 16;
  std::vector<u64> open;  // values still to come, by level
  for (std::size_t at = 0; at < bytes.size();) {
    const u8 head = bytes[at++];
    const auto big_endian = [&](u32 size) {
      u64 value = 0;
      for (; size != 0 && at < bytes.size(); --size) value = value << 8 | bytes[at++];
      return value;
    };
    u64 skipped = 0, values = 0;
    bool structure = false;
    if ((head & 0xE0) == 0xA0) {
      skipped = head & 31;  // a short text
    } else if ((head & 0xE0) == 0x80) {
      structure = true, values = u64{head & 15u} << ((head & 0x10) == 0 ? 1 : 0);  // a short map or array
    } else if (head == 0xDC || head == 0xDD) {
      structure = true, values = big_endian(head == 0xDC ? 2 : 4);
    } else if (head == 0xDE || head == 0xDF) {
      structure = true, values = 2 * big_endian(head == 0xDE ? 2 : 4);
    } else if (head >= 0xC4 && head <= 0xC9) {
      skipped = big_endian(1u << ((head - 0xC4) % 3)) + (head >= 0xC7 ? 1 : 0);  // bytes; an extension's type
    } else if (head >= 0xCA && head <= 0xD3) {
      constexpr u8 sizes[] = {4, 8, 1, 2, 4, 8, 1, 2, 4, 8};
      skipped = sizes[head - 0xCA];
    } else if (head >= 0xD4 && head <= 0xD8) {
      skipped = 1 + (u64{1} << (head - 0xD4));
    } else if (head >= 0xD9 && head <= 0xDB) {
      skipped = big_endian(1u << (head - 0xD9));
    }
    if (skipped > bytes.size() - at) return true;  // the reader sees that it is cut off
    at += skipped;
    if (!open.empty()) --open.back();
    if (structure) open.push_back(values);
    if (open.size() > most_levels) return false;
    while (!open.empty() && open.back() == 0) open.pop_back();
  }
  return true;
}

}  // namespace

Status read_metadata(std::span<const u8> object, const ElfFile& elf, const std::string& name,
                     Module& module) {
  constexpr u32 amdgpu_metadata = 32, version2_metadata = 10;
  for (const ElfNote& note : elf.notes) {
    const bool old = note.owner == "AMD" && note.type == version2_metadata;
    if (!old && (note.owner != "AMDGPU" || note.type != amdgpu_metadata)) continue;
    const std::span<const u8> bytes = object.subspan(note.offset, note.size_bytes);
    json metadata;
    if (old) {
      Expected<json> read = metadata_of_version2(
          std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()), name);
      if (!read) return read.error();
      metadata = std::move(*read);
    } else {
      metadata = shallow(bytes) ? json::from_msgpack(bytes.begin(), bytes.end(), true, false) : json();
    }
    const auto kernels = metadata.is_object() ? metadata.find("amdhsa.kernels") : metadata.end();
    if (metadata.is_discarded() || !metadata.is_object() || kernels == metadata.end() ||
        !kernels->is_array()) {
      return Diagnostic{"bad-metadata", {name, 0, 0}, "the code object's metadata is not readable", ""};
    }
    Fields fields;
    for (const json& kernel : *kernels) {
      if (kernel.is_object())
        module.programs.push_back(program(kernel, fields));
      else
        fields.wrong("amdhsa.kernels", "list of maps");
      if (!fields.problem.empty()) {
        return Diagnostic{"bad-metadata",
                          {name, 0, 0},
                          fmt::format("in the code object's metadata {}", fields.problem),
                          ""};
      }
    }
    const auto formats = metadata.find("amdhsa.printf");
    if (formats != metadata.end() && formats->is_array()) {
      for (const json& format : *formats) {
        if (format.is_string()) module.printf_formats.push_back(format.get<std::string>());
      }
    }
    return Success{};
  }
  return Diagnostic{"bad-metadata",
                    {name, 0, 0},
                    "the code object has no kernel metadata",
                    "it must be a code object of version 2 to 5 for the HSA operating system (amdhsa)"};
}

}  // namespace lockstep::amd
