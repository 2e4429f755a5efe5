#include "isa/absent/absent.h"
#include "isa/nv/inspect.h"
#include "isa/nv/module.h"
#include "isa/slow_way.h"

namespace lockstep {

SlowWay slow_way_of(const Instruction&) {
  return SlowWay::none;
}

u64 slow_lanes(const WaveState&, const Instruction&, SlowWay) {
  return 0;
}

}  // namespace lockstep

namespace lockstep::nv {

Expected<std::unique_ptr<Module>> load_module(const std::string&, const Target&, const std::string&) {
  return not_built("NVIDIA");
}

Expected<Inspection> inspect(const std::string&, const Target&, const std::string&) {
  return not_built("NVIDIA");
}

}  // namespace lockstep::nv
