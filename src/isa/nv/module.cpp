#include "isa/nv/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "isa/nv/control.h"
#include "isa/nv/interface.h"
#include "isa/nv/layout.h"
#include "isa/nv/least_target.h"
#include "isa/nv/lower.h"
#include "isa/nv/notes.h"
#include "isa/nv/requirements.h"
#include "isa/semantic.h"

namespace lockstep::nv {
namespace {

// Instructions with a guard: only the lanes for which it holds are active. Unguarded ones pay nothing.
void run_guarded(WaveState& wave, const Instruction& in, StepContext& context) {
  const u64 before = wave.exec();
  const u64 predicate = wave.read_scalar(in.guard_register);
  const u64 active = before & (in.guard == 1 ? predicate : ~predicate);
  if (active == before) {
    in.meaning->run32(wave, in, context);
    return;
  }
  if (active == 0) return;
  wave.set_exec(active);
  in.meaning->run32(wave, in, context);
  wave.set_exec(before);
}

// Blanks and line ends become one blank.
std::string tidy(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c))) {
      if (!result.empty() && result.back() != ' ') result += ' ';
    } else {
      result += c;
    }
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

// How much private memory a work-item has for frames of functions that call themselves: nobody knows how deep
// they go. The CUDA runtime gives 1 KiB unless told otherwise.
constexpr u64 recursion_bytes = 16384;

struct Linked {
  LoweredFunction lowered;
  RegisterCount use;
  u32 row_base = fixed_row::first_free;
  u32 scalar_base = fixed_scalar::first_free;
  u32 begin = 0, end = 0;
  u32 group = 0;           // functions of one group may call one another
  bool recursive = false;  // its group's functions come back to themselves
  // With everything that it calls:
  u32 rows = 0, scalars = 0, live_rows = 0;
  u64 frame_bytes = 0;
};

// Functions that may call one another (the strongly connected components of the graph of calls), callers'
// groups before their callees'. Tarjan's algorithm, without recursion.
std::vector<std::vector<u32>> call_groups(const std::vector<Linked>& functions) {
  const u32 count = static_cast<u32>(functions.size());
  std::vector<u32> number(count, no_index), low(count, 0);
  std::vector<bool> open(count, false);
  std::vector<u32> stack;
  std::vector<std::pair<u32, u32>> path;
  std::vector<std::vector<u32>> groups;
  u32 next = 0;
  for (u32 first = 0; first < count; ++first) {
    if (number[first] != no_index) continue;
    path.push_back({first, 0});
    while (!path.empty()) {
      auto& [f, at] = path.back();
      if (at == 0) {
        number[f] = low[f] = next++;
        stack.push_back(f);
        open[f] = true;
      }
      if (at < functions[f].lowered.callees.size()) {
        const u32 callee = functions[f].lowered.callees[at++];
        if (number[callee] == no_index) {
          path.push_back({callee, 0});
        } else if (open[callee]) {
          low[f] = std::min(low[f], number[callee]);
        }
        continue;
      }
      const u32 done = f;
      path.pop_back();
      if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[done]);
      if (low[done] != number[done]) continue;
      groups.emplace_back();
      u32 member;
      do {
        member = stack.back();
        stack.pop_back();
        open[member] = false;
        groups.back().push_back(member);
      } while (member != done);
      std::sort(groups.back().begin(), groups.back().end());
    }
  }
  std::reverse(groups.begin(), groups.end());
  return groups;
}

bool calls_itself(const std::vector<u32>& group, const std::vector<Linked>& functions) {
  const std::vector<u32>& callees = functions[group[0]].lowered.callees;
  return group.size() > 1 || std::find(callees.begin(), callees.end(), group[0]) != callees.end();
}

// Rows and predicates of each function, disjoint from those of its callers; what it needs with everything
// that it calls.
void place_functions(std::vector<Linked>& functions, const std::vector<u32>& own_frame_bytes) {
  const std::vector<std::vector<u32>> groups = call_groups(functions);
  for (u32 g = 0; g < groups.size(); ++g) {
    u32 row = 0, scalar = 0;
    for (const u32 f : groups[g]) {
      row = std::max(row, functions[f].row_base);
      scalar = std::max(scalar, functions[f].scalar_base);
      functions[f].group = g;
      functions[f].recursive = calls_itself(groups[g], functions);
    }
    for (const u32 f : groups[g]) {
      Linked& function = functions[f];
      function.row_base = row;
      function.scalar_base = scalar;
      function.use = assign_registers(function.lowered, row, scalar);
      row += function.use.rows;
      scalar += function.use.scalars;
    }
    for (const u32 f : groups[g]) {
      functions[f].rows = row;
      functions[f].scalars = scalar;
      for (const u32 callee : functions[f].lowered.callees) {
        if (std::binary_search(groups[g].begin(), groups[g].end(), callee)) continue;
        functions[callee].row_base = std::max(functions[callee].row_base, row);
        functions[callee].scalar_base = std::max(functions[callee].scalar_base, scalar);
      }
    }
  }
  for (std::size_t g = groups.size(); g-- > 0;) {
    u32 live = 0, deepest = 0, rows = 0, scalars = 0;
    u64 frames = 0, beyond = 0;
    for (const u32 f : groups[g]) {
      const Linked& function = functions[f];
      live = std::max(live, function.use.most_live_rows);
      rows = std::max(rows, function.rows);
      scalars = std::max(scalars, function.scalars);
      frames += own_frame_bytes[f];
      for (const u32 callee : function.lowered.callees) {
        if (functions[callee].group == g) continue;
        rows = std::max(rows, functions[callee].rows);
        scalars = std::max(scalars, functions[callee].scalars);
        deepest = std::max(deepest, functions[callee].live_rows);
        beyond = std::max(beyond, functions[callee].frame_bytes);
      }
    }
    for (const u32 f : groups[g]) {
      Linked& function = functions[f];
      function.rows = rows;
      function.scalars = scalars;
      function.live_rows = live + deepest;
      function.frame_bytes = frames + beyond + (function.recursive ? recursion_bytes : 0);
    }
  }
}

void add_code(Module& module, const ModuleTree& tree, const FunctionTree& function, const Linked& linked,
              const std::vector<Linked>& all, const std::map<u32, u32>& file_index, u32 unnamed_file,
              Tables& tables) {
  Code& code = module.code;
  for (const Placed& one : linked.lowered.placed) {
    if (one.reg >= function.registers.size()) continue;  // no register of the text
    const RegisterDecl& declared = function.registers[one.reg];
    const bool predicate = declared.type == Type::pred_;
    const u32 rows = !predicate && bytes_of(declared.type) == 8 ? 2 : 1;
    tables.names.push_back({declared.name, predicate, one.place, rows, 2 * linked.begin + one.begin,
                            2 * linked.begin + one.end});
  }
  const u8 size = module.target->major >= 7 ? 16 : 8;  // PTX has no encoding: the size of the machine's own
  for (const Lowered& lowered : linked.lowered.code) {
    Instruction in = lowered.in;
    const u32 index = static_cast<u32>(code.instructions.size());
    in.nv.written_operands = lowered.defined;
    in.address = u64{index} * size;
    in.size = size;
    in.target = lowered.target == no_index ? nowhere : lowered.target + linked.begin;
    const bool branches =
        in.meaning == &branch() || in.meaning == &indexed_branch() || in.meaning == &indirect_call();
    if (branches && in.operand[2].value != nowhere) in.operand[2].value += linked.begin;
    if (lowered.callee != no_index) in.target = all[lowered.callee].begin;
    const bool comes_back =
        linked.recursive &&
        (lowered.indirect || (lowered.callee != no_index && all[lowered.callee].group == linked.group));
    if (comes_back) {
      in.operand[3].kind = OperandKind::immediate;
      in.operand[3].value = tables.registers.size();
      tables.registers.push_back({linked.row_base, linked.use.rows, linked.scalar_base, linked.use.scalars});
    }
    if (lowered.indirect) {
      in.operand[4].kind = OperandKind::immediate;
      in.operand[4].value = tables.registers.size();
      tables.registers.push_back(lowered.possible);
    }
    if (!lowered.targets.empty()) {
      std::vector<u32> targets;
      for (const u32 target : lowered.targets) targets.push_back(target + linked.begin);
      in.operand[3].kind = OperandKind::immediate;
      in.operand[3].value = tables.registers.size();
      tables.registers.push_back(std::move(targets));
    }
    if (!lowered.meetings.empty()) {
      const std::size_t step = branches ? 2 : 1;
      std::vector<u32> meetings = lowered.meetings;
      for (std::size_t k = 0; k < meetings.size(); k += step) meetings[k] += linked.begin;
      in.operand[4].kind = OperandKind::immediate;
      in.operand[4].value = tables.registers.size();
      tables.registers.push_back(std::move(meetings));
    }
    if (!lowered.wide_results.empty() || !lowered.wide_sources.empty()) {
      std::vector<u32> registers = lowered.wide_results;
      registers.insert(registers.end(), lowered.wide_sources.begin(), lowered.wide_sources.end());
      in.operand[5].kind = OperandKind::immediate;
      in.operand[5].value = tables.registers.size();
      tables.wide[static_cast<u32>(tables.registers.size())] = {static_cast<u32>(lowered.wide_results.size()),
                                                                lowered.wide_rows};
      tables.registers.push_back(std::move(registers));
    }
    const bool own_guard = in.meaning == &branch() || in.meaning == &exit_lanes();
    in.run = in.guard != 0 && !own_guard ? &run_guarded : in.meaning->run32;
    if (lowered.statement < function.body.size()) {
      const Statement& statement = function.body[lowered.statement];
      const TextPosition position = tree.positions[statement.position];
      const auto file = file_index.find(position.file);
      SourcePosition source;
      if (statement.position != 0 && file != file_index.end())
        source = {file->second, position.line, position.column};
      else if (tree.positions.size() == 1)  // no .loc in all of the text, which then is the source
        source = {unnamed_file, statement.line, 0};
      in.line = static_cast<u32>(code.positions.size());
      const SourcePosition& last = code.positions.back();
      if (code.positions.size() > 1 && last.file == source.file && last.line == source.line &&
          last.column == source.column) {
        --in.line;
      } else {
        code.positions.push_back(source);
      }
      code.text.push_back(in.meaning == &meet() ? "(meet)" : tidy(statement.text));
    } else {
      code.text.push_back(function.kernel ? "exit" : "ret");
    }
    code.instructions.push_back(in);
  }
}

// The type of a value that PTX itself tells from others of its size: ".f32". 64-bit integers may be
// addresses, and bits anything.
std::string value_type(const Variable& variable) {
  if (variable.pointer || variable.bytes != bytes_of(variable.type)) return {};
  switch (variable.type) {
    case Type::u8_:
      return ".u8";
    case Type::s8_:
      return ".s8";
    case Type::u16_:
      return ".u16";
    case Type::s16_:
      return ".s16";
    case Type::u32_:
      return ".u32";
    case Type::s32_:
      return ".s32";
    case Type::f16_:
      return ".f16";
    case Type::f32_:
      return ".f32";
    case Type::f64_:
      return ".f64";
    default:
      return {};
  }
}

ParameterKind parameter_kind(const Variable& variable) {
  if (variable.type == Type::texref_ || variable.type == Type::surfref_) return ParameterKind::image;
  if (variable.type == Type::samplerref_) return ParameterKind::sampler;
  if (!variable.pointer) return ParameterKind::value;
  if (variable.points_to == StateSpace::shared) return ParameterKind::local_pointer;
  if (variable.points_to == StateSpace::constant) return ParameterKind::constant_pointer;
  return ParameterKind::global_pointer;
}

// How many registers a work-item can have, by the kernel's directives.
RegisterBounds register_bounds(const FunctionTree& function) {
  const auto& group = function.required_group[0] != 0 ? function.required_group : function.most_group;
  const u64 items = u64{group[0]} * group[1] * group[2];
  return {static_cast<u32>(std::min<u64>(items, ~u32{0})), function.least_groups, function.most_registers};
}

Program describe(const ModuleTree& tree, const Layout& layout, u32 index, const Linked& linked,
                 const Target& target, std::shared_ptr<const Tables> tables) {
  const FunctionTree& function = tree.functions[index];
  Program program;
  program.name = function.name;
  program.entry = linked.begin;
  program.end = linked.end;
  KernelNeeds& needs = program.needs;
  needs.wave_lanes = 32;
  // Two registers more than are live: what the assembler keeps for itself was not measured for every kernel.
  const u32 capability = target.compute_capability();
  const RegisterBounds bounds = register_bounds(function);
  needs.vector_registers = std::min(std::max(linked.live_rows + 2, 8u), most_registers(capability, bounds));
  needs.local_bytes = static_cast<u32>(layout.shared_bytes[index]);
  needs.private_bytes = static_cast<u32>(linked.frame_bytes);
  needs.argument_bytes = layout.parameter_bytes[index];
  needs.barriers = 1;
  needs.most_work_items = target.major >= 2 ? 1024 : 512;
  if (function.most_group[0] != 0) {
    const u64 most = u64{function.most_group[0]} * function.most_group[1] * function.most_group[2];
    needs.most_work_items = static_cast<u32>(std::min<u64>(most, needs.most_work_items));
  }
  needs.required_group = function.required_group;
  const auto source = tree.source_kernels.find(function.name);
  const SourceKernel said = source != tree.source_kernels.end() ? source->second : SourceKernel{};
  needs.hinted_group = said.hinted_group;
  needs.vector_hint = said.vector_hint;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const u32 variable_index = function.parameters[i];
    const Variable& variable = tree.variables[variable_index];
    Parameter parameter;
    // clang numbers parameters; such a name says nothing that the position does not.
    if (!variable.name.starts_with(function.name + "_param_")) parameter.name = variable.name;
    parameter.kind = parameter_kind(variable);
    parameter.offset = static_cast<u32>(layout.address[variable_index]);
    parameter.bytes = static_cast<u32>(variable.bytes);
    parameter.align = variable.pointer ? variable.pointer_align : variable.align;
    parameter.type_name = value_type(variable);
    if (i < said.arguments.size()) {
      parameter.name = said.arguments[i].name;
      parameter.type_name = said.arguments[i].type;
      if (is_image_type(parameter.type_name)) parameter.kind = ParameterKind::image;
      if (parameter.type_name == "sampler_t") parameter.kind = ParameterKind::sampler;
    }
    if (i < said.qualifiers.size()) {
      const SourceQualifiers& qualifiers = said.qualifiers[i];
      if (qualifiers.access != "none") parameter.access = qualifiers.access;
      parameter.read_only = qualifiers.is_const;
      parameter.is_restrict = qualifiers.is_restrict;
      parameter.is_volatile = qualifiers.is_volatile;
    }
    program.parameters.push_back(std::move(parameter));
  }
  auto own = std::make_shared<PtxProgram>();
  own->tables = std::move(tables);
  own->bounds = bounds;
  own->rows = linked.rows;
  own->scalars = linked.scalars;
  own->static_local_bytes = needs.local_bytes;
  program.isa = std::move(own);
  return program;
}

// The function and all that it may call, itself first.
std::vector<u32> called_from(u32 function, const std::vector<Linked>& functions) {
  std::vector<u32> list = {function};
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (const u32 callee : functions[list[i]].lowered.callees) {
      if (std::find(list.begin(), list.end(), callee) == list.end()) list.push_back(callee);
    }
  }
  return list;
}

// The variables of global memory that kernels can change, as an object's symbols tell them: the symbols of
// the one writable section, at their places in the image.
ElfFile symbols_of(const ModuleTree& tree, const Layout& layout) {
  constexpr u64 write = 1, allocate = 2;
  ElfFile symbols;
  symbols.sections.resize(2);  // the first is nobody's
  symbols.sections[1].name = ".global";
  symbols.sections[1].flags = write | allocate;
  for (std::size_t i = 0; i < tree.variables.size(); ++i) {
    const Variable& variable = tree.variables[i];
    const bool opaque = variable.type == Type::texref_ || variable.type == Type::surfref_ ||
                        variable.type == Type::samplerref_;
    if (variable.space != StateSpace::global || variable.external || opaque ||
        tree.constants.contains(variable.name))
      continue;
    symbols.symbols.push_back(
        {variable.name, layout.address[i], variable.bytes, 1, /*type: an object*/ 1, 0});
  }
  return symbols;
}

}  // namespace

Expected<std::unique_ptr<Module>> load_module(const std::string& text, const Target& target,
                                              const std::string& name) {
  Expected<ModuleTree> parsed = parse(text, name);
  if (!parsed) return parsed.error();
  const ModuleTree& tree = *parsed;
  const Status runs = check_target(tree, target, text, name);
  if (!runs) return runs.error();
  auto module = std::make_unique<Module>();
  module->target = &target;
  module->code.target = &target;
  module->isa = &isa_interface();
  Layout layout;
  const Status laid = lay_out(tree, text, name, layout, module->fixups);
  if (!laid) return laid.error();

  auto tables = std::make_shared<Tables>();
  std::vector<Linked> functions(tree.functions.size());
  for (u32 f = 0; f < functions.size(); ++f) {
    if (!tree.functions[f].defined) continue;
    Lowering lowering(tree, layout, f, target, text, name, *tables);
    if (!lowering.run()) return lowering.error();
    functions[f].lowered = lowering.take();
    add_meetings(functions[f].lowered, target.major);
  }
  place_functions(functions, layout.frame_bytes);

  Code& code = module->code;
  code.positions.emplace_back();
  std::map<u32, u32> file_index;
  for (const auto& [number, path] : tree.files) {
    file_index[number] = static_cast<u32>(code.files.size());
    code.files.push_back(std::filesystem::path(path).lexically_normal().string());  // "./a.cl"
  }
  const u32 unnamed_file = static_cast<u32>(code.files.size());
  code.files.push_back(name);
  u32 at = 0;
  for (Linked& function : functions) {
    function.begin = at;
    at += static_cast<u32>(function.lowered.code.size());
    function.end = at;
  }
  for (u32 f = 0; f < functions.size(); ++f)
    tables->entries.push_back(tree.functions[f].defined && !tree.functions[f].kernel ? functions[f].begin
                                                                                     : nowhere);
  for (u32 f = 0; f < functions.size(); ++f)
    add_code(*module, tree, tree.functions[f], functions[f], functions, file_index, unnamed_file, *tables);
  std::ranges::stable_sort(tables->names, {}, &NamedRegister::place);
  for (u32 f = 0; f < functions.size(); ++f) {
    if (!tree.functions[f].kernel || !tree.functions[f].defined) continue;
    module->programs.push_back(describe(tree, layout, f, functions[f], target, tables));
    module->programs.back().lacked = lacked_features(tree, called_from(f, functions), target, name);
  }
  const auto prints = [](const Instruction& in) { return in.meaning == &print(); };
  if (std::any_of(code.instructions.begin(), code.instructions.end(), prints))
    module->printf_formats.emplace_back(printf_inline_format);
  module->elf = symbols_of(tree, layout);
  for (u32 i = 0; i < tree.variables.size(); ++i) {
    const Variable& variable = tree.variables[i];
    const bool in_image = variable.space == StateSpace::global || variable.space == StateSpace::constant;
    if (!in_image || variable.bytes == 0 || layout.address[i] == nowhere64) continue;
    // To PTX alone, without a word of the program that it was made of, zeros are no initial value.
    const bool awaits_host = variable.space == StateSpace::constant && variable.initial.empty();
    module->variables.push_back(
        {variable.name, variable.name, layout.address[i], variable.bytes, awaits_host});
  }
  module->image.bytes = std::move(layout.image);
  return module;
}

}  // namespace lockstep::nv
