#include "isa/absent/absent.h"
#include "isa/gen/module.h"

namespace lockstep::gen {

Expected<std::unique_ptr<Module>> load_module(const std::string&, const Target&, const std::string&) {
  return not_built("Intel");
}

}  // namespace lockstep::gen
