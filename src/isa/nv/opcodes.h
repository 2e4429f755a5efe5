// PTX instructions that compute: what a spelled-out opcode ("add.rn.ftz.f32") means and costs.
#pragma once
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "isa/semantic.h"

namespace lockstep::nv {

struct Opcode {
  const Semantic* meaning = nullptr;
  Cost cost = Cost::valu_full;
  u16 flags = 0;  // of Instruction
  // Reads and writes the carry flag (CC.CF), which lies in a mask register of its own.
  bool carry_in = false, carry_out = false;
};

class Opcodes {
 public:
  void add(std::string_view name, const Semantic& meaning, Cost cost, u16 flags = 0, bool carry_in = false,
           bool carry_out = false);
  // A name of several parts, put together here: where hundreds of rows are added, the code that joins strings
  // would take longer to compile than what the instructions do.
  using Parts = std::initializer_list<std::string_view>;
  void add(Parts name, const Semantic& meaning, Cost cost, u16 flags = 0);
  // nullptr when there is none of this spelling.
  const Opcode* find(std::string_view name) const {
    const auto found = rows_.find(name);
    return found == rows_.end() ? nullptr : &found->second;
  }
  const std::map<std::string, Opcode, std::less<>>& rows() const { return rows_; }

 private:
  std::map<std::string, Opcode, std::less<>> rows_;
};

// Each chapter adds its rows.
void add_integer(Opcodes& opcodes);
void add_bits(Opcodes& opcodes);
void add_carry(Opcodes& opcodes);
void add_float(Opcodes& opcodes);
void add_float_approximations(Opcodes& opcodes);
void add_half(Opcodes& opcodes);
void add_compare(Opcodes& opcodes);
void add_convert_integers(Opcodes& opcodes);
void add_convert_to_integers(Opcodes& opcodes);
void add_convert_floats(Opcodes& opcodes);
void add_convert_small(Opcodes& opcodes);
void add_moves(Opcodes& opcodes);

const Opcodes& opcodes();

}  // namespace lockstep::nv
