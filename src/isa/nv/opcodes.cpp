#include "isa/nv/opcodes.h"

namespace lockstep::nv {

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
