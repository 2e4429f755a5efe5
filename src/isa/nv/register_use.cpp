#include "isa/nv/register_use.h"

#include "isa/nv/control.h"
#include "isa/nv/memory.h"
#include "isa/nv/wave.h"
#include "isa/semantic.h"

namespace lockstep::nv {
namespace {

void wide_registers(const Instruction& in, const Tables& tables, RegisterUse& use) {
  const u32 list = static_cast<u32>(in.operand[5].value);
  const auto wide = tables.wide.find(list);
  if (in.operand[5].kind != OperandKind::immediate || wide == tables.wide.end()) return;
  for (u32 i = 0; i < wide->second.rows.size(); ++i) {
    const u32 first = tables.registers[list][i], rows = wide->second.rows[i];
    if (i < wide->second.results) {
      use.write(RegisterFile::vector, first, rows);
    } else {
      use.read(RegisterFile::vector, first, rows);
    }
  }
}

}  // namespace

void register_use(const Instruction& in, const Tables* tables, RegisterUse& use) {
  const Semantic& meaning = *in.meaning;
  // Every instruction asks which lanes run.
  use.read(RegisterFile::exec, 0, 1);
  if ((meaning.implied & implies::writes_exec) != 0) use.write(RegisterFile::exec, 0, 1);
  if (in.guard != 0) use.read(RegisterFile::scalar, in.guard_register, 1);
  for (u32 i = 0; i < in.operand.size(); ++i) {
    const Operand& operand = in.operand[i];
    if (operand.kind != OperandKind::vector && operand.kind != OperandKind::scalar) continue;
    const RegisterFile file =
        operand.kind == OperandKind::vector ? RegisterFile::vector : RegisterFile::scalar;
    // The fourth source and the mask beside a result share a place: the carry flag of madc and its like is
    // both.
    const bool carry = file == RegisterFile::scalar && operand.index == fixed_scalar::carry && i == 4;
    const bool written = ((in.nv.written_operands >> i) & 1) != 0 || (carry && meaning.mask_result);
    if (written) use.write(file, operand.index, operand.registers);
    if (!written || (carry && meaning.sources == 4)) use.read(file, operand.index, operand.registers);
  }
  if (tables != nullptr) wide_registers(in, *tables, use);
  if (meaning.shape == Shape::memory && in.nv.base == Base::frame)
    use.read(RegisterFile::vector, fixed_row::frame, 1);
  if ((meaning.implied & implies::frame) != 0) use.read(RegisterFile::vector, fixed_row::frame, 1);
  if ((meaning.implied & implies::moves_frame) != 0) use.write(RegisterFile::vector, fixed_row::frame, 1);
  // A call that may come back to its caller's code keeps the caller's registers, and its return restores
  // them.
  const bool calls = in.meaning == &call() || in.meaning == &indirect_call();
  if (calls && tables != nullptr && in.operand[3].kind == OperandKind::immediate) {
    const std::vector<u32>& kept = tables->registers[in.operand[3].value];
    use.read(RegisterFile::vector, kept[0], kept[1]);
    use.read(RegisterFile::scalar, kept[2], kept[3]);
  }
  if (in.meaning == &return_from_call()) use.indexed = true;
}

}  // namespace lockstep::nv
