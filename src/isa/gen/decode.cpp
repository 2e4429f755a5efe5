#include "isa/gen/decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "isa/gen/compute.h"
#include "isa/gen/control.h"
#include "isa/gen/decode_parts.h"
#include "isa/gen/wave.h"

namespace lockstep::gen {
namespace {

u32 file_end(Bank bank) {
  return bank == Bank::general ? file::address : file::symbols;
}

// The region as distances in bytes.
bool set_region(const OperandText& text, u32 lanes, Source& source) {
  const u32 size = bytes_of(source.type);
  std::array<u32, 3> region = text.region;
  switch (text.values) {
    case 0:
      region = {1, 1, 0};  // of messages and macros: side by side
      break;
    case 1:
      // Three sources: <0> is one value for all.
      region = region[0] == 0 ? std::array<u32, 3>{0, 1, 0} : std::array<u32, 3>{region[0], 1, 0};
      break;
    case 2:
      if (text.by_row) {
        source.by_row = true;
        source.width = static_cast<u8>(region[0]);
        source.horizontal = static_cast<u16>(region[1] * size);
        return region[0] >= 1 && region[0] <= 16 && region[1] <= 4 && text.bank == Bank::indirect;
      }
      // <V;H>: rows of as many elements as fit.
      region = region[0] == 0
                   ? std::array<u32, 3>{0, 1, region[1]}
                   : std::array<u32, 3>{region[0], region[1] == 0 ? 1 : region[0] / region[1], region[1]};
      break;
    default:
      break;
  }
  if (region[1] == 0 || region[1] > 32 || region[0] > 32 || region[2] > 4) return false;
  source.vertical = static_cast<u16>(region[0] * size);
  source.width = static_cast<u8>(region[1]);
  source.horizontal = static_cast<u16>(region[2] * size);
  if (lanes == 1 || (source.width == 1 && source.vertical == 0)) {
    source.width = 1;
    source.vertical = source.horizontal = 0;
  } else if (source.width == 1 && source.vertical != 0) {
    // One element a row: the rows' distance is the elements'.
    source.horizontal = source.vertical;
    source.width = static_cast<u8>(std::min(lanes, 32u));
    source.vertical = static_cast<u16>(source.horizontal * source.width);
  }
  return true;
}

// acc0 and acc1 have 32 bytes each, one behind the other, of which an element is a channel's.
Status set_accumulator(const LineText& line, const OperandText& text, u32 lanes, i32& channel) {
  const u32 size = bytes_of(text.type);
  const u32 first = (file::register_bytes * text.number) / size + text.element;
  if (text.number > 1 || text.element * size >= file::register_bytes || first + lanes > most_channels)
    return bad(line, "an accumulator that there is not");
  channel = static_cast<i32>(first);
  return Success{};
}

u32 reach(const Source& source, u32 lanes) {
  const u32 rows = (lanes - 1) / source.width, rest = std::min<u32>(lanes, source.width) - 1;
  return rows * source.vertical + rest * source.horizontal + bytes_of(source.type);
}

Status set_source(const LineText& line, const OperandText& text, u32 lanes, Source& source) {
  source.type = text.type;
  source.negate = text.negate;
  source.absolute = text.absolute;
  source.invert = text.invert;
  if (source.type == Type::none) return bad(line, "an operand without a type");
  switch (text.bank) {
    case Bank::immediate:
      source.place = Where::immediate;
      source.value = text.value;
      source.width = text.packed != 0 ? 8 : 1;
      return Success{};
    case Bank::accumulator:
      if (text.values == 3 && text.region[0] == 0 && text.region[2] == 0 && lanes > 1)
        return lacking(line, "one accumulator for all channels");
      source.place = Where::accumulator;
      return set_accumulator(line, text, lanes, source.offset);
    case Bank::indirect:
      source.place = Where::indirect;
      source.address = static_cast<u8>(text.number);
      source.offset = text.offset;
      if (text.number > 15 || !set_region(text, lanes, source) ||
          (!source.by_row && reach(source, lanes) > file::indexed_reach))
        return bad(line, "a region that there is not");
      if (source.by_row && text.number + (lanes - 1) / source.width > 15)
        return bad(line, "more address registers than there are");
      return Success{};
    case Bank::null_:
      source.place = Where::immediate;
      return Success{};
    case Bank::pointer:
      if (bytes_of(source.type) != 4)
        return bad(line, "the instruction pointer in another type than a dword");
      source.place = Where::immediate;
      source.pointer = true;
      return Success{};
    default:
      break;
  }
  OperandText plain = text;
  if (text.bank == Bank::extended) {
    source.mantissa = static_cast<i32>(text.element);
    plain.bank = Bank::general;
    plain.has_element = false;
    plain.element = 0;
  }
  u32 offset = 0;
  if (!file_offset(plain, offset) || !set_region(plain, lanes, source))
    return bad(line, "a register or region that there is not");
  source.place = Where::file;
  source.offset = static_cast<i32>(offset);
  if (plain.values == 0 && plain.macro) {
    source.width = static_cast<u8>(lanes);
    source.horizontal = static_cast<u16>(bytes_of(source.type));
    source.vertical = static_cast<u16>(source.horizontal * lanes);
    if (lanes == 1) source.horizontal = source.vertical = 0;
  }
  if (offset + reach(source, lanes) > file_end(plain.bank)) return bad(line, "a region beyond the registers");
  return Success{};
}

Status set_result(const LineText& line, const OperandText& text, u32 lanes, Result& result) {
  result.type = text.type;
  result.saturate = text.saturate;
  if (text.negate || text.absolute || text.invert) return bad(line, "a result with a source's modifier");
  if (text.bank == Bank::null_) return Success{};
  if (result.type == Type::none) return bad(line, "an operand without a type");
  const u32 step = text.values == 0 ? 1 : text.region[0];
  if (text.values > 1 || step > 4) return bad(line, "a result's region that there is not");
  result.step = static_cast<u16>(step * bytes_of(result.type));
  switch (text.bank) {
    case Bank::accumulator:
      result.place = Where::accumulator;
      return set_accumulator(line, text, lanes, result.offset);
    case Bank::indirect:
      result.place = Where::indirect;
      result.address = static_cast<u8>(text.number);
      result.offset = text.offset;
      return text.number < 16 ? Status(Success{}) : bad(line, "an address register that there is not");
    default:
      break;
  }
  OperandText plain = text;
  if (text.bank == Bank::extended) {
    result.mantissa = static_cast<i32>(text.element);
    plain.bank = Bank::general;
    plain.has_element = false;
    plain.element = 0;
  }
  u32 offset = 0;
  if (!file_offset(plain, offset)) return bad(line, "a register that there is not");
  result.place = Where::file;
  result.offset = static_cast<i32>(offset);
  if (offset + (lanes - 1) * result.step + bytes_of(result.type) > file_end(plain.bank))
    return bad(line, "a result beyond the registers");
  return Success{};
}

struct ConditionName {
  std::string_view name;
  Condition condition;
};
constexpr ConditionName conditions[] = {
    {"eq", Condition::equal},         {"ne", Condition::not_equal}, {"gt", Condition::greater},
    {"ge", Condition::greater_equal}, {"lt", Condition::less},      {"le", Condition::less_equal},
    {"un", Condition::unordered},     {"eo", Condition::early_out},
};

Status set_masks(const LineText& line, Operation& operation) {
  operation.lanes = static_cast<u8>(line.lanes);
  operation.first = static_cast<u8>(line.first);
  operation.every_channel = line.every_channel;
  operation.predicated = line.predicated;
  operation.inverse = line.inverse;
  // Channels count from the register's first bit, subregisters 16 bits further.
  operation.predicate_bit = static_cast<u8>(16 * line.predicate_flag + line.first);
  if (operation.predicate_bit + line.lanes > 64) return bad(line, "a predicate beyond the flag registers");
  if (!line.predicate.empty()) {
    // "any16h", "all8h"
    std::string_view rest = line.predicate;
    operation.group = rest.starts_with("any") ? Group::any : Group::all;
    u32 size = 0;
    const bool known = (rest.starts_with("any") || rest.starts_with("all")) && rest.ends_with('h');
    if (known) {
      rest = rest.substr(3, rest.size() - 4);
      std::from_chars(rest.data(), rest.data() + rest.size(), size);
    }
    if (!known || (size != 2 && size != 4 && size != 8 && size != 16 && size != 32))
      return lacking(line, fmt::format("the predicate control '{}'", line.predicate));
    operation.group_lanes = static_cast<u8>(size);
  }
  if (line.condition.empty()) return Success{};
  for (const ConditionName& one : conditions) {
    if (one.name != line.condition) continue;
    operation.condition = one.condition;
    operation.condition_bit = static_cast<u8>(16 * line.condition_flag + line.first);
    if (operation.condition_bit + line.lanes > 64) return bad(line, "a condition beyond the flag registers");
    return Success{};
  }
  return lacking(line, fmt::format("the condition '{}'", line.condition));
}

bool wide(Type type) {
  return bytes_of(type) == 8 && !is_float(type);
}

// The class that an operation computes in, by its sources' types and its result's.
Class class_of(const Operation& operation, bool signs_show, bool wide_result) {
  bool f16 = false, f32 = false, f64 = false, big = wide_result, any_signed = false, unsigned_dword = false,
       unsigned_qword = false;
  for (u32 i = 0; i < operation.sources; ++i) {
    const Type type = operation.source[i].type;
    f16 = f16 || type == Type::hf;
    f32 = f32 || type == Type::f;
    f64 = f64 || type == Type::df;
    big = big || wide(type);
    any_signed = any_signed || is_signed(type);
    unsigned_dword = unsigned_dword || type == Type::ud;
    unsigned_qword = unsigned_qword || type == Type::uq;
    // What is negated is no longer without sign.
    if (operation.source[i].negate && !is_float(type)) any_signed = true;
  }
  if (f64) return Class::f64;
  if (f32) return Class::f32;
  if (f16) return Class::f16;
  if (big) return unsigned_qword && !(signs_show && any_signed) ? Class::u64 : Class::i64;
  if (!signs_show) return Class::u32;
  if (unsigned_dword && any_signed) return Class::i64;
  return any_signed ? Class::i32 : Class::u32;
}

Cost cost_of(Cost cost, Class computes, std::string_view mnemonic) {
  if (cost != Cost::valu_full) return cost;
  switch (computes) {
    case Class::f64:
      return mnemonic == "mul" || mnemonic == "mad" ? Cost::valu_f64_mul : Cost::valu_f64_add;
    case Class::f16:
      return Cost::valu_f16;
    case Class::i64:
    case Class::u64:
      return mnemonic == "mul" ? Cost::valu_quarter : Cost::valu_half;
    case Class::f32:
      return Cost::valu_full;
    default:
      return mnemonic == "mul" ? Cost::valu_quarter : Cost::valu_full;
  }
}

Type unsigned_of(Type type) {
  switch (type) {
    case Type::b:
      return Type::ub;
    case Type::w:
      return Type::uw;
    case Type::d:
      return Type::ud;
    case Type::q:
      return Type::uq;
    default:
      return type;
  }
}

Status finish_value(const LineText& line, Operation& operation) {
  for (u32 i = 0; i < operation.sources; ++i) {
    operation.fetch[i] = find_fetch(operation.source[i], operation.computes);
    if (operation.fetch[i] == nullptr) return lacking(line, "this mixture of types");
  }
  if (operation.result.place != Where::none) {
    operation.commit = find_commit(operation.result, operation.computes);
    if (operation.commit == nullptr) return lacking(line, "a result of this type");
  }
  return Success{};
}

Status operands_of(const LineText& line, u32 sources, Operation& operation) {
  if (line.operands.size() != sources + 1)
    return bad(line, fmt::format("{} operands where {} belong", line.operands.size(), sources + 1));
  operation.sources = static_cast<u8>(sources);
  // Programs read tm0 for nothing, which waits, and write how long a thread pauses to tm0.4. The time itself
  // is nobody's.
  const auto is_time = [](const OperandText& text) { return text.bank == Bank::timestamp; };
  const OperandText& target = line.operands[0];
  const bool reads_time = std::any_of(line.operands.begin() + 1, line.operands.end(), is_time);
  if ((reads_time && target.bank != Bank::null_) || (is_time(target) && target.element != 4))
    return lacking(line, "the time stamp register, but for pauses");
  if (Status status = set_result(line, line.operands[0], line.lanes, operation.result); !status)
    return status;
  for (u32 i = 0; i < sources; ++i) {
    if (Status status = set_source(line, line.operands[i + 1], line.lanes, operation.source[i]); !status)
      return status;
    if (line.operands[i + 1].packed != 0)
      operation.source[i].horizontal = static_cast<u16>(std::max(operation.result.step / 2, 1));
  }
  return Success{};
}

Status decode_value(const LineText& line, const ValueOperation& entry, Decoded& made) {
  Operation& operation = made.operation;
  if (Status status = operands_of(line, entry.sources, operation); !status) return status;
  if (line.mnemonic == "shr") operation.source[0].type = unsigned_of(operation.source[0].type);
  const Type type = operation.result.type;
  bool signs_show = entry.signs_show || operation.condition != Condition::none || is_float(type);
  for (u32 i = 0; i < operation.sources; ++i) signs_show = signs_show || operation.source[i].absolute;
  const bool more_bits =
      wide(type) || operation.result.saturate || operation.result.place == Where::accumulator;
  if (more_bits) signs_show = true;
  operation.computes = class_of(operation, signs_show, more_bits && entry.domain != Domain::bits32);
  // Halves that make a float are computed with as floats, and rounded once: Intel's compiler makes such of
  // what is loaded by vload_half. How long it takes still goes by the sources.
  const Class by_sources = operation.computes;
  if (operation.computes == Class::f16 && type == Type::f) operation.computes = Class::f32;
  // How far a shift goes depends on what is shifted, not on the count's type.
  const bool shifts = line.mnemonic == "shl" || line.mnemonic == "shr" || line.mnemonic == "asr";
  if (shifts && !more_bits && !wide(operation.source[0].type) && operation.computes < Class::f16)
    operation.computes = is_signed(operation.source[0].type) ? Class::i32 : Class::u32;
  const bool floats = operation.computes >= Class::f16;
  if ((entry.domain == Domain::integer || entry.domain == Domain::bits32) && floats)
    return bad(line, "a float where integers belong");
  if (entry.domain == Domain::floating && !floats) return lacking(line, "integers where floats belong");
  if (entry.domain == Domain::bits32 && operation.computes > Class::u32)
    return lacking(line, "operands of 64 bits");
  operation.compute = entry.compute[static_cast<u32>(operation.computes)];
  if (operation.compute == nullptr) return lacking(line, "operands of this type");
  if (operation.condition != Condition::none)
    operation.test = find_result_test(operation.condition, operation.computes, operation.result);
  if (line.has("AccWrEn")) return lacking(line, "a result that goes to the accumulator as well");
  made.in.meaning = entry.meaning;
  const bool mixed = by_sources == Class::f16 && operation.computes == Class::f32;
  made.in.cost = cost_of(entry.cost, mixed ? by_sources : operation.computes, line.mnemonic);
  made.in.run = run_value;
  return finish_value(line, operation);
}

Status decode_compare(const LineText& line, Decoded& made) {
  Operation& operation = made.operation;
  if (Status status = operands_of(line, 2, operation); !status) return status;
  if (operation.condition == Condition::none) return bad(line, "a comparison without a condition");
  operation.computes = class_of(operation, true, false);
  operation.compute = find_compare(operation.condition, operation.computes);
  made.in.meaning = &compare_meaning();
  made.in.cost = cost_of(Cost::valu_full, operation.computes, line.mnemonic);
  made.in.run = run_value;
  if (Status status = finish_value(line, operation); !status) return status;
  // What is written and tested is all ones or zeros, an integer of a dword or a qword.
  const bool qwords = operation.computes == Class::i64 || operation.computes == Class::u64 ||
                      operation.computes == Class::f64;
  const Class ones = qwords ? Class::u64 : Class::u32;
  operation.test = find_test(Condition::not_equal, ones);
  if (operation.result.place != Where::none) {
    Result bits = operation.result;
    constexpr std::array<Type, 9> by_size{Type::none, Type::ub,   Type::uw,   Type::none, Type::ud,
                                          Type::none, Type::none, Type::none, Type::uq};
    bits.type = by_size[bytes_of(bits.type)];
    // Of a dword's comparison a qword's upper half is ones, too.
    operation.commit = find_commit(bits, !qwords && bits.type == Type::uq ? Class::i32 : ones);
  }
  return Success{};
}

Status decode_select(const LineText& line, Decoded& made) {
  Operation& operation = made.operation;
  if (Status status = operands_of(line, 2, operation); !status) return status;
  const Type type = operation.result.type;
  operation.computes = class_of(operation, true, wide(type) || operation.result.saturate);
  if (operation.condition != Condition::none) {
    made.in.meaning = &smaller_or_greater_meaning();
    operation.compute = find_select(operation.condition, operation.computes);
    operation.condition = Condition::none;  // it changes no flag
  } else {
    if (!operation.predicated) return bad(line, "a selection without predicate and condition");
    made.in.meaning = &select_meaning();
    operation.selects = true;
    operation.compute = find_predicated_select(operation.computes);
  }
  made.in.cost = cost_of(Cost::valu_full, operation.computes, line.mnemonic);
  made.in.run = run_value;
  return finish_value(line, operation);
}

Status decode_third_select(const LineText& line, Decoded& made) {
  Operation& operation = made.operation;
  if (Status status = operands_of(line, 3, operation); !status) return status;
  if (operation.condition == Condition::none) return bad(line, "a selection without condition");
  operation.computes = class_of(operation, true, wide(operation.result.type));
  operation.compute = find_select_by_third(operation.condition, operation.computes);
  operation.condition = Condition::none;
  made.in.meaning = &select_meaning();
  made.in.cost = cost_of(Cost::valu_full, operation.computes, line.mnemonic);
  made.in.run = run_value;
  return finish_value(line, operation);
}

constexpr Semantic special(std::string_view name, Flow flow = Flow::any) {
  Semantic made = value_semantic(name);
  made.flow = flow;
  return made;
}
constexpr Semantic mach = special("mach"), addc = special("addc", Flow::carries_up),
                   subb = special("subb", Flow::carries_up), madm = special("madm"),
                   invm = special("math.invm"), rsqtm = special("math.rsqtm"),
                   smov = special("smov", Flow::move);

struct SpecialOperation {
  std::string_view mnemonic;
  u8 sources;
  RunFunction run;
  const Semantic* meaning;
  Cost cost;
};
constexpr SpecialOperation specials[] = {
    {"mach", 2, run_multiply_high, &mach, Cost::valu_quarter},
    {"addc", 2, run_add_carry, &addc, Cost::valu_full},
    {"subb", 2, run_subtract_borrow, &subb, Cost::valu_full},
    {"madm", 3, run_macro_multiply_add, &madm, Cost::valu_full},
    {"math.invm", 2, run_macro_inverse, &invm, Cost::valu_transcendental},
    {"math.rsqtm", 1, run_macro_root, &rsqtm, Cost::valu_transcendental},
    {"smov", 2, run_scattered_move, &smov, Cost::valu_full},
};

Status decode_special(const LineText& line, const SpecialOperation& entry, Decoded& made) {
  Operation& operation = made.operation;
  if (Status status = operands_of(line, entry.sources, operation); !status) return status;
  operation.writes_accumulator = line.has("AccWrEn");
  operation.reads_accumulator = line.mnemonic == "mach";
  const bool floats = is_float(operation.source[0].type);
  if (line.mnemonic == "mach") {
    operation.computes = is_signed(operation.source[0].type) ? Class::i64 : Class::u64;
  } else if (line.mnemonic == "addc" || line.mnemonic == "subb") {
    operation.computes = Class::u32;
    if (!operation.writes_accumulator) return lacking(line, "a carry that goes nowhere");
  } else if (line.mnemonic == "smov") {
    if (operation.source[1].place != Where::immediate) return lacking(line, "a mask in a register");
    operation.sources = 1;
    operation.computes = class_of(operation, true, wide(operation.result.type));
  } else {
    operation.computes = operation.source[0].type == Type::df ? Class::f64 : Class::f32;
    if (!floats) return bad(line, "integers where floats belong");
  }
  if (operation.condition == Condition::early_out) {
    operation.test = nullptr;
  } else if (operation.condition != Condition::none) {
    operation.test = find_test(operation.condition, operation.computes);
  }
  made.in.meaning = entry.meaning;
  made.in.cost = cost_of(entry.cost, operation.computes, line.mnemonic);
  made.in.run = entry.run;
  return finish_value(line, operation);
}

}  // namespace

const ValueOperation* find_value_operation(std::string_view mnemonic) {
  for (const auto& table : {integer_operations(), float_operations(), math_operations()}) {
    for (const ValueOperation& one : table)
      if (one.mnemonic == mnemonic) return &one;
  }
  return nullptr;
}

Expected<Decoded> decode(const LineText& line, const SymbolOperand* symbol, AddressConstants& constants) {
  Decoded made;
  Status status = set_masks(line, made.operation);
  if (!status) return status.error();
  const auto is_special = [&](const SpecialOperation& one) { return one.mnemonic == line.mnemonic; };
  const auto special = std::find_if(std::begin(specials), std::end(specials), is_special);
  if (line.mnemonic.starts_with("send")) {
    status = decode_send(line, constants, made);
  } else if (const ControlOperation* control = find_control(line.mnemonic)) {
    status = decode_control(line, *control, made);
  } else if (line.mnemonic == "cmp") {
    status = decode_compare(line, made);
  } else if (line.mnemonic == "sel") {
    status = decode_select(line, made);
  } else if (line.mnemonic == "csel") {
    status = decode_third_select(line, made);
  } else if (special != std::end(specials)) {
    status = decode_special(line, *special, made);
  } else if (const ValueOperation* operation = find_value_operation(line.mnemonic)) {
    status = decode_value(line, *operation, made);
  } else {
    return wrong("unknown-instruction",
                 fmt::format("the instruction '{}' is not known: {}", line.mnemonic, line.text));
  }
  if (!status) return status.error();
  note_constant(line, constants);
  if (symbol != nullptr) {
    // The immediate is a symbol's address, which the loader knows.
    bool found = false;
    for (u32 i = 0; i < made.operation.sources; ++i) {
      Source& source = made.operation.source[i];
      if (source.place != Where::immediate || bytes_of(source.type) < 4) continue;
      source.place = Where::file;
      source.offset = static_cast<i32>(symbol->offset);
      source.width = 1;
      source.vertical = source.horizontal = 0;
      found = true;
    }
    if (!found) return bad(line, "a symbol's address that is no immediate");
  }
  return made;
}

}  // namespace lockstep::gen
