#include "run/register_name.h"

#include <fmt/format.h>

#include "isa/gen/register_use.h"
#include "isa/vliw/wave.h"
#include "isa/wave.h"
#include "machine/target.h"

namespace lockstep {
namespace {

constexpr u32 first_accumulator = 256;  // of AMD's vector registers: RegisterFile::vector
constexpr u32 most_named = 1024;        // registers of one kind that a name may have

std::string amd_scalar(u32 index) {
  switch (index) {
    case scalar_register::vcc_lo:
      return "vcc_lo";
    case scalar_register::vcc_hi:
      return "vcc_hi";
    case scalar_register::m0:
      return "m0";
    case scalar_register::exec_lo:
      return "exec_lo";
    case scalar_register::exec_hi:
      return "exec_hi";
    default:
      return fmt::format("s{}", index);
  }
}

}  // namespace

std::string register_name(const Module& module, const Program& program, RegisterFile file, u32 index) {
  if (file == RegisterFile::exec) return "lanes";
  if (file == RegisterFile::condition) return "scc";
  const IsaFamily family = module.target->isa;
  if (family == IsaFamily::amdgcn) {
    if (file == RegisterFile::scalar) return amd_scalar(index);
    return index < first_accumulator ? fmt::format("v{}", index)
                                     : fmt::format("a{}", index - first_accumulator);
  }
  if (family == IsaFamily::r600 && file == RegisterFile::vector) {
    const auto& own = static_cast<const vliw::VliwProgram&>(*program.isa);
    if (index < 4 * own.layout.general) return fmt::format("T{}.{}", index / 4, "xyzw"[index % 4]);
  }
  if (family == IsaFamily::gen) {
    if (file == RegisterFile::vector) {
      if (index < gen::vector_number::accumulator) return fmt::format("r{}", index);
      return index < gen::vector_number::extended
                 ? fmt::format("acc{}", index - gen::vector_number::accumulator)
                 : fmt::format("mme{}", index - gen::vector_number::extended);
    }
    switch (index) {
      case gen::scalar_number::flag0:
        return "f0";
      case gen::scalar_number::flag1:
        return "f1";
      case gen::scalar_number::address:
        return "a0";
      case gen::scalar_number::control:
        return "cr0";
      case gen::scalar_number::notification:
        return "n0";
      default:
        break;
    }
  }
  return fmt::format("{} {}", file == RegisterFile::vector ? "row" : "scalar", index);
}

bool find_register(const Module& module, const Program& program, const std::string& name, RegisterFile& file,
                   u32& index) {
  for (const RegisterFile kind :
       {RegisterFile::vector, RegisterFile::scalar, RegisterFile::condition, RegisterFile::exec}) {
    const u32 most = kind == RegisterFile::vector || kind == RegisterFile::scalar ? most_named : 1;
    for (u32 i = 0; i < most; ++i) {
      if (register_name(module, program, kind, i) != name) continue;
      file = kind;
      index = i;
      return true;
    }
  }
  return false;
}

}  // namespace lockstep
