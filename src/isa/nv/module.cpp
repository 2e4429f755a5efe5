#include "isa/nv/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "isa/nv/control.h"
#include "isa/nv/interface.h"
#include "isa/nv/layout.h"
#include "isa/nv/lower.h"
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

struct Linked {
  LoweredFunction lowered;
  RegisterUse use;
  u32 row_base = fixed_row::first_free;
  u32 scalar_base = fixed_scalar::first_free;
  u32 begin = 0, end = 0;
  // With everything that it calls:
  u32 rows = 0, scalars = 0, live_rows = 0;
  u64 frame_bytes = 0;
};

// Callers before callees; false when functions call themselves.
bool order_calls(const std::vector<Linked>& functions, std::vector<u32>& order) {
  std::vector<u8> state(functions.size(), 0);  // 1: begun, 2: done
  std::vector<std::pair<u32, u32>> stack;
  for (u32 first = 0; first < functions.size(); ++first) {
    if (state[first] != 0) continue;
    state[first] = 1;
    stack.push_back({first, 0});
    while (!stack.empty()) {
      auto& [f, at] = stack.back();
      if (at < functions[f].lowered.callees.size()) {
        const u32 callee = functions[f].lowered.callees[at++];
        if (state[callee] == 1) return false;
        if (state[callee] == 0) {
          state[callee] = 1;
          stack.push_back({callee, 0});
        }
      } else {
        state[f] = 2;
        order.push_back(f);
        stack.pop_back();
      }
    }
  }
  std::reverse(order.begin(), order.end());
  return true;
}

void add_code(Module& module, const ModuleTree& tree, const FunctionTree& function, const Linked& linked,
              const std::vector<Linked>& all, const std::map<u32, u32>& file_index, u32 unnamed_file,
              Tables& tables) {
  Code& code = module.code;
  const u8 size = module.target->major >= 7 ? 16 : 8;  // PTX has no encoding: the size of the machine's own
  for (const Lowered& lowered : linked.lowered.code) {
    Instruction in = lowered.in;
    const u32 index = static_cast<u32>(code.instructions.size());
    in.address = u64{index} * size;
    in.size = size;
    in.target = lowered.target == no_index ? nowhere : lowered.target + linked.begin;
    const bool branches = in.meaning == &branch() || in.meaning == &indexed_branch();
    if (branches && in.operand[2].value != nowhere) in.operand[2].value += linked.begin;
    if (lowered.callee != no_index) in.target = all[lowered.callee].begin;
    if (!lowered.targets.empty()) {
      std::vector<u32> targets;
      for (const u32 target : lowered.targets) targets.push_back(target + linked.begin);
      in.operand[3].kind = OperandKind::immediate;
      in.operand[3].value = tables.registers.size();
      tables.registers.push_back(std::move(targets));
    }
    if (!lowered.wide_results.empty() || !lowered.wide_sources.empty()) {
      std::vector<u32> registers = lowered.wide_results;
      registers.insert(registers.end(), lowered.wide_sources.begin(), lowered.wide_sources.end());
      in.operand[5].kind = OperandKind::immediate;
      in.operand[5].value = tables.registers.size();
      tables.registers.push_back(std::move(registers));
    }
    const bool own_guard = in.meaning == &branch() || in.meaning == &exit_lanes();
    in.run = in.guard != 0 && !own_guard ? &run_guarded : in.meaning->run32;
    if (lowered.statement < function.body.size()) {
      const Statement& statement = function.body[lowered.statement];
      const TextPosition position = tree.positions[statement.position];
      const auto file = file_index.find(position.file);
      SourcePosition source{unnamed_file, statement.line, 0};
      if (statement.position != 0 && file != file_index.end())
        source = {file->second, position.line, position.column};
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

ParameterKind parameter_kind(const Variable& variable) {
  if (!variable.pointer) return ParameterKind::value;
  if (variable.points_to == StateSpace::shared) return ParameterKind::local_pointer;
  if (variable.points_to == StateSpace::constant) return ParameterKind::constant_pointer;
  return ParameterKind::global_pointer;
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
  needs.vector_registers = std::max(linked.live_rows + 2, 8u);
  needs.local_bytes = layout.shared_bytes;
  needs.private_bytes = static_cast<u32>(linked.frame_bytes);
  needs.argument_bytes = layout.parameter_bytes[index];
  needs.barriers = 1;
  needs.most_work_items = target.major >= 2 ? 1024 : 512;
  if (function.most_group[0] != 0) {
    const u64 most = u64{function.most_group[0]} * function.most_group[1] * function.most_group[2];
    needs.most_work_items = static_cast<u32>(std::min<u64>(most, needs.most_work_items));
  }
  needs.required_group = function.required_group;
  std::size_t named = 0;
  for (const u32 variable_index : function.parameters) {
    const Variable& variable = tree.variables[variable_index];
    Parameter parameter;
    // clang numbers parameters; such a name says nothing that the position does not.
    if (!variable.name.starts_with(function.name + "_param_")) parameter.name = variable.name;
    parameter.kind = parameter_kind(variable);
    parameter.offset = static_cast<u32>(layout.address[variable_index]);
    parameter.bytes = static_cast<u32>(variable.bytes);
    parameter.align = variable.pointer ? variable.pointer_align : variable.align;
    while (named < tree.arguments.size() && tree.arguments[named].kernel != function.name) ++named;
    if (named < tree.arguments.size()) {
      parameter.name = tree.arguments[named].name;
      parameter.type_name = tree.arguments[named].type;
      ++named;
    }
    program.parameters.push_back(std::move(parameter));
  }
  auto own = std::make_shared<PtxProgram>();
  own->tables = std::move(tables);
  own->rows = linked.rows;
  own->scalars = linked.scalars;
  own->static_local_bytes = layout.shared_bytes;
  program.isa = std::move(own);
  return program;
}

}  // namespace

Expected<std::unique_ptr<Module>> load_module(const std::string& text, const Target& target,
                                              const std::string& name) {
  Expected<ModuleTree> parsed = parse(text, name);
  if (!parsed) return parsed.error();
  const ModuleTree& tree = *parsed;
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
    add_meetings(functions[f].lowered);
  }
  std::vector<u32> order;
  if (!order_calls(functions, order))
    return Diagnostic{"bad-ptx", {name, 0, 0}, "functions that call themselves are not supported", ""};
  for (const u32 f : order) {
    Linked& caller = functions[f];
    caller.use = assign_registers(caller.lowered, caller.row_base, caller.scalar_base);
    for (const u32 callee : caller.lowered.callees) {
      functions[callee].row_base = std::max(functions[callee].row_base, caller.row_base + caller.use.rows);
      functions[callee].scalar_base =
          std::max(functions[callee].scalar_base, caller.scalar_base + caller.use.scalars);
    }
  }
  for (std::size_t i = order.size(); i-- > 0;) {
    Linked& caller = functions[order[i]];
    caller.rows = caller.row_base + caller.use.rows;
    caller.scalars = caller.scalar_base + caller.use.scalars;
    u32 deepest = 0;
    u64 frames = 0;
    for (const u32 callee : caller.lowered.callees) {
      caller.rows = std::max(caller.rows, functions[callee].rows);
      caller.scalars = std::max(caller.scalars, functions[callee].scalars);
      deepest = std::max(deepest, functions[callee].live_rows);
      frames = std::max(frames, functions[callee].frame_bytes);
    }
    caller.live_rows = caller.use.most_live_rows + deepest;
    caller.frame_bytes = layout.frame_bytes[order[i]] + frames;
  }

  Code& code = module->code;
  code.positions.emplace_back();
  std::map<u32, u32> file_index;
  for (const auto& [number, path] : tree.files) {
    file_index[number] = static_cast<u32>(code.files.size());
    code.files.push_back(path);
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
    add_code(*module, tree, tree.functions[f], functions[f], functions, file_index, unnamed_file, *tables);
  for (u32 f = 0; f < functions.size(); ++f) {
    if (tree.functions[f].kernel && tree.functions[f].defined)
      module->programs.push_back(describe(tree, layout, f, functions[f], target, tables));
  }
  module->image.bytes = std::move(layout.image);
  return module;
}

}  // namespace lockstep::nv
