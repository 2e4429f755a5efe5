#include "isa/amd/register_use.h"

#include <algorithm>
#include <bit>

#include "isa/amd/control.h"
#include "isa/amd/format.h"
#include "isa/amd/image_access.h"
#include "isa/amd/register_index.h"
#include "isa/amd/text.h"
#include "isa/wave.h"

namespace lockstep::amd {
namespace {

struct Uses {
  const Instruction& in;
  u32 lanes;
  RegisterUse& use;

  u32 mask_registers() const { return lanes == 64 ? 2 : 1; }

  void read_derived(const Operand& operand) {
    switch (static_cast<Derived>(operand.index)) {
      case Derived::vcc_is_zero:
        return use.read(RegisterFile::scalar, scalar_register::vcc_lo, mask_registers());
      case Derived::exec_is_zero:
        return use.read(RegisterFile::scalar, scalar_register::exec_lo, mask_registers());
      case Derived::scc:
        return use.read(RegisterFile::condition, 0, 1);
      case Derived::local_word:
        return use.read(RegisterFile::scalar, scalar_register::m0, 1);
    }
  }
  // Null is no register: it reads as 0, and what is written to it is gone.
  static bool is_null(const Operand& operand, u32 count) {
    return operand.kind == OperandKind::scalar && operand.index >= null_register &&
           operand.index + count <= scalar_registers;
  }
  void read(const Operand& operand, u32 count) {
    if (is_null(operand, count)) return;
    if (operand.kind == OperandKind::vector) use.read(RegisterFile::vector, operand.index, count);
    if (operand.kind == OperandKind::scalar) use.read(RegisterFile::scalar, operand.index, count);
    if (operand.kind == OperandKind::derived) read_derived(operand);
  }
  void write(const Operand& operand, u32 count) {
    if (is_null(operand, count)) return;
    if (operand.kind == OperandKind::vector) use.write(RegisterFile::vector, operand.index, count);
    if (operand.kind == OperandKind::scalar) use.write(RegisterFile::scalar, operand.index, count);
  }

  // Where the meaning is a function of operands: their sizes follow from its kinds.
  void by_signature() {
    const Semantic& meaning = *in.meaning;
    const bool merges = (in.flags & Instruction::partial_write) != 0 && in.amd.result_part != Part::dword &&
                        in.amd.result_unused == 2;
    write(in.operand[0], registers_of(meaning.result, lanes));
    if (merges) read(in.operand[0], 1);
    if (meaning.mask_result) write(in.operand[4], mask_registers());
    u32 slot = 1;
    for (u32 i = 0; i < meaning.sources; ++i) {
      if (meaning.source[i] == Kind::condition) {
        use.read(RegisterFile::condition, 0, 1);
      } else {
        read(in.operand[slot++], registers_of(meaning.source[i], lanes));
      }
    }
    if (meaning.sets_condition) use.write(RegisterFile::condition, 0, 1);
  }

  // Where it is more than that, the text says how many registers each operand spans.
  void by_text() {
    const Operand& result = in.operand[0];
    if ((in.meaning->implied & implies::keeps_result) == 0) write(result, result.registers);
    const bool merges = (in.flags & Instruction::partial_write) != 0 && in.amd.result_part != Part::dword &&
                        in.amd.result_unused == 2;
    if ((in.meaning->implied & implies::reads_result) != 0 || merges) read(result, result.registers);
    for (u32 i = 1; i < in.operand.size(); ++i) read(in.operand[i], in.operand[i].registers);
    if ((in.meaning->implied & implies::writes_source) != 0) write(in.operand[1], in.operand[1].registers);
  }

  void image() {
    const ImageInstruction how(in);
    const u32 components = static_cast<u32>(std::popcount(how.mask));
    const bool packed = how.halves && !how.apart;
    const bool atomic = in.cost == Cost::vmem_atomic;
    const auto rows = [&](const Operand& operand) {
      return atomic ? u32{operand.registers} : packed ? (components + 1) / 2 : components;
    };
    write(in.operand[0], rows(in.operand[0]));
    // The last half of an odd number of them leaves the other one.
    if (in.operand[0].kind == OperandKind::vector && packed && components % 2 != 0 && !atomic) {
      use.read(RegisterFile::vector, in.operand[0].index + components / 2, 1);
    }
    read(in.operand[2], rows(in.operand[2]));
    if (in.operand[1].kind == OperandKind::vector) {
      for (u32 i = 0; i < address_rows(in); ++i) use.read(RegisterFile::vector, address_row(in, i), 1);
    }
    read(in.operand[3], in.operand[3].registers);
    read(in.operand[4], in.operand[4].registers);
  }

  void scalar_atomic() {
    const Operand& data = in.operand[0];
    read(data, data.registers);
    const bool compares = in.meaning->sources == 2;
    if ((in.flags & Instruction::returns) != 0) write(data, compares ? data.registers / 2 : data.registers);
    read(in.operand[3], in.operand[3].registers);
    read(in.operand[4], in.operand[4].registers);
  }

  void implied() {
    const u16 bits = in.meaning->implied;
    const u32 exec_registers =
        in.meaning->shape == Shape::custom && (bits & implies::writes_exec) != 0
            ? registers_of(in.meaning->result, 64)  // saveexec: of the instruction's own width
            : mask_registers();
    if ((bits & implies::reads_exec) != 0)
      use.read(RegisterFile::scalar, scalar_register::exec_lo, exec_registers);
    if ((bits & implies::writes_exec) != 0)
      use.write(RegisterFile::scalar, scalar_register::exec_lo, exec_registers);
    if ((in.flags & Instruction::also_exec) != 0)
      use.write(RegisterFile::scalar, scalar_register::exec_lo, mask_registers());
    if ((bits & implies::reads_vcc) != 0)
      use.read(RegisterFile::scalar, scalar_register::vcc_lo, mask_registers());
    if ((bits & implies::reads_condition) != 0) use.read(RegisterFile::condition, 0, 1);
    if ((bits & implies::writes_condition) != 0) use.write(RegisterFile::condition, 0, 1);
    const bool local_limit =
        in.addressing == Addressing::local && (in.amd.memory & AmdFields::local_limit) != 0;
    const bool reads_m0 =
        (bits & implies::reads_m0) != 0 || (local_limit && in.meaning->shape == Shape::memory);
    if (reads_m0) use.read(RegisterFile::scalar, scalar_register::m0, 1);
    if ((bits & implies::writes_m0) != 0) use.write(RegisterFile::scalar, scalar_register::m0, 1);
    if ((bits & implies::indexed) != 0) use.indexed = true;
  }

  void all() {
    implied();
    hardware_register_use(in, use);
    if (moves_by_mode(in)) {
      use.read(RegisterFile::scalar, scalar_register::m0, 1);
      use.indexed = true;
    }
    switch (in.meaning->shape) {
      case Shape::lanewise:
      case Shape::packed:
      case Shape::scalar:
        return by_signature();
      case Shape::memory:
        if (in.addressing == Addressing::image) return image();
        if (in.addressing == Addressing::scalar && in.cost == Cost::smem_store &&
            (in.meaning->implied & implies::keeps_result) == 0) {
          return scalar_atomic();
        }
        return by_text();
      default:
        return by_text();
    }
  }
};

}  // namespace

void register_use(const Instruction& instruction, u32 lanes, RegisterUse& use) {
  for (u32 i = 0; i < std::max<u32>(instruction.slots, 1); ++i) {
    const Instruction& in = *(&instruction + i);
    if (in.meaning != nullptr) Uses{in, lanes, use}.all();
  }
}

}  // namespace lockstep::amd
