// From a function's statements to instructions whose registers are still virtual.
#pragma once
#include <map>
#include <optional>

#include "isa/nv/least_target.h"
#include "isa/nv/syntax.h"
#include "isa/nv/wave.h"
#include "isa/semantic.h"
#include "machine/target.h"

namespace lockstep::nv {

// Where the module's variables lie.
struct Layout {
  // By variable: in the image, in shared memory (from the end of the kernel's variables where it has no
  // size), or in its function's frame.
  std::vector<u64> address;
  std::vector<u32> frame_bytes;      // by function, a multiple of every variable's alignment
  std::vector<u32> parameter_bytes;  // by kernel: of the argument buffer
  std::vector<u8> image;
  std::vector<u64> shared_bytes;  // by function, for kernels: static
  // What a call parameter of a function's body becomes: the offset of the callee's formal one, from its frame
  // on.
  std::vector<u32> call_offset;  // by variable; no_index: none
};

// Virtual registers have this bit in Operand::index.
inline constexpr u32 virtual_register = u32{1} << 31;

struct Lowered {
  Instruction in;
  u8 defined = 0;        // bits of operands that are written; the other register operands are read
  u32 guard = no_index;  // virtual predicate
  u32 statement = 0;
  std::string_view label;                // branch target
  u32 target = no_index;                 // branch target: lowered index, once labels are known
  u32 callee = no_index;                 // function index
  bool indirect = false;                 // a call through a pointer: its lanes meet behind it
  std::vector<u32> possible;             // functions that it may call
  std::vector<std::string_view> labels;  // of an indexed branch
  std::vector<u32> targets;
  // Of a branch: where its lanes meet, outermost first, each with the number of loops that it shares with the
  // branch. Of a meeting: the places in loops that who comes here has left.
  std::vector<u32> meetings;
  // Matrix instructions: registers by number, results first. In Tables::registers at operand[5].value.
  std::vector<u32> wide_results, wide_sources;
  std::vector<u8> wide_rows;  // how many rows each of them has, once registers are assigned
  bool ends = false;          // nothing follows: exit, ret, bra, trap
  bool conditional = false;   // a branch that may fall through
};

// Where a virtual register lies once registers are assigned, and from when to when the place is its own:
// instruction i of the function's code reads at 2 * i and writes at 2 * i + 1.
struct Placed {
  u32 reg = 0, place = 0;  // a row's number or a scalar's
  u32 begin = 0, end = 0;
};

struct LoweredFunction {
  std::vector<Lowered> code;
  std::vector<Placed> placed;   // in the order of their first instructions
  std::vector<Type> registers;  // virtual ones: the function's own, then temporaries
  std::vector<u32> first_of_statement;
  std::vector<u32> callees;
};

class Lowering {
 public:
  Lowering(const ModuleTree& tree, const Layout& layout, u32 function, const Target& target,
           std::string_view text, const std::string& name, Tables& tables)
      : tree_(tree),
        layout_(layout),
        function_index_(function),
        function_(tree.functions[function]),
        target_(target),
        text_(text),
        name_(name),
        tables_(tables),
        constants_in_memory_(constants_lie_in_memory(tree, target)),
        text_capability_(capability_named(tree.target).value_or(target.compute_capability())) {}
  bool run();
  // Every statement by itself, without labels: what is wrong with those that are not known, by their number.
  std::map<u32, Diagnostic> inspect();
  const Diagnostic& error() const { return *error_; }
  LoweredFunction take() { return std::move(result_); }

 private:
  using Tree = OperandTree;

  bool fail(std::string message);
  bool has(std::string_view word) const;
  const std::string_view& word(std::size_t i) const;
  std::size_t words() const { return statement_->words.size(); }
  const Tree* operand_tree(std::size_t i);  // with an error when there is none
  bool operand_count(std::size_t least, std::size_t most);
  // An error, about `what`, where the text's target is an older one.
  bool needs_target(u32 capability, std::string_view what);

  bool lower_statement();
  bool lower_plain();
  bool lower_lookup(const std::string& name);
  bool lower_mov();
  bool lower_setp();
  bool lower_set();
  bool lower_cvt();
  bool lower_branch();
  bool lower_indexed_branch();
  bool lower_call();
  bool lower_print(const FunctionTree& callee);
  void skip_unless_guard();
  bool pass_registers(const FunctionTree& callee, const Tree* list, bool results);
  void frame_access(u32 reg, u64 offset, bool load);
  bool lower_barrier();
  bool lower_cross_lane();
  bool lower_image();
  bool image_handle(u32& reg, const Tree& tree);
  bool image_source(std::vector<u32>& list, const Tree& tree, Kind kind);
  bool lower_matrix();
  bool lower_eights();
  bool lower_fragment();
  bool fragment(std::vector<u32>& list, const Tree& tree, u32 registers, bool wide);
  bool lower_load();
  bool lower_store();
  bool lower_atomic();
  bool lower_async_copy();
  bool lower_nothing();
  bool memory_space(StateSpace& space, const Tree& address);
  bool address_operand(Lowered& lowered, const Tree& address, StateSpace space);
  static bool constants_lie_in_memory(const ModuleTree& tree, const Target& target);
  StateSpace space_word() const;

  Lowered start(const Semantic& meaning, Cost cost, u16 flags = 0) const;
  void emit(Lowered lowered);
  bool source(Operand& operand, const Tree& tree, Kind kind);
  bool destination(Lowered& lowered, u32 slot, const Tree& tree, Kind kind);
  bool special(Operand& operand, const Tree& tree);
  bool constant(Operand& operand, const Tree& tree, Kind kind);
  bool register_source(Operand& operand, const Tree& tree, Kind kind);
  u32 temporary(Type type);
  Operand virtual_operand(u32 reg) const;
  Type register_type(u32 reg) const { return result_.registers[reg]; }
  bool into_register(Operand& operand, const Tree& tree, Kind kind);

  const ModuleTree& tree_;
  const Layout& layout_;
  u32 function_index_;
  const FunctionTree& function_;
  const Target& target_;
  std::string_view text_;
  const std::string& name_;
  Tables& tables_;
  const bool constants_in_memory_;
  const u32 text_capability_;  // of the text's .target, whatever later GPU it runs on
  const Statement* statement_ = nullptr;
  u32 statement_index_ = 0;
  bool unguarded_ = false;  // the guard has become a branch
  LoweredFunction result_;
  std::optional<Diagnostic> error_;
};

// Adds meeting instructions, resolves labels to instruction indices, gives registers rows and scalars.
// `row_base` is the first row that the function may use. Returns how many rows and scalars it uses.
struct RegisterCount {
  u32 rows = 0;
  u32 scalars = 0;
  u32 most_live_rows = 0;  // at one place: what a compiler needs at least
};
void add_meetings(LoweredFunction& function, u32 major);
RegisterCount assign_registers(LoweredFunction& function, u32 row_base, u32 scalar_base);

}  // namespace lockstep::nv
