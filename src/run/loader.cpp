#include "run/loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <regex>

#include "base/demangle.h"
#include "base/nearest.h"
#include "isa/amd/inspect.h"
#include "isa/amd/module.h"
#include "isa/gen/module.h"
#include "isa/nv/inspect.h"
#include "isa/nv/module.h"
#include "isa/vliw/module.h"
#include "run/lowered.h"

namespace lockstep {

Expected<LoadedProgram> load_program(const CompileRequest& request) {
  Expected<CompileResult> compiled = compile(request);
  if (!compiled) return compiled.error();
  LoadedProgram loaded;
  loaded.log = compiled->log();
  loaded.from_cache = compiled->from_cache;
  Expected<std::unique_ptr<Module>> module = load_compiled(*compiled, *request.target, request.path);
  if (!module) return module.error();
  loaded.module = std::move(*module);
  return loaded;
}

// Kernels of C++ get the names and their parameters the types that the source has.
static void name_as_in_source(Module& module) {
  for (Program& program : module.programs) {
    const DemangledFunction function = demangle_function(program.name);
    if (function.name.empty()) continue;
    program.source_name = function.name;
    if (function.parameters.size() != program.explicit_parameters()) continue;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      // PTX's own types (".u32") say less.
      std::string& type = program.parameters[i].type_name;
      if (type.empty() || type.starts_with('.')) type = function.parameters[i];
    }
  }
}

// Names of the source for variables, and which of them the host was to write.
static void name_variables(Module& module, const CompileResult& compiled) {
  const std::vector<std::string>& unset = compiled.unset_constants();
  for (ModuleVariable& variable : module.variables) {
    variable.name = demangle_variable(variable.symbol);
    if (compiled.language == SourceLanguage::ptx) continue;  // says so itself
    const std::size_t scope = variable.name.rfind("::");
    const std::string own = scope == std::string::npos ? variable.name : variable.name.substr(scope + 2);
    variable.awaits_host = std::find(unset.begin(), unset.end(), own) != unset.end();
  }
}

// What runs: the instructions, the image and what the kernels need. Where in the source they come from is no
// part of it.
static std::string content_hash(const Module& module) {
  std::string content(module.target->name);
  for (const std::string& line : module.code.text) content += line + "\n";
  content.append(module.image.bytes.begin(), module.image.bytes.end());
  for (const Program& program : module.programs) {
    const KernelNeeds& needs = program.needs;
    content +=
        fmt::format("{} {} {} {} {} {} {}\n", program.name, program.entry, needs.wave_lanes,
                    needs.vector_registers, needs.scalar_registers, needs.local_bytes, needs.private_bytes);
  }
  const std::hash<std::string> hash;
  return fmt::format("{:016x}{:016x}", hash(content), hash("program" + content));
}

Expected<std::unique_ptr<Module>> load_compiled(const CompileResult& compiled, const Target& target,
                                                const std::string& name) {
  const bool vliw = target.isa == IsaFamily::r600, intel = target.isa == IsaFamily::gen;
  Expected<std::unique_ptr<Module>> module = compiled.object
                                                 ? amd::load_module(*compiled.object, target, name)
                                             : vliw  ? vliw::load_module(compiled.ptx->ptx, target, name)
                                             : intel ? gen::load_module(compiled.ptx->ptx, target, name)
                                                     : nv::load_module(compiled.ptx->ptx, target, name);
  if (!module && module.error().code == "bad-ptx" && compiled.language != SourceLanguage::ptx) {
    // The line is of no file that the user has.
    Diagnostic wrong = module.error();
    wrong.message =
        fmt::format("of the PTX that the compiler made of it, line {}: {}", wrong.place.line, wrong.message);
    wrong.place = {name, 0, 0};
    return wrong;
  }
  if (!module) return module;
  (*module)->opencl_c =
      compiled.language == SourceLanguage::opencl_c || compiled.language == SourceLanguage::bitcode;
  name_as_in_source(**module);
  name_variables(**module, compiled);
  if (compiled.ptx && !vliw && !intel) count_lowered_registers(**module);
  (*module)->hash = content_hash(**module);
  return module;
}

// As C++ spells types out: `unsigned` alone is `unsigned int`.
static std::string with_whole_types(const std::string& name) {
  static const std::regex alone("\\bunsigned\\b(?! ?(int|char|short|long)\\b)");
  return std::regex_replace(name, alone, "unsigned int");
}

// Whether `name` means the kernel of this symbol: by its whole name, or its name with or without template
// arguments or scopes.
static bool means(const std::string& name, const std::string& symbol) {
  const DemangledFunction function = demangle_function(symbol);
  if (function.name.empty()) return false;
  return name == function.name || name == function.plain_name || name == function.whole ||
         function.plain_name.ends_with("::" + name);
}

static std::string title_of(const std::string& symbol) {
  const DemangledFunction function = demangle_function(symbol);
  return function.name.empty() ? symbol : function.name;
}

// The index of the one kernel that `name` means.
static Expected<std::size_t> choose_kernel(const std::vector<std::string>& symbols, const std::string& name) {
  if (symbols.empty()) {
    return Diagnostic{
        "no-kernels",
        {},
        "the program has no kernels",
        "a kernel is a function marked __kernel (OpenCL C), __global__ (HIP, CUDA) or .entry (PTX)"};
  }
  std::vector<std::string> titles;
  for (const std::string& symbol : symbols) titles.push_back(title_of(symbol));
  if (name.empty()) {
    if (symbols.size() == 1) return std::size_t{0};
    return Diagnostic{"no-such-kernel",
                      {},
                      fmt::format("the program has {} kernels: name one", symbols.size()),
                      fmt::format("--kernel {}", fmt::join(titles, ", or "))};
  }
  std::vector<std::size_t> fitting;
  const std::string whole_name = with_whole_types(name);
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (symbols[i] == name) return i;
    if (means(whole_name, symbols[i])) fitting.push_back(i);
  }
  if (fitting.size() == 1) return fitting[0];
  if (fitting.size() > 1) {
    std::vector<std::string> whole;
    for (const std::size_t i : fitting) whole.push_back(symbols[i]);
    return Diagnostic{"no-such-kernel",
                      {},
                      fmt::format("{} kernels are named '{}'", fitting.size(), name),
                      fmt::format("--kernel {}", fmt::join(whole, ", or "))};
  }
  const std::vector<std::string> near = nearest_names(name, titles);
  return Diagnostic{"no-such-kernel",
                    {},
                    fmt::format("no kernel named '{}'", name),
                    fmt::format("{}: {}", near.empty() ? "its kernels" : "did you mean",
                                fmt::join(near.empty() ? titles : near, ", "))};
}

Expected<const Program*> find_kernel(const Module& module, const std::string& name) {
  std::vector<std::string> symbols;
  for (const Program& program : module.programs) symbols.push_back(program.name);
  const Expected<std::size_t> chosen = choose_kernel(symbols, name);
  if (!chosen) return chosen.error();
  return &module.programs[*chosen];
}

// Of a module all of whose instructions are known.
static Inspection inspection_of(const Module& module) {
  Inspection inspection;
  for (const Program& program : module.programs) {
    InspectedFunction& function = inspection.functions.emplace_back();
    function.name = program.name;
    function.kernel = true;
    for (u32 i = program.entry; i < program.end; ++i) {
      const Instruction& in = module.code.instructions[i];
      InspectedInstruction& one = function.instructions.emplace_back();
      one.text = module.code.text[i];
      one.mnemonic = one.text.substr(0, one.text.find(' '));
      one.meanings.push_back(in.meaning);
      const SourcePosition position = module.code.position(i);
      if (position.line != 0) one.file = module.code.files[position.file], one.line = position.line;
    }
  }
  return inspection;
}

Expected<InspectedProgram> inspect_program(const CompileRequest& request) {
  Expected<CompileResult> compiled = compile(request);
  if (!compiled) return compiled.error();
  InspectedProgram program;
  program.log = compiled->log();
  if (compiled->object) {
    program.inspection = amd::inspect(*compiled->object, *request.target);
    return program;
  }
  if (request.target->isa == IsaFamily::r600 || request.target->isa == IsaFamily::gen) {
    Expected<std::unique_ptr<Module>> module = load_compiled(*compiled, *request.target, request.path);
    if (!module) return module.error();
    program.inspection = inspection_of(**module);
    return program;
  }
  Expected<Inspection> inspection = nv::inspect(compiled->ptx->ptx, *request.target, request.path);
  if (!inspection) return inspection.error();
  program.inspection = std::move(*inspection);
  return program;
}

Expected<std::vector<InspectedKernel>> find_inspected_kernels(const InspectedProgram& program,
                                                              const std::string& name) {
  std::vector<std::string> symbols;
  for (const InspectedFunction& function : program.inspection.functions) {
    if (function.kernel) symbols.push_back(function.name);
  }
  std::vector<InspectedKernel> kernels;
  if (name.empty() && !symbols.empty()) {
    for (const std::string& symbol : symbols) kernels.push_back({symbol, title_of(symbol)});
    return kernels;
  }
  const Expected<std::size_t> chosen = choose_kernel(symbols, name);
  if (!chosen) return chosen.error();
  kernels.push_back({symbols[*chosen], title_of(symbols[*chosen])});
  return kernels;
}

}  // namespace lockstep
