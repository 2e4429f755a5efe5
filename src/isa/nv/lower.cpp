#include "isa/nv/lower.h"

#include <fmt/format.h>

#include "float/float.h"
#include "isa/nv/control.h"
#include "isa/nv/memory.h"
#include "isa/nv/opcodes.h"
#include "isa/nv/policy.h"
#include "isa/nv/special.h"
#include "isa/semantic.h"

namespace lockstep::nv {
namespace {

u32 rows_of(Type type) {
  return bytes_of(type) == 8 ? 2 : 1;
}
bool is_wide(Kind kind) {
  return kind == Kind::u64 || kind == Kind::i64 || kind == Kind::f64;
}

}  // namespace

bool Lowering::fail(std::string message) {
  if (!error_) {
    error_ =
        bad_ptx(text_, name_, statement_ != nullptr ? statement_->line : function_.line, std::move(message));
  }
  return false;
}
const std::string_view& Lowering::word(std::size_t i) const {
  static const std::string_view none;
  return i < statement_->words.size() ? statement_->words[i] : none;
}
bool Lowering::has(std::string_view wanted) const {
  for (const std::string_view w : statement_->words) {
    if (w == wanted) return true;
  }
  return false;
}
const OperandTree* Lowering::operand_tree(std::size_t i) {
  if (i < statement_->operands.size()) return &statement_->operands[i];
  fail(fmt::format("'{}' has too few operands", statement_->opcode));
  return nullptr;
}
bool Lowering::operand_count(std::size_t least, std::size_t most) {
  const std::size_t count = statement_->operands.size();
  if (count >= least && count <= most) return true;
  return fail(fmt::format("'{}' takes {} operands, not {}", statement_->opcode,
                          least == most ? std::to_string(least) : fmt::format("{} to {}", least, most),
                          count));
}
bool Lowering::needs_target(u32 capability, std::string_view what) {
  if (text_capability_ >= capability) return true;
  return fail(fmt::format("'{}' needs sm_{}, the target is {}", what, capability, tree_.target));
}

std::map<u32, Diagnostic> Lowering::inspect() {
  std::map<u32, Diagnostic> problems;
  for (const RegisterDecl& reg : function_.registers) result_.registers.push_back(reg.type);
  for (statement_index_ = 0; statement_index_ < function_.body.size(); ++statement_index_) {
    statement_ = &function_.body[statement_index_];
    result_.first_of_statement.push_back(static_cast<u32>(result_.code.size()));
    if (lower_statement()) continue;
    problems.emplace(statement_index_, std::move(*error_));
    error_.reset();
  }
  statement_ = nullptr;
  return problems;
}

bool Lowering::run() {
  for (const RegisterDecl& reg : function_.registers) result_.registers.push_back(reg.type);
  statement_index_ = 0;
  for (const auto& [variable, reg] : function_.register_parameters)
    frame_access(reg, layout_.address[variable], true);
  for (; statement_index_ < function_.body.size(); ++statement_index_) {
    statement_ = &function_.body[statement_index_];
    result_.first_of_statement.push_back(static_cast<u32>(result_.code.size()));
    if (!lower_statement()) return false;
  }
  statement_index_ = function_.body.empty() ? 0 : static_cast<u32>(function_.body.size() - 1);
  statement_ = nullptr;
  // Functions end at one place, where all of their lanes meet.
  const u32 end = static_cast<u32>(result_.code.size());
  result_.first_of_statement.push_back(end);
  for (const auto& [variable, reg] : function_.register_results)
    frame_access(reg, layout_.address[variable], false);
  Lowered last;
  last.in.meaning = function_.kernel ? &exit_lanes() : &return_from_call();
  last.in.cost = function_.kernel ? Cost::end : Cost::branch;
  last.ends = true;
  last.statement = statement_index_;
  result_.code.push_back(last);
  const auto keeps_turns = [&](std::string_view label) {
    const auto found = function_.labels.find(label);
    return found != function_.labels.end() &&
           (tree_.rolled || function_.all_rolled || function_.rolled.contains(found->second));
  };
  const auto resolve = [&](std::string_view label, u32& target) {
    if (label == "\nend") {
      target = end;
      return true;
    }
    const auto found = function_.labels.find(label);
    if (found == function_.labels.end())
      return fail(fmt::format("label '{}' is not in '{}'", label, function_.name));
    target = result_.first_of_statement[found->second];
    return true;
  };
  for (Lowered& lowered : result_.code) {
    if (!function_.body.empty()) statement_ = &function_.body[lowered.statement];
    if (!lowered.label.empty() && !resolve(lowered.label, lowered.target)) return false;
    if (lowered.in.meaning == &branch() && !lowered.label.empty())
      lowered.in.detail = (keeps_turns(lowered.label) ? nounroll : 0) |
                          (!function_.body.empty() && statement_->jumps_back ? jumps_back : 0);
    for (const std::string_view label : lowered.labels) {
      lowered.targets.emplace_back();
      if (!resolve(label, lowered.targets.back())) return false;
    }
  }
  return true;
}

Lowered Lowering::start(const Semantic& meaning, Cost cost, u16 flags) const {
  Lowered lowered;
  lowered.in.meaning = &meaning;
  lowered.in.cost = cost;
  lowered.in.flags = flags;
  lowered.statement = statement_index_;
  return lowered;
}

void Lowering::emit(Lowered lowered) {
  if (statement_->guard != no_index && !unguarded_) {
    lowered.guard = statement_->guard;
    lowered.in.guard = statement_->guard_negated ? 2 : 1;
  }
  result_.code.push_back(std::move(lowered));
}

u32 Lowering::temporary(Type type) {
  result_.registers.push_back(type);
  return static_cast<u32>(result_.registers.size() - 1);
}

Operand Lowering::virtual_operand(u32 reg) const {
  Operand operand;
  const Type type = result_.registers[reg];
  operand.kind = type == Type::pred_ ? OperandKind::scalar : OperandKind::vector;
  operand.index = reg | virtual_register;
  operand.registers = static_cast<u8>(type == Type::pred_ ? 1 : rows_of(type));
  return operand;
}

bool Lowering::special(Operand& operand, const Tree& tree) {
  const std::string_view name = tree.name;
  const auto scalar = [&](u32 index) {
    operand.kind = OperandKind::scalar;
    operand.index = index;
    return true;
  };
  const auto row = [&](u32 index) {
    operand.kind = OperandKind::vector;
    operand.index = index;
    return true;
  };
  const auto number = [&](u64 value) {
    operand.kind = OperandKind::immediate;
    operand.value = value;
    return true;
  };
  const std::size_t dot_at = name.find('.');
  const std::string_view base = name.substr(0, dot_at);
  if (dot_at != std::string_view::npos) {
    const std::string_view part = name.substr(dot_at);
    const u32 dimension = part == ".x" ? 0 : part == ".y" ? 1 : part == ".z" ? 2 : part == ".w" ? 3 : 4;
    if (dimension > 3) return fail(fmt::format("'{}' is no special register", name));
    if (dimension == 3) return number(base == "%ntid" || base == "%nctaid" ? 1 : 0);
    if (base == "%tid") return row(fixed_row::tid + dimension);
    if (base == "%ntid") return scalar(fixed_scalar::ntid + dimension);
    if (base == "%ctaid") return scalar(fixed_scalar::ctaid + dimension);
    if (base == "%nctaid") return scalar(fixed_scalar::nctaid + dimension);
  }
  if (name == "%laneid") return row(fixed_row::lane);
  if (name == "%warpid") return scalar(fixed_scalar::wave_in_group);
  if (name == "%nwarpid") return scalar(fixed_scalar::waves_in_group);
  if (name == "%dynamic_smem_size") return scalar(fixed_scalar::dynamic_local_bytes);
  if (name == "%total_smem_size" || name == "%aggr_smem_size") return scalar(fixed_scalar::local_bytes);
  if (name == "%gridid") return number(0);
  // NVIDIA's OpenCL passes the NDRange's offset in these, and its number of dimensions.
  if (name == "%envreg3" || name == "%envreg4" || name == "%envreg5")
    return scalar(fixed_scalar::offset + static_cast<u32>(name.back() - '3'));
  if (name == "%envreg6") return scalar(fixed_scalar::dimensions);
  if (name == "%envreg7" || name == "%envreg8" || name == "%envreg9")
    return scalar(fixed_scalar::offset_high + static_cast<u32>(name.back() - '7'));
  if (name.starts_with("%envreg")) return number(0);
  return fail(fmt::format("special register '{}' is not supported here", name));
}

bool Lowering::constant(Operand& operand, const Tree& tree, Kind kind) {
  operand.kind = OperandKind::immediate;
  u64 value = tree.value;
  const bool real32 = tree.kind == Tree::Kind::real32, real64 = tree.kind == Tree::Kind::real64;
  switch (kind) {
    case Kind::f32:
    case Kind::u32:
    case Kind::i32:
      if (real64) value = as_u32(f64_to_f32(as_f64(value)));
      value &= 0xFFFFFFFF;
      break;
    case Kind::f64:
    case Kind::u64:
    case Kind::i64:
      if (real32) value = as_u64(f32_to_f64(as_f32(static_cast<u32>(value))));
      break;
    case Kind::f16:
      if (real32) value = f32_to_f16(as_f32(static_cast<u32>(value)));
      if (real64) value = f64_to_f16(as_f64(value));
      value &= 0xFFFF;
      break;
    case Kind::mask:
      value = value != 0 ? 0xFFFFFFFF : 0;
      break;
    default:
      value &= 0xFFFF;
      break;
  }
  operand.value = value;
  return true;
}

bool Lowering::register_source(Operand& operand, const Tree& tree, Kind kind) {
  const Type type = result_.registers[tree.index];
  if ((type == Type::pred_) != (kind == Kind::mask))
    return fail(fmt::format("'{}' is {}a predicate", tree.name, type == Type::pred_ ? "" : "no "));
  operand = virtual_operand(tree.index);
  if (kind == Kind::mask) return true;
  if (bytes_of(type) == 16) return fail("128-bit registers are not supported");
  if (is_wide(kind) && operand.registers != 2)
    return fail(fmt::format("'{}' is narrower than the instruction's type", tree.name));
  if (!is_wide(kind)) operand.registers = 1;  // the low part of a wider register
  return true;
}

bool Lowering::source(Operand& operand, const Tree& tree, Kind kind) {
  switch (tree.kind) {
    case Tree::Kind::reg:
      if (!tree.negated) return register_source(operand, tree, kind);
      if (kind != Kind::mask) return fail("'!' stands before predicates only");
      {
        Lowered inverted = start(*opcodes().find("not.pred")->meaning, Cost::valu_full);
        const u32 fresh = temporary(Type::pred_);
        inverted.in.operand[0] = virtual_operand(fresh);
        inverted.defined = 1;
        if (!register_source(inverted.in.operand[1], tree, kind)) return false;
        emit(inverted);
        operand = virtual_operand(fresh);
        return true;
      }
    case Tree::Kind::special: {
      if (is_wide(kind)) return fail(fmt::format("'{}' has 32 bits", tree.name));
      if (kind == Kind::mask) return fail(fmt::format("'{}' is no predicate", tree.name));
      constexpr std::string_view stepwise[] = {"%clock",       "%clock64",        "%clock_hi",
                                               "%globaltimer", "%globaltimer_lo", "%smid",
                                               "%lanemask_",   "%globaltimer_hi"};
      for (const std::string_view name : stepwise) {
        if (tree.name.starts_with(name)) return into_register(operand, tree, kind);
      }
      return special(operand, tree);
    }
    case Tree::Kind::integer:
    case Tree::Kind::real32:
    case Tree::Kind::real64:
      return constant(operand, tree, kind);
    default:
      return fail(fmt::format("this operand of '{}' must be a register or a constant", statement_->opcode));
  }
}

// For what has to lie in a row of lanes.
bool Lowering::into_register(Operand& operand, const Tree& tree, Kind kind) {
  if (tree.kind == Tree::Kind::reg) return register_source(operand, tree, kind);
  const bool wide = is_wide(kind);
  const u32 fresh = temporary(wide ? Type::b64_ : Type::b32_);
  operand = virtual_operand(fresh);
  if (tree.kind == Tree::Kind::special && tree.name.starts_with("%lanemask_")) {
    // Made of the lane's number: masks of the lane itself, and of those before and after it.
    const std::string_view which = tree.name.substr(10);
    const auto find = [](const char* name) { return opcodes().find(name)->meaning; };
    Lowered shift = start(*find("shl.b32"), Cost::valu_half);
    shift.in.operand[0] = operand;
    shift.defined = 1;
    shift.in.operand[1].kind = OperandKind::immediate;
    const bool two = which == "le" || which == "gt";
    shift.in.operand[1].value = which == "eq" || which == "lt" || which == "ge" ? 1 : two ? 2 : 0;
    shift.in.operand[2].kind = OperandKind::vector;
    shift.in.operand[2].index = fixed_row::lane;
    if (shift.in.operand[1].value == 0) return fail(fmt::format("'{}' is no special register", tree.name));
    emit(shift);
    if (which == "eq") return true;
    Lowered minus = start(*find(which == "ge" || which == "gt" ? "neg.s32" : "add.u32"), Cost::valu_full);
    minus.in.operand[0] = operand;
    minus.defined = 1;
    minus.in.operand[1] = operand;
    if (which == "lt" || which == "le") {
      minus.in.operand[2].kind = OperandKind::immediate;
      minus.in.operand[2].value = 0xFFFFFFFF;
    }
    emit(minus);
    return true;
  }
  if (tree.kind == Tree::Kind::special) {
    const std::string_view n = tree.name;
    std::optional<Special> what;
    if (n == "%clock" || n == "%clock64" || n == "%globaltimer" || n == "%globaltimer_lo")
      what = Special::clock;
    if (n == "%clock_hi" || n == "%globaltimer_hi") what = Special::clock_high;
    if (n == "%smid") what = Special::smid;
    if (what) {
      Lowered lowered = start(special_value(), Cost::valu_full);
      lowered.in.operand[0] = operand;
      lowered.defined = 1;
      lowered.in.operand[1].kind = OperandKind::immediate;
      lowered.in.operand[1].value = static_cast<u64>(*what);
      emit(lowered);
      return true;
    }
  }
  Lowered lowered = start(*opcodes().find(wide ? "mov.b64" : "mov.b32")->meaning, Cost::valu_full);
  lowered.in.operand[0] = operand;
  lowered.defined = 1;
  if (!source(lowered.in.operand[1], tree, kind)) return false;
  emit(lowered);
  return true;
}

bool Lowering::destination(Lowered& lowered, u32 slot, const Tree& tree, Kind kind) {
  Operand& operand = lowered.in.operand[slot];
  if (tree.kind == Tree::Kind::sink) {
    // Written and never read.
    operand = virtual_operand(temporary(kind == Kind::mask ? Type::pred_
                                        : is_wide(kind)    ? Type::b64_
                                                           : Type::b32_));
    lowered.defined |= static_cast<u8>(1 << slot);
    return true;
  }
  if (tree.kind != Tree::Kind::reg || tree.negated)
    return fail(fmt::format("the result of '{}' goes to a register", statement_->opcode));
  const Type type = result_.registers[tree.index];
  if ((type == Type::pred_) != (kind == Kind::mask))
    return fail(fmt::format("'{}' is {}a predicate", tree.name, type == Type::pred_ ? "" : "no "));
  operand = virtual_operand(tree.index);
  if (kind != Kind::mask && (bytes_of(type) == 16 || operand.registers != (is_wide(kind) ? 2u : 1u)))
    return fail(fmt::format("'{}' has not the size of the result", tree.name));
  lowered.defined |= static_cast<u8>(1 << slot);
  return true;
}

// An instruction of the table: results and sources in order.
bool Lowering::lower_lookup(const std::string& name) {
  const Opcode* opcode = opcodes().find(name);
  if (opcode == nullptr) return fail(fmt::format("unknown instruction '{}'", statement_->opcode));
  const Semantic& meaning = *opcode->meaning;
  const u32 from_text = meaning.sources - (opcode->carry_in ? 1u : 0u);
  if (!operand_count(1 + from_text, 1 + from_text)) return false;
  Lowered lowered = start(meaning, opcode->cost, opcode->flags);
  lowered.in.nv.of_floats = is_float_type(type_named(statement_->words.back()));
  for (u32 i = 0; i < from_text; ++i) {
    if (!source(lowered.in.operand[1 + i], statement_->operands[1 + i], meaning.source[i])) return false;
  }
  Operand carry;
  carry.kind = OperandKind::scalar;
  carry.index = fixed_scalar::carry;
  if (opcode->carry_in) lowered.in.operand[1 + from_text] = carry;
  if (opcode->carry_out) lowered.in.operand[4] = carry;
  if (!destination(lowered, 0, statement_->operands[0], meaning.result)) return false;
  emit(std::move(lowered));
  return true;
}

bool Lowering::lower_plain() {
  return lower_lookup(std::string(statement_->opcode));
}

bool Lowering::lower_nothing() {
  Lowered lowered = start(nothing(), Cost::nop);
  if (word(0) == "membar" || word(0) == "fence") lowered.in.policy = fence_policy(statement_->words);
  emit(lowered);
  return true;
}

bool Lowering::lower_statement() {
  unguarded_ = false;
  if (!needs_target(lacked_target(*statement_, text_capability_), statement_->opcode)) return false;
  const std::string_view name = word(0);
  using Method = bool (Lowering::*)();
  struct Entry {
    std::string_view name;
    Method method;
  };
  static constexpr Entry entries[] = {{"mov", &Lowering::lower_mov},
                                      {"setp", &Lowering::lower_setp},
                                      {"set", &Lowering::lower_set},
                                      {"cvt", &Lowering::lower_cvt},
                                      {"ld", &Lowering::lower_load},
                                      {"ldu", &Lowering::lower_load},
                                      {"st", &Lowering::lower_store},
                                      {"atom", &Lowering::lower_atomic},
                                      {"red", &Lowering::lower_atomic},
                                      {"bra", &Lowering::lower_branch},
                                      {"brx", &Lowering::lower_indexed_branch},
                                      {"ret", &Lowering::lower_branch},
                                      {"exit", &Lowering::lower_branch},
                                      {"trap", &Lowering::lower_branch},
                                      {"brkpt", &Lowering::lower_nothing},
                                      {"call", &Lowering::lower_call},
                                      {"bar", &Lowering::lower_barrier},
                                      {"barrier", &Lowering::lower_barrier},
                                      {"membar", &Lowering::lower_nothing},
                                      {"fence", &Lowering::lower_nothing},
                                      {"prefetch", &Lowering::lower_nothing},
                                      {"prefetchu", &Lowering::lower_nothing},
                                      {"discard", &Lowering::lower_nothing},
                                      {"applypriority", &Lowering::lower_nothing},
                                      {"pmevent", &Lowering::lower_nothing},
                                      {"nanosleep", &Lowering::lower_barrier},
                                      {"griddepcontrol", &Lowering::lower_nothing},
                                      {"setmaxnreg", &Lowering::lower_nothing},
                                      {"shfl", &Lowering::lower_cross_lane},
                                      {"vote", &Lowering::lower_cross_lane},
                                      {"match", &Lowering::lower_cross_lane},
                                      {"redux", &Lowering::lower_cross_lane},
                                      {"elect", &Lowering::lower_cross_lane},
                                      {"mma", &Lowering::lower_matrix},
                                      {"wmma", &Lowering::lower_matrix},
                                      {"ldmatrix", &Lowering::lower_matrix},
                                      {"stmatrix", &Lowering::lower_matrix},
                                      {"movmatrix", &Lowering::lower_matrix},
                                      {"cp", &Lowering::lower_async_copy},
                                      {"tex", &Lowering::lower_image},
                                      {"txq", &Lowering::lower_image},
                                      {"suld", &Lowering::lower_image},
                                      {"sust", &Lowering::lower_image},
                                      {"suq", &Lowering::lower_image},
                                      {"activemask", &Lowering::lower_cross_lane}};
  for (const Entry& entry : entries) {
    if (entry.name == name) return (this->*entry.method)();
  }
  // clang-format off
  constexpr std::string_view refused[] = {
      "istypep", "tld4", "sured", "wgmma", "tcgen05", "mbarrier", "getctarank", "mapa", "multimem", "tensormap",
      "clusterlaunchcontrol", "alloca", "stacksave", "stackrestore",
      // Video instructions.
      "vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vmad", "vset",
      "vadd2", "vsub2", "vavrg2", "vabsdiff2", "vmin2", "vmax2", "vset2",
      "vadd4", "vsub4", "vavrg4", "vabsdiff4", "vmin4", "vmax4", "vset4"};
  // clang-format on
  for (const std::string_view unsupported : refused) {
    if (unsupported == name) return fail(fmt::format("'{}' is not supported", statement_->opcode));
  }
  if (name == "createpolicy") {
    // What a cache policy says changes nothing that a program sees.
    if (word(words() - 1) != "b64" || statement_->operands.empty()) return lower_plain();
    Lowered lowered = start(*opcodes().find("mov.b64")->meaning, Cost::valu_full);
    lowered.in.operand[1].kind = OperandKind::immediate;
    if (!destination(lowered, 0, statement_->operands[0], Kind::u64)) return false;
    emit(lowered);
    return true;
  }
  return lower_plain();
}

bool Lowering::lower_mov() {
  if (!operand_count(2, 2) || statement_->words.size() != 2) {
    return error_ ? false : fail(fmt::format("unknown instruction '{}'", statement_->opcode));
  }
  const Tree &to = statement_->operands[0], &from = statement_->operands[1];
  if (from.kind == Tree::Kind::special && !needs_target(special_target(from.name), from.name)) return false;
  const Type type = type_named(word(1));
  if (type == Type::none) return fail(fmt::format("unknown type '{}'", word(1)));
  const u32 bytes = bytes_of(type);
  const auto parts_fit = [&](const Tree& vector) {
    const std::size_t count = vector.parts.size();
    return (count == 2 && (bytes == 8 || bytes == 4)) || (count == 4 && (bytes == 8 || bytes == 4));
  };
  if (from.kind == Tree::Kind::vector) {
    if (!parts_fit(from)) return fail("vectors of this size are not supported");
    const u32 count = static_cast<u32>(from.parts.size());
    const u32 part = bytes / count;
    Lowered lowered = start(pack(part, count), Cost::valu_full);
    for (u32 i = 0; i < count; ++i) {
      if (!source(lowered.in.operand[1 + i], from.parts[i], part == 4 ? Kind::u32 : Kind::u16)) return false;
    }
    if (!destination(lowered, 0, to, bytes == 8 ? Kind::u64 : Kind::u32)) return false;
    emit(lowered);
    return true;
  }
  if (to.kind == Tree::Kind::vector) {
    if (!parts_fit(to)) return fail("vectors of this size are not supported");
    const u32 count = static_cast<u32>(to.parts.size());
    const u32 part = bytes / count;
    Lowered lowered = start(unpack(part, count), Cost::valu_full);
    if (!source(lowered.in.operand[1], from, bytes == 8 ? Kind::u64 : Kind::u32)) return false;
    constexpr u32 slot[] = {0, 2, 3, 4};
    for (u32 i = 0; i < count; ++i) {
      if (to.parts[i].kind == Tree::Kind::sink) continue;
      if (!destination(lowered, slot[i], to.parts[i], part == 4 ? Kind::u32 : Kind::u16)) return false;
    }
    emit(lowered);
    return true;
  }
  if (from.kind == Tree::Kind::variable) {
    const Variable& variable = tree_.variables[from.index];
    if (bytes != 8 && bytes != 4) return fail("an address does not fit the type");
    if (layout_.address[from.index] == ~u64{0})
      return fail(fmt::format("'{}' is not defined in this module", variable.name));
    const u64 value = layout_.address[from.index] + from.value;
    const Kind kind = bytes == 8 ? Kind::u64 : Kind::u32;
    const bool formal = variable.space == StateSpace::param && tree_.functions[variable.function].kernel &&
                        variable.function == function_index_;
    if (variable.space == StateSpace::shared && !variable.unsized) {
      Lowered lowered = start(*opcodes().find(bytes == 8 ? "mov.b64" : "mov.b32")->meaning, Cost::valu_full);
      lowered.in.operand[1].kind = OperandKind::immediate;
      lowered.in.operand[1].value = value;
      if (!destination(lowered, 0, to, kind)) return false;
      emit(lowered);
      return true;
    }
    const bool in_image = variable.space == StateSpace::global || variable.space == StateSpace::constant;
    const Base base = formal             ? Base::arguments
                      : variable.unsized ? Base::dynamic
                      : in_image         ? Base::image
                                         : Base::frame;
    Lowered lowered = start(base == Base::frame ? frame_address() : image_address(), Cost::valu_full);
    lowered.in.operand[1].kind = OperandKind::immediate;
    lowered.in.operand[1].value = value;
    lowered.in.operand[2].kind = OperandKind::immediate;
    lowered.in.operand[2].value = static_cast<u64>(base);
    if (base == Base::frame && layout_.call_offset[from.index] != no_index)
      lowered.in.operand[1].value =
          layout_.frame_bytes[function_index_] + layout_.call_offset[from.index] + from.value;
    if (!destination(lowered, 0, to, kind)) return false;
    emit(lowered);
    return true;
  }
  if (from.kind == Tree::Kind::name) {
    const auto found = tree_.function_named.find(from.name);
    if (found == tree_.function_named.end()) return fail(fmt::format("'{}' is not declared", from.name));
    if (bytes != 8 && bytes != 4) return fail("an address does not fit the type");
    Lowered lowered = start(*opcodes().find(bytes == 8 ? "mov.b64" : "mov.b32")->meaning, Cost::valu_full);
    lowered.in.operand[1].kind = OperandKind::immediate;
    lowered.in.operand[1].value = function_address(found->second) & (bytes == 8 ? ~u64{0} : 0xFFFFFFFFu);
    if (!destination(lowered, 0, to, bytes == 8 ? Kind::u64 : Kind::u32)) return false;
    emit(lowered);
    return true;
  }
  if (from.kind == Tree::Kind::special && bytes == 8) {
    Operand operand;
    const Operand* value = &operand;
    if (!into_register(operand, from, Kind::u64)) return false;
    Lowered lowered = start(*opcodes().find("mov.b64")->meaning, Cost::valu_full);
    lowered.in.operand[1] = *value;
    if (!destination(lowered, 0, to, Kind::u64)) return false;
    emit(lowered);
    return true;
  }
  return lower_plain();
}

bool Lowering::lower_cvt() {
  if (words() < 3) return fail(fmt::format("unknown instruction '{}'", statement_->opcode));
  const Type to = type_named(word(words() - 2));
  const Tree* result = operand_tree(0);
  if (result == nullptr) return false;
  std::string name(statement_->opcode);
  const bool integer = to != Type::none && !is_float_type(to) && bytes_of(to) < 8;
  if (integer && result->kind == Tree::Kind::reg && bytes_of(register_type(result->index)) == 8)
    name += "@64";
  // cvt.f32.s32 without a rounding: to nearest, as old PTX has it.
  if (opcodes().find(name) == nullptr && is_float_type(to)) {
    const std::string rounded = "cvt.rn" + name.substr(3);
    if (opcodes().find(rounded) != nullptr && tree_.version_major < 2) name = rounded;
  }
  return lower_lookup(name);
}

}  // namespace lockstep::nv
