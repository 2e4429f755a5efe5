#include "isa/nv/inspect.h"

#include <cctype>

#include "isa/nv/control.h"
#include "isa/nv/layout.h"
#include "isa/nv/least_target.h"
#include "isa/nv/lower.h"
#include "isa/program.h"

namespace lockstep::nv {
namespace {

// One line, with single blanks.
std::string without_semicolon(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank) result += c;
    if (blank && !result.empty() && result.back() != ' ') result += ' ';
  }
  while (!result.empty() && (result.back() == ' ' || result.back() == ';')) result.pop_back();
  return result;
}

}  // namespace

Expected<Inspection> inspect(const std::string& text, const Target& target, const std::string& name) {
  Expected<ModuleTree> parsed = parse(text, name);
  if (!parsed) return parsed.error();
  const ModuleTree& tree = *parsed;
  const Status runs = check_target(tree, target, text, name);
  if (!runs) return runs.error();
  Layout layout;
  std::vector<AddressFixup> fixups;
  const Status laid = lay_out(tree, text, name, layout, fixups);
  if (!laid) return laid.error();
  Tables tables;
  Inspection result;
  for (u32 f = 0; f < tree.functions.size(); ++f) {
    const FunctionTree& function = tree.functions[f];
    if (!function.defined) continue;
    Lowering lowering(tree, layout, f, target, text, name, tables);
    const std::map<u32, Diagnostic> problems = lowering.inspect();
    const LoweredFunction lowered = lowering.take();
    InspectedFunction made;
    made.name = function.name;
    made.kernel = function.kernel;
    made.instructions.resize(function.body.size());
    for (u32 s = 0; s < function.body.size(); ++s) {
      const Statement& statement = function.body[s];
      InspectedInstruction& instruction = made.instructions[s];
      instruction.text = without_semicolon(statement.text);
      instruction.mnemonic = statement.opcode;
      const TextPosition position = tree.positions[statement.position];
      const auto file = tree.files.find(position.file);
      const bool placed = statement.position != 0 && file != tree.files.end();
      instruction.file = placed ? file->second : name;
      instruction.line = placed ? position.line : statement.line;
      const auto problem = problems.find(s);
      if (problem != problems.end()) instruction.problem = problem->second.message;
    }
    for (const Lowered& one : lowered.code) {
      if (one.statement < made.instructions.size())
        made.instructions[one.statement].meanings.push_back(one.in.meaning);
    }
    for (InspectedInstruction& instruction : made.instructions) {
      if (!instruction.problem.empty()) instruction.meanings.clear();
    }
    // Some statements need no instruction of their own (fences, hints): these are known as well.
    std::erase_if(made.instructions, [](const InspectedInstruction& instruction) {
      return instruction.meanings.empty() && instruction.problem.empty();
    });
    result.functions.push_back(std::move(made));
  }
  return result;
}

}  // namespace lockstep::nv
