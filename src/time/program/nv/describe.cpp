#include "time/program/nv/describe.h"

#include <algorithm>

namespace lockstep::lowering {

bool has_word(std::string_view name, std::string_view word) {
  for (std::size_t at = name.find(word); at != name.npos; at = name.find(word, at + 1)) {
    const std::size_t after = at + word.size();
    if (at > 0 && name[at - 1] == '.' && (after == name.size() || name[after] == '.' || name[after] == '@'))
      return true;
  }
  return false;
}
std::string_view last_word(std::string_view name) {
  name = name.substr(0, name.find('@'));
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? std::string_view{} : name.substr(dot + 1);
}
std::string_view word_before_last(std::string_view name) {
  name = name.substr(0, name.find('@'));
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? std::string_view{} : last_word(name.substr(0, dot));
}
u8 type_bits(std::string_view type) {
  if (type == "pred") return 1;
  if (type.find("64") != type.npos) return 64;
  if (type.find("32") != type.npos || type.find("x2") != type.npos) return 32;
  if (type.find("16") != type.npos) return 16;
  return 8;
}

namespace {

struct DescribedRow {
  std::string_view word;
  Op integer, real;
};
constexpr DescribedRow described_rows[] = {
    {"add", Op::add, Op::fadd},         {"sub", Op::add, Op::fadd},     {"and", Op::and_, Op::other},
    {"or", Op::or_, Op::other},         {"xor", Op::xor_, Op::other},   {"not", Op::xor_, Op::other},
    {"shl", Op::shl, Op::other},        {"shr", Op::shr, Op::other},    {"min", Op::min, Op::fmin},
    {"max", Op::max, Op::fmax},         {"neg", Op::add, Op::fmove},    {"abs", Op::abs, Op::fmove},
    {"selp", Op::select, Op::select},   {"bfe", Op::bfe, Op::other},    {"bfi", Op::bfi, Op::other},
    {"prmt", Op::prmt, Op::other},      {"popc", Op::popc, Op::other},  {"clz", Op::clz, Op::other},
    {"bfind", Op::bfind, Op::other},    {"brev", Op::brev, Op::other},  {"div", Op::div, Op::fdiv},
    {"rem", Op::rem, Op::other},        {"fma", Op::other, Op::ffma},   {"rcp", Op::other, Op::frcp},
    {"sqrt", Op::other, Op::fsqrt},     {"rsqrt", Op::other, Op::math}, {"ex2", Op::other, Op::math},
    {"lg2", Op::other, Op::math},       {"sin", Op::other, Op::math},   {"cos", Op::other, Op::math},
    {"tanh", Op::other, Op::math},      {"shf", Op::funnel, Op::other}, {"lop3", Op::lop3, Op::other},
    {"setp", Op::compare, Op::compare},
};

void describe_compare(std::string_view name, Node& node) {
  constexpr std::pair<std::string_view, Compare> words[] = {
      {"eq", Compare::eq},   {"ne", Compare::ne},  {"lt", Compare::lt},  {"le", Compare::le},
      {"gt", Compare::gt},   {"ge", Compare::ge},  {"lo", Compare::lt},  {"ls", Compare::le},
      {"hi", Compare::gt},   {"hs", Compare::ge},  {"equ", Compare::eq}, {"neu", Compare::ne},
      {"ltu", Compare::lt},  {"leu", Compare::le}, {"gtu", Compare::gt}, {"geu", Compare::ge},
      {"num", Compare::num}, {"nan", Compare::nan}};
  for (const auto& [word, compare] : words) {
    if (has_word(name, word)) node.value = static_cast<u64>(compare);
  }
  node.predicate = true;
  node.width = 0;
}

bool describe_convert(std::string_view name, Node& node) {
  const std::string_view to = word_before_last(name), from = last_word(name);
  const auto integer = [](std::string_view type) {
    return (type[0] == 'u' || type[0] == 's' || type[0] == 'b') && type.find('x') == type.npos;
  };
  const bool wide_register = name.find("@64") != name.npos || type_bits(to) == 64;
  node.width = wide_register ? 2 : 1;
  node.name = name;
  if (!integer(to) || !integer(from) || has_word(name, "sat")) {
    node.op = Op::convert;
    node.bits = type_bits(to);
    node.real = !integer(to);
    return true;
  }
  const u8 source = type_bits(from), result = type_bits(to);
  node.is_signed = from[0] == 's';
  if (result == 64 && source == 32) {
    node.op = node.is_signed ? Op::sext : Op::zext;
    node.bits = 64;
    return true;
  }
  if (source >= 32 && result >= 32) {  // truncation, or nothing
    node.op = Op::move;
    node.bits = result;
    return true;
  }
  // The narrower of both says what is kept, and its sign how it is extended.
  node.op = Op::extend;
  node.value = std::min(source, result);
  if (result < source) node.is_signed = to[0] == 's';
  node.bits = static_cast<u8>(wide_register ? 64 : 32);
  // 16-bit registers hold whatever above their 16 bits.
  if (result == 16 && node.value == 16) node.op = Op::move;
  return true;
}

}  // namespace

bool describe(std::string_view name, Node& node) {
  const std::string_view word = name.substr(0, name.find('.')), type = last_word(name);
  node.name = name;
  node.bits = type_bits(type);
  node.real = type.starts_with("f") || type.starts_with("bf");
  node.packed = type.ends_with("x2");
  node.is_signed = type.starts_with("s");
  node.width = node.bits == 64 ? 2 : 1;
  if (type == "pred") {
    node.predicate = true;
    node.width = 0;
  }
  if (word == "cvt") return describe_convert(name, node);
  if (word == "mov" || word == "cvta") {
    node.op = Op::move;
    return true;
  }
  if (word == "mul" || word == "mad" || word == "mul24" || word == "mad24") {
    const bool third = word.starts_with("mad");
    if (word.ends_with("24")) node.bits = 24;
    if (node.real) {
      node.op = third ? Op::ffma : Op::fmul;
    } else if (has_word(name, "wide")) {
      node.op = third ? Op::mad_wide : Op::mul_wide;
      if (node.bits == 16) {
        node.op = third ? Op::mad : Op::mul;
        node.bits = 32;
      } else {
        node.bits = 64;
        node.width = 2;
      }
    } else {
      const bool high = has_word(name, "hi");
      node.op = third ? (high ? Op::mad_high : Op::mad) : (high ? Op::mul_high : Op::mul);
    }
    return !has_word(name, "cc");
  }
  if (has_word(name, "cc") || name.starts_with("addc") || name.starts_with("subc")) {
    node.op = Op::other;
    return false;
  }
  for (const DescribedRow& row : described_rows) {
    if (row.word != word) continue;
    node.op = node.real ? row.real : row.integer;
    if (word == "setp") describe_compare(name, node);
    if (word == "lop3") node.value = 3;
    if ((word == "div" || word == "sqrt" || word == "rcp") && has_word(name, "approx")) node.op = Op::math;
    if (word == "div" && has_word(name, "full")) node.op = Op::math;
    if (word == "popc" || word == "clz" || word == "bfind") node.width = 1;
    return node.op != Op::other;
  }
  node.op = Op::other;
  return false;
}

}  // namespace lockstep::lowering
