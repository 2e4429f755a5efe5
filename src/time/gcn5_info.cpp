#include "time/gcn5_info.h"

#include <fmt/format.h>

#include "isa/amd/format.h"

namespace lockstep::gcn5 {
namespace {

void mark(std::array<u64, 2>& registers, const Operand& operand) {
  if (operand.kind != OperandKind::scalar) return;
  for (u32 i = 0; i < operand.registers; ++i) {
    const u32 index = operand.index + i;
    if (index < 128) registers[index / 64] |= u64{1} << (index % 64);
  }
}

Category category_of(Cost cost) {
  switch (cost) {
    case Cost::salu:
      return Category::salu;
    case Cost::smem_load:
    case Cost::smem_store:
    case Cost::smem_time:
      return Category::smem;
    case Cost::vmem_load:
    case Cost::vmem_store:
    case Cost::vmem_atomic:
    case Cost::vmem_image:
      return Category::vmem;
    case Cost::lds_load:
    case Cost::lds_store:
    case Cost::lds_atomic:
    case Cost::lds_permute:
      return Category::lds;
    case Cost::branch:
    case Cost::message:
      return Category::branch;
    case Cost::barrier:
    case Cost::wait:
    case Cost::nop:
    case Cost::sleep:
    case Cost::end:
      return Category::internal;
    default:
      return Category::valu;
  }
}

}  // namespace

Status describe(const Instruction& instruction, const Gcn5Parameters& parameters, u64 code_address,
                InstructionInfo& info) {
  const Cost cost = instruction.cost;
  if (cost == Cost::gds || cost == Cost::smem_store || cost == Cost::valu_matrix || cost >= Cost::count) {
    return Diagnostic{"not-timed",
                      {},
                      fmt::format("instructions of the class {} are not modelled on GCN5",
                                  cost < Cost::count ? name(cost) : "unknown"),
                      "run without timing"};
  }
  info.address = code_address + instruction.address;
  info.size = instruction.size;
  info.cost = cost;
  info.flat = instruction.addressing == Addressing::flat && cost != Cost::cache_control;
  info.category = category_of(cost);
  if (cost == Cost::cache_control) {
    info.scalar_cache = instruction.amd.format == amd::Format::smem;
    info.category = info.scalar_cache ? Category::smem : Category::vmem;
  }
  switch (info.category) {
    case Category::valu:
      info.cycles = parameters.valu_cycles[static_cast<std::size_t>(cost)];
      LOCKSTEP_ASSERT(info.cycles > 0, "every VALU class has a cost");
      // The result and the mask result; the shapes keep them in these places.
      mark(info.writes, instruction.operand[0]);
      mark(info.writes, instruction.operand[4]);
      break;
    case Category::salu:
      info.cycles = static_cast<u16>(parameters.salu_cycles);
      for (std::size_t i = 1; i < instruction.operand.size(); ++i) mark(info.reads, instruction.operand[i]);
      break;
    case Category::branch:
      // Conditional branches read VCC or EXEC without naming them.
      mark(info.reads, {OperandKind::scalar, 2, 0, Part::dword, 106, 0});
      mark(info.reads, {OperandKind::scalar, 2, 0, Part::dword, 126, 0});
      for (const Operand& operand : instruction.operand) mark(info.reads, operand);
      info.cycles = static_cast<u16>(parameters.branch_not_taken);
      break;
    case Category::smem:
    case Category::vmem:
    case Category::lds:
      for (std::size_t i = 1; i < instruction.operand.size(); ++i) mark(info.reads, instruction.operand[i]);
      break;
    default:
      break;
  }
  return Success{};
}

}  // namespace lockstep::gcn5
