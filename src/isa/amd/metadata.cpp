#include "isa/amd/metadata.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "isa/amd/metadata_v2.h"

namespace lockstep::amd {
namespace {

using nlohmann::json;

u32 number(const json& map, const char* key) {
  const auto at = map.find(key);
  return at != map.end() && at->is_number() ? at->get<u32>() : 0;
}

std::string text(const json& map, const char* key) {
  const auto at = map.find(key);
  return at != map.end() && at->is_string() ? at->get<std::string>() : std::string();
}

bool flag(const json& map, const char* key) {
  const auto at = map.find(key);
  return at != map.end() && at->is_boolean() && at->get<bool>();
}

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

Parameter parameter(const json& argument) {
  const std::string value_kind = text(argument, ".value_kind");
  Parameter result;
  result.name = text(argument, ".name");
  result.type_name = text(argument, ".type_name");
  result.kind = parameter_kind(value_kind, text(argument, ".address_space"));
  result.offset = number(argument, ".offset");
  result.bytes = number(argument, ".size");
  result.align = number(argument, ".pointee_align");
  if (result.kind == ParameterKind::hidden) result.hidden = value_kind;
  result.read_only = flag(argument, ".is_const");
  result.is_restrict = flag(argument, ".is_restrict");
  result.is_volatile = flag(argument, ".is_volatile");
  result.access = text(argument, ".access");
  return result;
}

Program program(const json& kernel) {
  Program result;
  result.name = text(kernel, ".name");
  KernelNeeds& needs = result.needs;
  needs.vector_registers = number(kernel, ".vgpr_count");
  needs.accumulation_registers = number(kernel, ".agpr_count");
  needs.scalar_registers = number(kernel, ".sgpr_count");
  needs.local_bytes = number(kernel, ".group_segment_fixed_size");
  needs.private_bytes = number(kernel, ".private_segment_fixed_size");
  needs.argument_bytes = number(kernel, ".kernarg_segment_size");
  if (const u32 most = number(kernel, ".max_flat_workgroup_size")) needs.most_work_items = most;
  const auto sizes = [&](const char* key, std::array<u32, 3>& into) {
    const auto found = kernel.find(key);
    if (found == kernel.end() || !found->is_array() || found->size() != 3) return;
    for (std::size_t i = 0; i < 3; ++i) into[i] = (*found)[i].get<u32>();
  };
  sizes(".reqd_workgroup_size", needs.required_group);
  sizes(".workgroup_size_hint", needs.hinted_group);
  needs.vector_hint = text(kernel, ".vec_type_hint");
  const auto arguments = kernel.find(".args");
  if (arguments != kernel.end() && arguments->is_array()) {
    for (const json& argument : *arguments) result.parameters.push_back(parameter(argument));
  }
  return result;
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
      metadata = json::from_msgpack(bytes.begin(), bytes.end(), true, false);
    }
    const auto kernels = metadata.is_object() ? metadata.find("amdhsa.kernels") : metadata.end();
    if (metadata.is_discarded() || !metadata.is_object() || kernels == metadata.end() ||
        !kernels->is_array()) {
      return Diagnostic{"bad-metadata", {name, 0, 0}, "the code object's metadata is not readable", ""};
    }
    for (const json& kernel : *kernels) module.programs.push_back(program(kernel));
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
