#include "isa/gen/zebin_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include "base/take_line.h"
#include "isa/image_descriptor.h"

namespace lockstep::gen {
namespace {

Diagnostic bad(const std::string& name, std::string message) {
  return {"bad-assembly", {name, 0, 0}, std::move(message), ""};
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') text = text.substr(1, text.size() - 2);
  return text;
}

struct Line {
  std::size_t indent = 0;
  bool item = false;  // begins with "- "
  std::string_view key, value;
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (line.starts_with("---") || line.starts_with("...")) continue;
    Line made;
    made.indent = line.find_first_not_of(' ');
    if (made.indent == line.npos) continue;
    line.remove_prefix(made.indent);
    if (line.starts_with('#')) continue;
    if (line.starts_with("- ")) {
      made.item = true;
      const std::size_t skip = line.find_first_not_of(' ', 1);
      if (skip == line.npos) continue;
      made.indent += skip;
      line.remove_prefix(skip);
    }
    const std::size_t colon = line.find(':');
    made.key = line.substr(0, colon);
    if (colon != line.npos) made.value = trimmed(line.substr(colon + 1));
    lines.push_back(made);
  }
  return lines;
}

// The lines that stand as far to the right as the first one, with what is below each.
std::vector<InfoNode> nodes_of(const std::vector<Line>& lines, std::size_t& at, std::size_t indent,
                               u32 depth) {
  std::vector<InfoNode> nodes;
  while (at < lines.size() && lines[at].indent >= indent && depth < 16) {
    const bool item = lines[at].item;
    InfoNode node{std::string(lines[at].key), std::string(lines[at].value), {}, false};
    const std::size_t own = lines[at].indent;
    ++at;
    if (at < lines.size() && lines[at].indent > own)
      node.children = nodes_of(lines, at, lines[at].indent, depth + 1);
    if (item) nodes.push_back({"", "", {}, true});
    if (nodes.empty() || !nodes.back().item)
      nodes.push_back(std::move(node));
    else
      nodes.back().children.push_back(std::move(node));
  }
  return nodes;
}

struct FieldName {
  std::string_view name;
  PayloadField::Kind kind;
};
using Kind = PayloadField::Kind;
constexpr FieldName field_names[] = {
    {"global_id_offset", Kind::global_offset},
    {"local_size", Kind::local_size},
    {"enqueued_local_size", Kind::enqueued_local_size},
    {"group_count", Kind::group_count},
    {"global_size", Kind::global_size},
    {"work_dimensions", Kind::work_dimensions},
    {"arg_byvalue", Kind::argument_value},
    {"buffer_address", Kind::argument_address},
    {"buffer_offset", Kind::buffer_offset},
    {"private_base_stateless", Kind::private_base},
    {"data_global_buffer", Kind::global_base},
    {"data_const_buffer", Kind::constant_base},
    {"printf_buffer", Kind::printf_buffer},
    {"image_width", Kind::image_width},
    {"image_height", Kind::image_height},
    {"image_depth", Kind::image_depth},
    {"image_array_size", Kind::image_array},
    {"image_num_samples", Kind::zero},
    {"image_num_mip_levels", Kind::zero},
    {"image_channel_order", Kind::image_channel_order},
    {"image_channel_data_type", Kind::image_channel_type},
    {"sampler_normalized", Kind::sampler_normalized},
    {"sampler_address", Kind::sampler_address},
    {"sampler_snap_wa", Kind::sampler_snap},
};

constexpr u32 most_thread_bytes = u32{1} << 24;
constexpr u32 most_parameter_bytes = 65536;
// "Skylake PRM, volume 7: 3D-Media-GPGPU": 64 KB of a subslice's L3 for a thread group.
constexpr u32 most_local_bytes = 65536;
// Messages name one of 16.
constexpr u32 most_samplers = 16;

bool describes_image_or_sampler(Kind kind) {
  return kind >= Kind::image_width && kind <= Kind::sampler_snap;
}

std::string_view space_of(std::string_view qualifier) {
  while (qualifier.starts_with('_')) qualifier.remove_prefix(1);
  return qualifier;
}

// The bytes of a parameter's type: "float;4" says so behind the semicolon.
u32 type_bytes(std::string_view type) {
  const std::size_t at = type.rfind(';');
  u32 bytes = 0;
  if (at != type.npos) std::from_chars(type.data() + at + 1, type.data() + type.size(), bytes);
  return bytes;
}

void describe_parameter(const InfoNode& one, KernelInfo& info) {
  const u32 index = one.number("index");
  if (index >= 4096) return;
  if (info.parameters.size() <= index) info.parameters.resize(index + 1);
  Parameter& parameter = info.parameters[index];
  parameter.name = one.text("name");
  const std::string_view type = one.text("type_name");
  parameter.type_name = type.substr(0, type.rfind(';'));
  parameter.bytes = type_bytes(type);
  const std::string_view space = space_of(one.text("address_qualifier"));
  const bool pointer = parameter.type_name.ends_with('*');
  if (parameter.type_name == "sampler_t") {
    parameter.kind = ParameterKind::sampler;
  } else if (parameter.type_name.starts_with("image")) {
    parameter.kind = ParameterKind::image;
  } else if (pointer) {
    parameter.kind = space == "constant" ? ParameterKind::constant_pointer
                     : space == "local"  ? ParameterKind::local_pointer
                                         : ParameterKind::global_pointer;
  }
  if (parameter.kind != ParameterKind::value) parameter.bytes = 8;
  parameter.align = parameter.bytes;
  std::string words = " ";
  for (const char c : one.text("type_qualifiers")) words += c == ',' ? ' ' : c;
  words += ' ';
  parameter.read_only = words.find(" const ") != words.npos;
  parameter.is_restrict = words.find(" restrict ") != words.npos;
  parameter.is_volatile = words.find(" volatile ") != words.npos;
  std::string_view access = one.text("access_qualifier");
  while (access.starts_with('_')) access.remove_prefix(1);
  if (access == "read_only" || access == "write_only" || access == "read_write") parameter.access = access;
}

// A parameter that the names leave out.
Parameter& parameter_of(KernelInfo& info, u32 index) {
  if (info.parameters.size() <= index) info.parameters.resize(index + 1);
  return info.parameters[index];
}

Status add_field(const InfoNode& one, KernelInfo& info, const std::string& name) {
  const std::string_view type = one.text("arg_type");
  PayloadField field;
  field.offset = one.number("offset");
  field.bytes = one.number("size");
  field.argument = one.number("arg_index");
  field.source_offset = one.number("source_offset");
  if (field.argument >= 4096 || field.offset > 65536 || field.bytes > 65536)
    return bad(name, "a payload argument beyond what there is");
  if (type == "arg_bypointer") {
    Parameter& parameter = parameter_of(info, field.argument);
    const std::string_view mode = one.text("addrmode"), space = one.text("addrspace");
    if (mode == "bindless")
      return Diagnostic{"not-supported", {name, 0, 0}, "bindless arguments are not supported", ""};
    if (space == "sampler") {
      parameter.kind = ParameterKind::sampler;
      const u32 index = one.number("sampler_index");
      if (index >= most_samplers) return bad(name, "more samplers than there are");
      info.program.samplers.push_back({index, field.argument, 0});
    } else if (space == "image") {
      parameter.kind = ParameterKind::image;
    } else if (mode == "slm") {
      parameter.kind = ParameterKind::local_pointer;
      parameter.align =
          std::max(parameter.align, std::max(one.number("slm_alignment"), one.number("alignment")));
    } else {
      parameter.kind = space == "constant" ? ParameterKind::constant_pointer : ParameterKind::global_pointer;
    }
    parameter.bytes = 8;
    if (field.bytes == 0) return Success{};
    field.kind = mode == "slm" ? Kind::argument_local : Kind::argument_address;
    info.program.fields.push_back(field);
    return Success{};
  }
  const auto known = std::find_if(std::begin(field_names), std::end(field_names),
                                  [&](const FieldName& entry) { return entry.name == type; });
  if (known == std::end(field_names))
    return Diagnostic{
        "not-supported", {name, 0, 0}, fmt::format("the payload argument '{}' is not supported", type), ""};
  field.kind = known->kind;
  if (field.kind == Kind::argument_value) {
    const bool named =
        field.argument < info.parameters.size() && !info.parameters[field.argument].type_name.empty();
    Parameter& parameter = parameter_of(info, field.argument);
    if (!named) parameter.bytes = std::max(parameter.bytes, field.source_offset + field.bytes);
  }
  if (describes_image_or_sampler(field.kind)) {
    std::vector<u32>& described = info.program.described;
    const auto known = std::find(described.begin(), described.end(), field.argument);
    field.described = static_cast<u32>(known - described.begin());
    if (known == described.end()) described.push_back(field.argument);
  }
  info.program.fields.push_back(field);
  return Success{};
}

struct SamplerWord {
  std::string_view name;
  u32 bits;
};
constexpr SamplerWord sampler_words[] = {
    {"none", 0},
    {"repeat", sampler_bits::repeat},
    {"clamp_edge", sampler_bits::clamp_to_edge},
    {"clamp_border", sampler_bits::clamp},
    {"mirror", sampler_bits::mirrored_repeat},
    {"nearest", 0},
    {"linear", sampler_bits::linear},
};

// A sampler that the source has.
Status add_sampler(const InfoNode& one, KernelInfo& info, const std::string& name) {
  SamplerEntry made;
  made.index = one.number("sampler_index");
  if (made.index >= most_samplers) return bad(name, "more samplers than there are");
  for (const std::string_view key : {"addrmode", "filtermode"}) {
    const std::string_view word = one.text(key);
    const auto known = std::find_if(std::begin(sampler_words), std::end(sampler_words),
                                    [&](const SamplerWord& entry) { return entry.name == word; });
    if (known == std::end(sampler_words))
      return Diagnostic{"not-supported",
                        {name, 0, 0},
                        fmt::format("a sampler whose {} is '{}' is not supported", key, word),
                        ""};
    made.bits |= known->bits;
  }
  if (one.text("normalized") == "true") made.bits |= sampler_bits::normalized;
  info.program.samplers.push_back(made);
  return Success{};
}

// What launches take for granted: who made the object need not have meant well.
Status check_description(KernelInfo& info, const std::string& name) {
  const auto wrong = [&](std::string_view what) {
    return bad(name, fmt::format("kernel '{}': {}", info.name, what));
  };
  for (Parameter& parameter : info.parameters) {
    if (parameter.bytes == 0) parameter.bytes = 8;
    if (parameter.bytes > most_parameter_bytes) return wrong("a parameter larger than there are");
    if (parameter.kind == ParameterKind::local_pointer &&
        (parameter.align > most_local_bytes || std::popcount(parameter.align) > 1))
      return wrong("local memory at an alignment that there is not");
  }
  // The payload lies in registers, behind r0 and the work-items' numbers.
  const u32 begin = file::register_bytes * (1 + info.program.thread_registers);
  for (const PayloadField& field : info.program.fields) {
    const bool of_argument = field.kind == Kind::argument_value || field.kind == Kind::argument_address ||
                             field.kind == Kind::argument_local;
    if (of_argument && field.argument >= info.parameters.size())
      return wrong("the payload has an argument that the kernel has not");
    if (begin + field.offset + field.bytes > file::address)
      return wrong("a payload larger than the registers");
  }
  if (info.needs.local_bytes > most_local_bytes)
    return wrong(fmt::format("{} bytes of local memory, of which a group can have {}", info.needs.local_bytes,
                             most_local_bytes));
  return Success{};
}

// "[ 8, 4, 1 ]"
void take_sizes(std::string_view text, std::array<u32, 3>& sizes) {
  for (u32& size : sizes) {
    const std::size_t at = text.find_first_of("0123456789");
    if (at == text.npos) return;
    const char* end = std::from_chars(text.data() + at, text.data() + text.size(), size).ptr;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
}

}  // namespace

const InfoNode* InfoNode::find(std::string_view name) const {
  for (const InfoNode& child : children)
    if (child.key == name) return &child;
  return nullptr;
}
std::string_view InfoNode::text(std::string_view name) const {
  const InfoNode* node = find(name);
  return node == nullptr ? std::string_view() : std::string_view(node->value);
}
u32 InfoNode::number(std::string_view name) const {
  const std::string_view word = text(name);
  u32 value = 0;
  std::from_chars(word.data(), word.data() + word.size(), value);
  return value;
}

Expected<InfoNode> parse_info(std::string_view text, const std::string& name) {
  const std::vector<Line> lines = lines_of(text);
  InfoNode root;
  std::size_t at = 0;
  if (!lines.empty()) root.children = nodes_of(lines, at, lines[0].indent, 0);
  if (at < lines.size())
    return bad(name, "the kernels' description (.ze_info) is not laid out as it should be");
  return root;
}

Expected<KernelInfo> kernel_info(const InfoNode& kernel, const InfoNode* names, const std::string& name) {
  KernelInfo info;
  info.name = kernel.text("name");
  const InfoNode* environment = kernel.find("execution_env");
  if (environment == nullptr) return bad(name, fmt::format("kernel '{}' has no execution_env", info.name));
  info.simd = environment->number("simd_size");
  if (info.simd != 8 && info.simd != 16 && info.simd != 32)
    return Diagnostic{
        "not-supported",
        {name, 0, 0},
        fmt::format("kernel '{}' runs {} work-items in a thread, not 8, 16 or 32", info.name, info.simd),
        ""};
  if (environment->number("grf_count") != 128)
    return Diagnostic{
        "not-supported",
        {name, 0, 0},
        fmt::format("kernel '{}' has {} registers, not 128", info.name, environment->number("grf_count")),
        ""};
  info.needs.wave_lanes = info.simd;
  info.needs.vector_registers = 128;
  info.needs.barriers = environment->number("barrier_count");
  info.needs.local_bytes = environment->number("slm_size");
  info.needs.most_work_items = 256;
  take_sizes(environment->text("required_work_group_size"), info.needs.required_group);
  if (const InfoNode* attributes = kernel.find("user_attributes")) {
    take_sizes(attributes->text("work_group_size_hint"), info.needs.hinted_group);
    info.needs.vector_hint = attributes->text("vec_type_hint");
  }
  if (names != nullptr) {
    if (const InfoNode* list = names->find("args_info")) {
      for (const InfoNode& one : list->children) describe_parameter(one, info);
    }
  }
  if (const InfoNode* list = kernel.find("payload_arguments")) {
    for (const InfoNode& one : list->children) {
      if (Status status = add_field(one, info, name); !status) return status.error();
    }
  }
  if (const InfoNode* list = kernel.find("per_thread_payload_arguments")) {
    for (const InfoNode& one : list->children) {
      if (one.text("arg_type") != "local_id")
        return Diagnostic{"not-supported",
                          {name, 0, 0},
                          fmt::format("the thread payload '{}' is not supported", one.text("arg_type")),
                          ""};
      // A word for each work-item and dimension, in whole registers.
      const u32 row = info.simd == 32 ? 64 : 32;
      info.program.local_id_dimensions = std::min(one.number("size") / row, 3u);
      info.program.thread_registers =
          std::max(info.program.local_id_dimensions * row / file::register_bytes, 1u);
    }
  }
  if (const InfoNode* list = kernel.find("binding_table_indices")) {
    for (const InfoNode& one : list->children) {
      const u32 index = one.number("bti_value") & 255;
      info.program.surfaces = std::max(info.program.surfaces, index + 1);
      info.program.bindings.push_back({index, one.number("arg_index")});
    }
  }
  if (const InfoNode* list = kernel.find("inline_samplers")) {
    for (const InfoNode& one : list->children) {
      if (Status status = add_sampler(one, info, name); !status) return status.error();
    }
  }
  for (const SamplerEntry& entry : info.program.samplers)
    info.program.sampler_entries = std::max(info.program.sampler_entries, entry.index + 1);
  if (const InfoNode* list = kernel.find("per_thread_memory_buffers")) {
    for (const InfoNode& one : list->children) {
      const u32 bytes = one.number("size") * (one.text("is_simt_thread") == "true" ? info.simd : 1);
      u32& all =
          one.text("usage") == "private_space" ? info.program.private_bytes : info.program.scratch_bytes;
      if (bytes > most_thread_bytes - all) return bad(name, "a thread's memory beyond what there is");
      all += bytes;
    }
  }
  if (Status status = check_description(info, name); !status) return status.error();
  u32 end = 0;
  for (const PayloadField& field : info.program.fields) end = std::max(end, field.offset + field.bytes);
  info.program.payload_bytes = (end + 31) / 32 * 32;
  // Scratch memory begins at multiples of 1024.
  info.program.scratch_bytes = (info.program.scratch_bytes + 1023) / 1024 * 1024;
  info.needs.private_bytes =
      (info.program.scratch_bytes + info.program.private_bytes + 1023) / 1024 * 1024 / info.simd;
  info.needs.argument_bytes = info.program.payload_bytes;
  u32 at = 0;
  for (Parameter& parameter : info.parameters) {
    parameter.offset = at;
    at += (parameter.bytes + 7) / 8 * 8;
  }
  return info;
}

}  // namespace lockstep::gen
