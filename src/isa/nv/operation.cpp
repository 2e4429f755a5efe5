#include "isa/nv/operation.h"

#include <charconv>
#include <unordered_map>

#include "isa/nv/opcodes.h"

namespace lockstep::nv {
namespace {

constexpr std::pair<std::string_view, Mnemonic> mnemonics[] = {
    {"abs", Mnemonic::abs},
    {"activemask", Mnemonic::activemask},
    {"add", Mnemonic::add},
    {"addc", Mnemonic::addc},
    {"and", Mnemonic::and_},
    {"bfe", Mnemonic::bfe},
    {"bfi", Mnemonic::bfi},
    {"bfind", Mnemonic::bfind},
    {"brev", Mnemonic::brev},
    {"clz", Mnemonic::clz},
    {"cnot", Mnemonic::cnot},
    {"cos", Mnemonic::cos},
    {"cvt", Mnemonic::cvt},
    {"cvta", Mnemonic::cvta},
    {"div", Mnemonic::div},
    {"dp2a", Mnemonic::dp2a},
    {"dp4a", Mnemonic::dp4a},
    {"elect", Mnemonic::elect},
    {"ex2", Mnemonic::ex2},
    {"fma", Mnemonic::fma},
    {"ldmatrix", Mnemonic::ldmatrix},
    {"lg2", Mnemonic::lg2},
    {"lop3", Mnemonic::lop3},
    {"mad", Mnemonic::mad},
    {"mad24", Mnemonic::mad24},
    {"madc", Mnemonic::madc},
    {"match", Mnemonic::match},
    {"max", Mnemonic::max},
    {"min", Mnemonic::min},
    {"mov", Mnemonic::mov},
    {"mul", Mnemonic::mul},
    {"mul24", Mnemonic::mul24},
    {"neg", Mnemonic::neg},
    {"not", Mnemonic::not_},
    {"or", Mnemonic::or_},
    {"popc", Mnemonic::popc},
    {"prmt", Mnemonic::prmt},
    {"rcp", Mnemonic::rcp},
    {"redux", Mnemonic::redux},
    {"rem", Mnemonic::rem},
    {"rsqrt", Mnemonic::rsqrt},
    {"sad", Mnemonic::sad},
    {"selp", Mnemonic::selp},
    {"setp", Mnemonic::setp},
    {"shf", Mnemonic::shf},
    {"shfl", Mnemonic::shfl},
    {"shl", Mnemonic::shl},
    {"shr", Mnemonic::shr},
    {"sin", Mnemonic::sin},
    {"sqrt", Mnemonic::sqrt},
    {"stmatrix", Mnemonic::stmatrix},
    {"sub", Mnemonic::sub},
    {"subc", Mnemonic::subc},
    {"tanh", Mnemonic::tanh},
    {"vote", Mnemonic::vote},
    {"xor", Mnemonic::xor_},
};

constexpr std::pair<std::string_view, Comparison> comparisons[] = {
    {"eq", Comparison::eq},   {"ne", Comparison::ne},  {"lt", Comparison::lt},  {"le", Comparison::le},
    {"gt", Comparison::gt},   {"ge", Comparison::ge},  {"lo", Comparison::lt},  {"ls", Comparison::le},
    {"hi", Comparison::gt},   {"hs", Comparison::ge},  {"equ", Comparison::eq}, {"neu", Comparison::ne},
    {"ltu", Comparison::lt},  {"leu", Comparison::le}, {"gtu", Comparison::gt}, {"geu", Comparison::ge},
    {"num", Comparison::num}, {"nan", Comparison::nan}};

// "u32", "bf16x2", "e4m3x2" (the floats of 8 bits), "tf32", "pred".
ElementType type_of(std::string_view word) {
  using Kind = ElementType::Kind;
  if (word == "pred") return {Kind::predicate, 1, 1};
  ElementType type;
  if (const std::size_t x = word.rfind("x2"); x != word.npos && x + 2 == word.size()) {
    type.count = 2;
    word.remove_suffix(2);
  }
  if (word == "e4m3" || word == "e5m2") {
    type.kind = Kind::floating;
    type.bits = 8;
    return type;
  }
  constexpr std::pair<std::string_view, Kind> letters[] = {
      {"u", Kind::unsigned_integer}, {"s", Kind::signed_integer}, {"b", Kind::bits},
      {"f", Kind::floating},         {"bf", Kind::floating},      {"tf", Kind::floating}};
  const std::size_t digits = word.find_first_of("0123456789");
  if (digits == word.npos) return {};
  for (const auto& [letter, kind] : letters) {
    if (word.substr(0, digits) != letter) continue;
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data() + digits, end, type.bits);
    if (error != std::errc{} || stop != end) return {};  // "b4e": a mode
    type.kind = kind;
    type.brain = letter == "bf";
    type.tensor = letter == "tf";
    return type;
  }
  return {};
}

Mnemonic mnemonic_of(std::string_view word) {
  for (const auto& [name, mnemonic] : mnemonics) {
    if (name == word) return mnemonic;
  }
  return Mnemonic::other;
}

Operation decode(std::string_view name) {
  Operation operation;
  if (const std::size_t at = name.find('@'); at != name.npos) {
    operation.wide_register = true;
    name = name.substr(0, at);
  }
  name = name.substr(0, name.find(' '));  // "setp.lt.f16x2 high": of the upper half
  const std::size_t first = name.find('.');
  operation.mnemonic = mnemonic_of(name.substr(0, first));
  using M = Mnemonic;
  operation.carries =
      operation.mnemonic == M::addc || operation.mnemonic == M::subc || operation.mnemonic == M::madc;
  ElementType before;  // the last type but one
  for (std::size_t at = first; at != name.npos;) {
    const std::size_t next = name.find('.', at + 1);
    const std::string_view word = name.substr(at + 1, next == name.npos ? next : next - at - 1);
    at = next;
    if (const ElementType type = type_of(word); type.kind != ElementType::Kind::none) {
      before = operation.type;
      operation.type = type;
      continue;
    }
    if (operation.mnemonic == M::setp) {
      for (const auto& [spelled, comparison] : comparisons) {
        if (spelled == word) operation.comparison = comparison;
      }
    }
    operation.wide |= word == "wide";
    operation.high |= word == "hi";
    operation.left |= word == "l";
    operation.approximate |= word == "approx";
    operation.full_range |= word == "full";
    operation.flushes |= word == "ftz";
    operation.saturates |= word == "sat";
    operation.carries |= word == "cc";
    operation.to_whole |= word == "rni" || word == "rzi" || word == "rmi" || word == "rpi";
    operation.packs |= word == "pack";
    operation.has_mode |= operation.mnemonic == M::prmt;
  }
  if (operation.mnemonic == M::cvt) {
    operation.from = operation.type;
    operation.type = before;
  }
  return operation;
}

// The floats' additions are of the order in which they come, and told by their names.
Operation atomic(const Semantic& meaning) {
  Operation operation;
  using M = Mnemonic;
  switch (meaning.combining) {
    case Combining::sum:
      operation.mnemonic = M::add;
      break;
    case Combining::conjunction:
      operation.mnemonic = M::and_;
      break;
    case Combining::disjunction:
      operation.mnemonic = M::or_;
      break;
    case Combining::exclusive_or:
      operation.mnemonic = M::xor_;
      break;
    case Combining::signed_min:
    case Combining::unsigned_min:
      operation.mnemonic = M::min;
      break;
    case Combining::signed_max:
    case Combining::unsigned_max:
      operation.mnemonic = M::max;
      break;
    default:
      if (const std::size_t at = meaning.name.find("add."); at != meaning.name.npos)
        operation = decode(meaning.name.substr(at));
  }
  return operation;
}

// Of the table's meanings.
const std::unordered_map<const Semantic*, Operation>& operations() {
  static const std::unordered_map<const Semantic*, Operation> all = [] {
    std::unordered_map<const Semantic*, Operation> made;
    for (const auto& [name, row] : opcodes().rows()) {
      const auto [at, fresh] = made.try_emplace(row.meaning);
      if (fresh || at->second.saturates) at->second = decode(name);
    }
    return made;
  }();
  return all;
}

}  // namespace

bool computes(const Semantic& meaning) {
  return operations().contains(&meaning);
}
Operation operation_of(const Semantic& meaning) {
  if (const auto found = operations().find(&meaning); found != operations().end()) return found->second;
  if (meaning.combining != Combining::none) return atomic(meaning);
  Operation operation;
  if (meaning.name == "mov (pack)")
    operation.mnemonic = Mnemonic::pack;
  else if (meaning.name == "mov (unpack)")
    operation.mnemonic = Mnemonic::unpack;
  else if (meaning.name == "cp.async")
    operation.mnemonic = Mnemonic::cp_async;
  else
    operation.mnemonic = mnemonic_of(meaning.name.substr(0, meaning.name.find('.')));
  return operation;
}

}  // namespace lockstep::nv
