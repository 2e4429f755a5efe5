#include "isa/nv/opcodes.h"

namespace lockstep::nv {

void Opcodes::add(std::string_view name, const Semantic& meaning, Cost cost, u16 flags, bool carry_in,
                  bool carry_out) {
  rows_[std::string(name)] = {&meaning, cost, flags, carry_in, carry_out};
}

void Opcodes::add(Parts name, const Semantic& meaning, Cost cost, u16 flags) {
  std::string whole;
  for (const std::string_view part : name) whole += part;
  add(whole, meaning, cost, flags);
}

const Opcodes& opcodes() {
  static const Opcodes all = [] {
    Opcodes list;
    add_integer(list);
    add_bits(list);
    add_carry(list);
    add_float(list);
    add_float_approximations(list);
    add_half(list);
    add_compare(list);
    add_convert_integers(list);
    add_convert_to_integers(list);
    add_convert_floats(list);
    add_convert_small(list);
    add_moves(list);
    return list;
  }();
  return all;
}

}  // namespace lockstep::nv
