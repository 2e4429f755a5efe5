#include "run/register_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "isa/gen/register_use.h"
#include "isa/nv/wave.h"
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

// The register of the text that a row or scalar belongs to then; nullptr where there is none.
const nv::NamedRegister* ptx_register(const Program& program, RegisterFile file, u32 index, u32 at) {
  if (file != RegisterFile::vector && file != RegisterFile::scalar) return nullptr;
  const std::vector<nv::NamedRegister>& names =
      static_cast<const nv::PtxProgram&>(*program.isa).tables->names;
  const bool predicate = file == RegisterFile::scalar;
  // One of two rows may begin at the row before.
  auto found = std::ranges::lower_bound(names, std::max(index, 1u) - 1, {}, &nv::NamedRegister::place);
  for (; found != names.end() && found->place <= index; ++found) {
    const bool has = found->predicate == predicate && index < found->place + found->rows;
    if (has && found->first <= at && at <= found->last) return &*found;
  }
  return nullptr;
}

// What every wave has, by PTX's names; empty where it has none.
std::string ptx_special(RegisterFile file, u32 index) {
  struct Special {
    u32 first;
    std::string_view name;
  };
  constexpr std::array<Special, 4> scalars = {{{nv::fixed_scalar::ntid, "%ntid"},
                                               {nv::fixed_scalar::ctaid, "%ctaid"},
                                               {nv::fixed_scalar::nctaid, "%nctaid"},
                                               {nv::fixed_scalar::offset, "offset"}}};
  if (file == RegisterFile::vector) {
    if (index < nv::fixed_row::tid + 3) return fmt::format("%tid.{}", "xyz"[index - nv::fixed_row::tid]);
    return index == nv::fixed_row::lane ? "%laneid" : index == nv::fixed_row::frame ? "frame" : "";
  }
  for (const Special& one : scalars) {
    if (index >= one.first && index < one.first + 3)
      return fmt::format("{}.{}", one.name, "xyz"[index - one.first]);
  }
  return "";
}

}  // namespace

std::string register_name(const Module& module, const Program& program, RegisterFile file, u32 index,
                          u32 at) {
  if (file == RegisterFile::exec) return "lanes";
  if (file == RegisterFile::condition) return "scc";
  const IsaFamily family = module.target->isa;
  if (family == IsaFamily::amdgcn) {
    if (file == RegisterFile::scalar) return amd_scalar(index);
    return index < first_accumulator ? fmt::format("v{}", index)
                                     : fmt::format("a{}", index - first_accumulator);
  }
  if (family == IsaFamily::ptx) {
    if (const nv::NamedRegister* named = ptx_register(program, file, index, at))
      return index == named->place ? named->name : named->name + ".hi";
    if (const std::string special = ptx_special(file, index); !special.empty()) return special;
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

bool find_register(const Module& module, const Program& program, const std::string& name, u32 at,
                   RegisterFile& file, u32& index) {
  for (const RegisterFile kind :
       {RegisterFile::vector, RegisterFile::scalar, RegisterFile::condition, RegisterFile::exec}) {
    const u32 most = kind == RegisterFile::vector || kind == RegisterFile::scalar ? most_named : 1;
    for (u32 i = 0; i < most; ++i) {
      if (register_name(module, program, kind, i, at) != name) continue;
      file = kind;
      index = i;
      return true;
    }
  }
  return false;
}

}  // namespace lockstep
