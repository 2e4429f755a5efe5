// Nodes to instructions whose registers are still virtual.
#pragma once
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>

#include "time/program/nv/plan.h"

namespace lockstep::lowering {

// A virtual register. Operands name it by LoweredOperand::index, and the first of the 32-bit registers within
// it by `value`.
struct VirtualRegister {
  LoweredOperand::File file = LoweredOperand::File::general;
  u8 width = 1;
  bool aligned = false;  // used as one value of its width
};

struct Selected {
  std::vector<VirtualRegister> registers;
  std::vector<std::vector<LoweredInstruction>> regions;  // by the plan's regions
  u64 slow_paths = 0;                                    // instructions that are hardly ever executed
};

// One of the 32-bit registers within a wide one.
inline LoweredOperand half_register(LoweredOperand operand, u8 which) {
  operand.value += which;
  operand.width = 1;
  return operand;
}

inline constexpr u32 stack_pointer = 1u << 30;  // R1, as a virtual register's number

// What a load or store that moves less or more than a word for each lane says behind its mnemonic.
std::string_view size_word(const Node& n, u32 registers);

class Selector {
 public:
  using O = LoweredOperand;
  using Op_ = LoweredOpcode;

  Selector(Function& function, const Plan& plan) : f_(function), plan_(plan) {}
  Selected run(bool entry);

 private:
  // Operands.
  O fresh(u8 width);
  O fresh_predicate();
  O uniform_register(u8 width);
  O result(u32 node);
  O predicate_result(u32 node, bool second = false);
  O value(const Ref& ref);        // one register, a constant or an immediate
  O in_register(const Ref& ref);  // one general register
  O wide(const Ref& ref);         // registers behind one another
  O uniform_double(u64 value);
  O wide_real_source(const Ref& ref);  // a double: a constant by its upper word, where that is all
  O predicate(const Ref& ref);
  O part(const Ref& ref, u8 which) {
    return value({ref.node, static_cast<u8>(ref.part + which), 1, ref.modifiers});
  }
  O moved(const O& operand);
  u32 in_front_of_loops() const;
  void load_at_end_of(u32 block, LoweredOpcode opcode, std::string_view modifiers, const O& to,
                      const O& word);
  O constant_word(u32 bank, u64 offset, u8 width = 1);
  O uniform_word(const O& word);
  O parameter_word(const Node& n) const;
  LoweredInstruction& reduce_by_shuffles(const Node& n, const O& base, bool shared);
  bool turn_yields(u32 block) const;
  void yielding(u32 from);
  void add_uniform_base(LoweredInstruction& in, const Ref& address);
  O base_of(const Ref& ref, i32& offset);  // an address
  static O immediate(u64 value);
  static O zero();
  static O truth();

  // Emission.
  LoweredInstruction& out(Op_ opcode, std::string_view modifiers, std::initializer_list<O> results,
                          std::initializer_list<O> sources);
  void legalise(LoweredInstruction& in);
  O sequence(std::string_view text, std::initializer_list<O> sources, u8 result_width, u32 node,
             u8 routine_registers = 0);
  void parting(u32 count);
  void branch_parting();

  void node(u32 number);
  void block(u32 b);
  void divide(u32 number, const Node& n);
  void divide_wide(u32 number, const Node& n);
  bool integer(u32 number, const Node& n);
  bool wide_integer(u32 number, const Node& n);
  bool real(u32 number, const Node& n);
  bool wide_real(u32 number, const Node& n);
  bool half(u32 number, const Node& n);
  bool convert(u32 number, const Node& n);
  bool memory(u32 number, const Node& n);
  bool effect(u32 number, const Node& n);
  bool lanes(u32 number, const Node& n);
  void matrix(u32 number, const Node& n);
  void copies(u32 b);
  void drop_unused_words();
  void order_block(u32 b);
  void compare(u32 number, const Node& n);

  u32 capability() const { return f_.capability; }
  bool hopper() const { return f_.capability >= 90; }

  Function& f_;
  const Plan& plan_;
  Selected s_;
  std::vector<u32> uses_;
  std::vector<u32> register_of_, predicate_of_, second_of_, high_of_;
  u8 every_ = 1;          // of what is made
  bool routine_ = false;  // what is made is of a routine
  bool uniform_ = false;  // it is made by the uniform datapath
  u32 block_ = 0, region_ = 0, from_ = 0;
  O guard_;                                      // of the block
  std::map<std::tuple<u32, u64, u8>, O> words_;  // constants in uniform registers, by block
  std::map<u32, u32> held_over_;  // how many of these registers loops are entered with, by the block in front
  std::map<std::pair<u32, u64>, O> pairs_;  // in this block
  std::map<u32, O> word_of_;                // by uniform register: which it was loaded with
  // What is no register and was moved into one: by block, file, bank, index and value.
  std::map<std::tuple<u32, O::File, u32, u32, u64>, O> moved_;
  // Which lanes run, their highest, whether this one is it: found once in a block.
  u32 leader_block_ = none;
  O leader_lanes_, leader_, leads_;
  std::vector<std::pair<u64, O>> doubles_;   // in this block
  std::set<std::pair<u8, u64>> words_used_;  // of constant banks, one by one
  std::vector<bool> needs_high_;             // of sign extensions
};

}  // namespace lockstep::lowering
