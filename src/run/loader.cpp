#include "run/loader.h"

#include <fmt/format.h>

#include "base/nearest.h"
#include "isa/amd/module.h"
#include "isa/nv/module.h"

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

Expected<std::unique_ptr<Module>> load_compiled(const CompileResult& compiled, const Target& target,
                                                const std::string& name) {
  if (!compiled.object) return nv::load_module(compiled.ptx->ptx, target, name);
  return amd::load_module(*compiled.object, target, name);
}

Expected<const Program*> find_kernel(const Module& module, const std::string& name) {
  std::vector<std::string> names;
  for (const Program& program : module.programs) names.push_back(program.name);
  if (name.empty()) {
    if (module.programs.size() == 1) return &module.programs[0];
    return Diagnostic{"no-such-kernel",
                      {},
                      fmt::format("the program has {} kernels: name one", names.size()),
                      fmt::format("--kernel {}", fmt::join(names, ", or "))};
  }
  if (const Program* program = module.find(name)) return program;
  const std::vector<std::string> near = nearest_names(name, names);
  return Diagnostic{"no-such-kernel",
                    {},
                    fmt::format("no kernel named '{}'", name),
                    names.empty() ? "the program has no kernels"
                                  : fmt::format("{}: {}", near.empty() ? "its kernels" : "did you mean",
                                                fmt::join(near.empty() ? names : near, ", "))};
}

}  // namespace lockstep
