#include "isa/vliw/module.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/past_end.h"
#include "isa/vliw/flow_text.h"
#include "isa/vliw/interface.h"
#include "isa/vliw/read_only.h"
#include "isa/vliw/wave.h"

namespace lockstep::vliw {
namespace {

// OpenCL's limit on these GPUs (AMD APP OpenCL Programming Guide, device parameters).
constexpr u32 most_work_items = 256;
// What a group can have of local memory (the same).
constexpr u32 most_local_bytes = 32768;
// A work-item's registers: 128 in the encoding, four of them temporaries of a clause.
constexpr u32 most_registers = 128;

u32 registers_of(const SlotOperand& operand) {
  return operand.bank == Bank::general || operand.bank == Bank::relative ? operand.index + 1 : 0;
}

// The registers that the text names beyond what the compiler said; hand-written code says nothing.
u32 named_registers(const FunctionText& function) {
  u32 most = 2;  // where the work-item and its group stand when the kernel begins
  for (const auto& [at, clause] : function.alu) {
    for (const Bundle& bundle : clause.bundles) {
      for (const Slot& slot : bundle.slots) {
        for (const SlotOperand& operand : slot.operands) most = std::max(most, registers_of(operand));
      }
    }
  }
  const auto add = [&](std::string_view text) {
    // "STORE_RAW T10.X": the last word; of "T10.XYZW RID:4 SID:0 CT:NNUU" the first.
    const std::size_t blank = text.rfind(' ');
    if (blank != std::string_view::npos && !text.starts_with('T')) text.remove_prefix(blank + 1);
    if (!text.starts_with('T')) return;
    u32 number = 0;
    text.remove_prefix(1);
    constexpr u32 unnamed = 99999;  // what is larger has no use in a message
    for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1))
      number = std::min(number * 10 + static_cast<u32>(text[0] - '0'), unnamed);
    most = std::max(most, number + 1);
  };
  for (const Line& line : function.flow) {
    for (const std::string_view operand : line.operands) add(operand);
  }
  for (const auto& [at, clause] : function.fetch) {
    for (const Line& line : clause.fetches) {
      for (const std::string_view operand : line.operands) add(operand);
    }
  }
  return most;
}

ParameterKind kind_of(std::string_view space) {
  return space == "global"     ? ParameterKind::global_pointer
         : space == "constant" ? ParameterKind::constant_pointer
         : space == "local"    ? ParameterKind::local_pointer
                               : ParameterKind::value;
}

// "image2d_t", which a qualifier may stand before.
bool is_image_type(std::string_view type) {
  const std::size_t blank = type.rfind(' ');
  if (blank != std::string_view::npos) type.remove_prefix(blank + 1);
  return type.starts_with("image") && type.ends_with("_t");
}

void describe_parameters(const KernelNotes& notes, Program& program, VliwProgram& own) {
  u32 end = 0;
  for (std::size_t i = 0; i < notes.parameters.size(); ++i) {
    const ParameterNote& note = notes.parameters[i];
    Parameter parameter;
    parameter.kind = kind_of(note.space);
    parameter.offset = implicit_bytes + note.offset;
    // What a host hands over is a device address, of which the kernel gets a pointer.
    parameter.bytes = parameter.kind == ParameterKind::value || parameter.kind == ParameterKind::local_pointer
                          ? note.bytes
                          : 8;
    parameter.align = note.align;
    end = std::max(end, note.offset + note.bytes);
    if (i < notes.names.size()) {
      parameter.name = notes.names[i].first;
      parameter.type_name = notes.names[i].second;
      if (is_image_type(parameter.type_name)) parameter.kind = ParameterKind::image;
      if (parameter.type_name == "sampler_t") parameter.kind = ParameterKind::sampler;
    }
    if (i < notes.qualifiers.size()) {
      if (notes.qualifiers[i].first != "none") parameter.access = notes.qualifiers[i].first;
      const std::string words = " " + notes.qualifiers[i].second + " ";
      parameter.read_only = words.find(" const ") != words.npos;
      parameter.is_restrict = words.find(" restrict ") != words.npos;
      parameter.is_volatile = words.find(" volatile ") != words.npos;
    }
    program.parameters.push_back(std::move(parameter));
  }
  own.hidden_offset = implicit_bytes + (end + 3) / 4 * 4;
  program.needs.argument_bytes = own.hidden_offset + hidden_bytes;
}

Status bind_images(const KernelNotes& notes, const FunctionText& function, const Program& program,
                   VliwProgram& own, const std::string& name) {
  using Kind = BindingNote::Kind;
  for (const BindingNote& note : notes.bindings) {
    Binding made{note.number, note.kind == Kind::sampler_bits, note.value};
    if (!made.is_value) {
      if (note.value >= program.parameters.size())
        return Diagnostic{"bad-assembly",
                          {name, function.text_line, 0},
                          fmt::format("kernel '{}' has no parameter {} to bind an image or a sampler to",
                                      function.name, note.value),
                          ""};
      made.value = program.parameters[note.value].offset;
    }
    auto& bound = note.kind == Kind::image    ? own.images
                  : note.kind == Kind::target ? own.targets
                                              : own.samplers;
    bound.push_back(made);
  }
  return Success{};
}

constexpr Semantic past_end = past_end_meaning([](WaveState&, const Instruction& in, StepContext& context) {
  raise_past_end(in.address, context, "a kernel's control flow ends with CF_END");
});

// The code of one kernel behind that of the others.
void add_code(BuiltFunction& function, Code& code, u32 begin) {
  for (Built& built : function.code) {
    Instruction& in = built.in;
    in.target += begin;
    const SourcePosition &last = code.positions.back(), &at = built.position;
    if (at.line == 0) {
      in.line = 0;
    } else {
      if (last.file != at.file || last.line != at.line || last.column != at.column)
        code.positions.push_back(at);
      in.line = static_cast<u32>(code.positions.size() - 1);
    }
    code.instructions.push_back(in);
    code.text.push_back(std::move(built.text));
  }
  const Instruction last = code.instructions.back();
  add_past_end(code, past_end, last.address + last.size, last.line);
}

bool is_kernel(const FunctionText& function, const ModuleText& text) {
  const auto ends = [](const Line& line) { return line.mnemonic == "CF_END"; };
  return text.notes.contains(function.name) || std::any_of(function.flow.begin(), function.flow.end(), ends);
}

Status check_sizes(const FunctionText& function, u32 registers, const std::string& name) {
  Place place{name, function.text_line, 0};
  // Compiled code knows its source's lines.
  const auto known = std::find_if(function.flow.begin(), function.flow.end(),
                                  [](const Line& line) { return line.position.line != 0; });
  if (known != function.flow.end()) place.line = known->position.line;
  const bool ends = std::any_of(function.flow.begin(), function.flow.end(),
                                [](const Line& line) { return line.mnemonic == "CF_END"; });
  if (!ends)
    return Diagnostic{
        "bad-assembly", place,
        fmt::format("LLVM's r600 back end left kernel '{}' unfinished: its control flow has no CF_END",
                    function.name),
        "it does so where a kernel's last instruction is one of local memory; a store to a global buffer "
        "behind it helps"};
  if (registers > most_registers)
    return Diagnostic{"bad-operand", place,
                      fmt::format("kernel '{}' takes {} registers of the {} that a work-item can have",
                                  function.name, registers, most_registers),
                      ""};
  if (function.local_bytes > most_local_bytes)
    return Diagnostic{"local-memory-too-large", place,
                      fmt::format("kernel '{}' takes {} bytes of local memory; a group can have {}",
                                  function.name, function.local_bytes, most_local_bytes),
                      "use less local memory in a work-group"};
  return Success{};
}

}  // namespace

Expected<std::unique_ptr<Module>> load_module(const std::string& text, const Target& target,
                                              const std::string& name) {
  Expected<ModuleText> parsed = parse_text(text, name);
  if (!parsed) return parsed.error();
  auto module = std::make_unique<Module>();
  module->target = &target;
  module->printf_formats = parsed->printf_formats;
  module->code.target = &target;
  module->isa = &isa_interface();
  Code& code = module->code;
  code.files = parsed->files;
  code.positions.emplace_back();
  for (const FunctionText& function : parsed->functions) {
    if (!is_kernel(function, *parsed)) continue;
    auto own = std::make_shared<VliwProgram>();
    own->layout.general = std::max(function.registers, named_registers(function));
    if (Status status = check_sizes(function, own->layout.general, name); !status) return status.error();
    auto built = build_function(function, own->layout, target, name, parsed->files);
    if (!built) return built.error();
    Program program;
    program.name = function.name;
    program.entry = static_cast<u32>(code.instructions.size());
    const KernelNotes notes =
        parsed->notes.contains(function.name) ? parsed->notes.at(function.name) : KernelNotes{};
    describe_parameters(notes, program, *own);
    if (Status status = bind_images(notes, function, program, *own, name); !status) return status.error();
    mark_read_only(built->code, own->layout, program.parameters);
    add_code(*built, code, program.entry);
    program.end = static_cast<u32>(code.instructions.size());
    KernelNeeds& needs = program.needs;
    needs.wave_lanes = 64;
    needs.vector_registers = own->layout.general;
    needs.local_bytes = function.local_bytes;
    needs.private_bytes = notes.private_bytes;
    own->private_pointer = notes.private_pointer;
    needs.barriers = built->barriers ? 1 : 0;
    needs.most_work_items = most_work_items;
    needs.required_group = notes.required_group;
    needs.hinted_group = notes.hinted_group;
    needs.vector_hint = notes.vector_hint;
    own->constants = built->constants;
    if (!parsed->symbols.empty()) {
      own->tables_begin = static_cast<u32>(parsed->symbols.front().address);
      own->tables_end = static_cast<u32>(parsed->image.size());
    }
    program.isa = std::move(own);
    module->programs.push_back(std::move(program));
  }
  // A word that says which ABI the program was compiled for is in every one, and nobody reads it.
  const auto used = [](const DataSymbol& symbol) { return symbol.name != "__oclc_ABI_version"; };
  if (std::any_of(parsed->symbols.begin(), parsed->symbols.end(), used)) {
    for (const DataSymbol& symbol : parsed->symbols)
      module->variables.push_back({symbol.name, symbol.name, symbol.address, symbol.bytes, false});
    module->image.bytes = std::move(parsed->image);
  }
  return module;
}

}  // namespace lockstep::vliw
