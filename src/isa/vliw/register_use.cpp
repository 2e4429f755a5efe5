#include "isa/vliw/register_use.h"

#include "isa/semantic.h"
#include "isa/vliw/control.h"
#include "isa/vliw/image.h"
#include "isa/vliw/wave.h"

namespace lockstep::vliw {
namespace {

RegisterFile file_of(const Operand& operand) {
  return operand.kind == OperandKind::vector ? RegisterFile::vector : RegisterFile::scalar;
}

// The coordinates and the channels of the result that its swizzles name.
void rows_of_texture(const Instruction& in, RegisterUse& use) {
  const TextureForm form = TextureForm::unpack(in);
  for (u32 i = 0; i < 4; ++i) {
    const u32 from = (form.source >> (3 * i)) & 7, what = (form.result >> (3 * i)) & 7;
    if (from < 4) use.read(RegisterFile::vector, in.operand[1].index + from, 1);
    if (what < 6) use.write(RegisterFile::vector, in.operand[0].index + i, 1);
  }
}

void one(const Instruction& in, const RowLayout& layout, RegisterUse& use) {
  const Semantic& meaning = *in.meaning;
  if ((meaning.implied & implies::reads_exec) != 0) use.read(RegisterFile::exec, 0, 1);
  if ((meaning.implied & implies::writes_exec) != 0) use.write(RegisterFile::exec, 0, 1);
  if (in.guard != 0) use.read(RegisterFile::scalar, in.guard_register, 2);
  const bool texture = in.meaning == &sample_texture() || in.meaning == &fetch_texel();
  if (texture) return rows_of_texture(in, use);
  for (std::size_t i = 0; i < in.operand.size(); ++i) {
    const Operand& operand = in.operand[i];
    if (operand.kind != OperandKind::vector && operand.kind != OperandKind::scalar) continue;
    if (i == 0) {
      use.write(file_of(operand), operand.index, operand.registers);
    } else {
      use.read(file_of(operand), operand.index, operand.registers);
    }
  }
  // The start of an ALU clause brings constants in.
  const bool clause = in.meaning == &control(Step::clause) || in.meaning == &control(Step::push_clause);
  if (clause) use.write(RegisterFile::scalar, fixed_scalar::constants, in.detail);
  // Any register, since lanes choose.
  if (in.meaning == &read_relative()) use.read(RegisterFile::vector, 0, 4 * layout.general);
  if (in.meaning == &write_relative()) use.write(RegisterFile::vector, 0, 4 * layout.general);
}

}  // namespace

void register_use(const Instruction& in, const RowLayout& layout, RegisterUse& use) {
  const Instruction* part = &in;
  for (u32 i = 0; i < in.slots; ++i) one(part[i], layout, use);
}

}  // namespace lockstep::vliw
