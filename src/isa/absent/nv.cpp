#include "isa/absent/absent.h"
#include "isa/nv/inspect.h"
#include "isa/nv/module.h"

namespace lockstep::nv {

Expected<std::unique_ptr<Module>> load_module(const std::string&, const Target&, const std::string&) {
  return not_built("NVIDIA");
}

Expected<Inspection> inspect(const std::string&, const Target&, const std::string&) {
  return not_built("NVIDIA");
}

}  // namespace lockstep::nv
