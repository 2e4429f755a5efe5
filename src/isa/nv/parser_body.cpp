// Source: "Parallel Thread Execution ISA", version 8.5, chapters 6 (Instruction Operands), 9.3 (Predicated
// Execution) and 11.
#include <fmt/format.h>

#include <charconv>

#include "isa/nv/chains.h"
#include "isa/nv/early_loads.h"
#include "isa/nv/parser.h"
#include "isa/nv/tile_loops.h"
#include "isa/nv/unobserved.h"

namespace lockstep::nv {
namespace {

constexpr u32 most_declared_registers = 1u << 20;

bool is_special(std::string_view name) {
  constexpr std::string_view names[] = {"%tid",
                                        "%ntid",
                                        "%ctaid",
                                        "%nctaid",
                                        "%laneid",
                                        "%warpid",
                                        "%nwarpid",
                                        "%smid",
                                        "%nsmid",
                                        "%gridid",
                                        "%clock",
                                        "%clock_hi",
                                        "%clock64",
                                        "%globaltimer",
                                        "%globaltimer_lo",
                                        "%globaltimer_hi",
                                        "%lanemask_eq",
                                        "%lanemask_le",
                                        "%lanemask_lt",
                                        "%lanemask_ge",
                                        "%lanemask_gt",
                                        "%total_smem_size",
                                        "%dynamic_smem_size",
                                        "%aggr_smem_size",
                                        "%is_explicit_cluster",
                                        "%clusterid",
                                        "%nclusterid",
                                        "%cluster_ctaid",
                                        "%cluster_nctaid",
                                        "%cluster_ctarank",
                                        "%cluster_nctarank",
                                        "%current_graph_exec"};
  for (const std::string_view known : names) {
    if (known == name) return true;
  }
  return name.starts_with("%envreg") || name.starts_with("%pm");
}

}  // namespace

std::optional<u32> Parser::find_register(std::string_view name) {
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    Scope& scope = scopes_[i];
    const auto found = scope.registers.find(name);
    if (found != scope.registers.end()) return found->second;
    for (const Family& family : scope.families) {
      if (!name.starts_with(family.prefix) || name.size() == family.prefix.size()) continue;
      const std::string_view digits = name.substr(family.prefix.size());
      u32 number = 0;
      const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
      if (problem != std::errc{} || end != digits.data() + digits.size() || number >= family.count) continue;
      if (digits.size() > 1 && digits[0] == '0') continue;
      const u32 index = static_cast<u32>(current().registers.size());
      current().registers.push_back({std::string(name), family.type});
      scope.registers[name] = index;
      return index;
    }
  }
  return std::nullopt;
}

const std::vector<u32>* Parser::find_vector(std::string_view name) const {
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    const auto found = scopes_[i].vectors.find(name);
    if (found != scopes_[i].vectors.end()) return &found->second;
  }
  return nullptr;
}

u32 Parser::add_register(std::string name, Type type) {
  current().registers.push_back({std::move(name), type});
  return static_cast<u32>(current().registers.size() - 1);
}

// %v.x is a register, %v alone {%v.x, %v.y, ...}.
bool Parser::vector_operand(OperandTree& operand, std::string_view name, const std::vector<u32>& elements) {
  if (now().kind == TokenKind::directive) {
    constexpr std::string_view letters[] = {".x.r", ".y.g", ".z.b", ".w.a"};
    for (u32 i = 0; i < elements.size(); ++i) {
      const std::string_view word = now().text;
      if (word.size() != 2 || letters[i].find(word) == std::string_view::npos) continue;
      ++at_;
      operand.kind = OperandTree::Kind::reg;
      operand.index = elements[i];
      return true;
    }
    return fail(fmt::format("'{}' has no element '{}'", name, now().text));
  }
  operand.kind = OperandTree::Kind::vector;
  for (const u32 element : elements) {
    OperandTree part;
    part.kind = OperandTree::Kind::reg;
    part.index = element;
    part.name = name;
    operand.parts.push_back(std::move(part));
  }
  return true;
}

std::optional<u32> Parser::find_variable(std::string_view name) const {
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    const auto found = scopes_[i].variables.find(name);
    if (found != scopes_[i].variables.end()) return found->second;
  }
  const auto found = tree_.variable_named.find(name);
  if (found != tree_.variable_named.end()) return found->second;
  return std::nullopt;
}

bool Parser::body(u32 index) {
  function_ = index;
  position_ = 0;
  const u32 line = now().line;
  if (!expect('{')) return false;
  scopes_.emplace_back();
  const std::size_t outside = scopes_.size();
  while (scopes_.size() >= outside) {
    if (now().kind == TokenKind::end) return fail_at(line, "the function's body does not end");
    if (accept('{')) {
      if (scopes_.size() > deepest_nesting) return fail("braces nest too deeply");
      scopes_.emplace_back();
    } else if (accept('}')) {
      scopes_.pop_back();
    } else if (!statement()) {
      return false;
    }
  }
  put_in_natural_order(current());
  if (moves_loads()) {
    unroll_tile_loops(current());
    put_loads_early(current());
  }
  mark_unread(current());
  mark_unobserved(current());
  function_ = no_index;
  return true;
}

// Whether the target's assembler orders code over barriers: seen from 8.0 on, taken to be so from 7.0 on.
bool Parser::moves_loads() const {
  constexpr u32 first = 70;
  constexpr std::string_view begins = "sm_";
  u32 number = 0;
  const std::string_view target = tree_.target;
  if (target.starts_with(begins))
    std::from_chars(target.data() + begins.size(), target.data() + target.size(), number);
  return number >= first;
}

bool Parser::statement() {
  if (accept(';')) return true;
  if (now().kind == TokenKind::directive) return body_directive();
  if (now().kind == TokenKind::name && ahead(1).kind == TokenKind::sign && ahead(1).sign == ':') {
    const std::string_view label = now().text;
    at_ += 2;
    if (is_directive(".callprototype")) return call_prototype(label);
    if (accept_directive(".branchtargets") || accept_directive(".calltargets")) {
      LabelLists list;
      do {
        std::string_view name;
        if (!expect_name(name, "a label")) return false;
        list.labels.push_back(name);
      } while (accept(','));
      current().branch_targets[std::string(label)] = std::move(list);
      return expect(';');
    }
    const auto [at, added] =
        current().labels.try_emplace(std::string(label), static_cast<u32>(current().body.size()));
    (void)at;
    return added || fail(fmt::format("label '{}' stands twice", label));
  }
  return instruction();
}

bool Parser::body_directive() {
  if (is_directive(".loc")) return location();
  if (accept_directive(".reg")) return registers();
  if (is_directive(".file")) return file_directive();
  if (accept_directive(".pragma")) {
    bool nounroll = false;
    if (!pragma(nounroll)) return false;
    if (nounroll) current().rolled.insert(static_cast<u32>(current().body.size()));
    return true;
  }
  const std::string_view word = now().text;
  StateSpace space = StateSpace::generic;
  if (word == ".param") space = StateSpace::param;
  if (word == ".local") space = StateSpace::local;
  if (word == ".shared") space = StateSpace::shared;
  if (word == ".global") space = StateSpace::global;
  if (word == ".const") space = StateSpace::constant;
  if (space == StateSpace::generic)
    return fail(fmt::format("unknown directive '{}' in a function's body", word));
  ++at_;
  return variables(space, false, function_);
}

bool Parser::registers() {
  u32 elements = 1;
  if (is_directive(".v2") || is_directive(".v4")) {
    elements = is_directive(".v2") ? 2 : 4;
    ++at_;
  }
  if (now().kind != TokenKind::directive || type_named(now().text.substr(1)) == Type::none)
    return fail(fmt::format("expected a register's type, found '{}'", now().text));
  const Type type = type_named(now().text.substr(1));
  ++at_;
  do {
    std::string_view name;
    if (!expect_name(name, "a register's name")) return false;
    if (accept('<')) {
      u64 count = 0;
      if (!integer(count) || !expect('>')) return false;
      if (elements > 1 && count > 4096) return fail("too many registers");
      for (u64 i = 0; elements > 1 && i < count; ++i) {
        std::vector<u32>& vector = scopes_.back().vectors[std::string(name) + std::to_string(i)];
        vector.clear();
        for (u32 k = 0; k < elements; ++k) vector.push_back(add_register(std::string(name), type));
      }
      if (elements == 1)
        scopes_.back().families.push_back(
            {name, static_cast<u32>(std::min<u64>(count, most_declared_registers)), type});
    } else if (elements > 1) {
      std::vector<u32>& vector = scopes_.back().vectors[std::string(name)];
      vector.clear();
      for (u32 k = 0; k < elements; ++k) vector.push_back(add_register(std::string(name), type));
    } else {
      scopes_.back().registers[name] = add_register(std::string(name), type);
    }
    if (current().registers.size() > most_declared_registers) return fail("too many registers");
  } while (accept(','));
  return expect(';');
}

// label: .callprototype (results) _ (parameters) ;
bool Parser::call_prototype(std::string_view label) {
  ++at_;
  FunctionTree tree;
  tree.line = now().line;
  const u32 index = static_cast<u32>(tree_.functions.size());
  tree_.functions.emplace_back();
  if (is_sign('(') && !parameter_list(tree, index, tree.results, false)) return false;
  std::string_view name;
  if (!expect_name(name, "_")) return false;
  if (is_sign('(') && !parameter_list(tree, index, tree.parameters, false)) return false;
  accept_directive(".noreturn");
  tree_.functions[index] = std::move(tree);
  current().prototypes[std::string(label)] = index;
  return expect(';');
}

// .loc file line column [, function_name label [+ n], inlined_at file line column]
bool Parser::location() {
  ++at_;
  std::array<u32, 3> numbers{};
  for (u32& number : numbers) {
    u64 value = 0;
    if (!integer(value)) return false;
    number = static_cast<u32>(value);
  }
  while (accept(',')) {
    std::string_view word;
    if (!expect_name(word, "function_name or inlined_at")) return false;
    if (word == "function_name") {
      if (!expect_name(word, "a label")) return false;
      u64 offset = 0;
      if (accept('+') && !integer(offset)) return false;
    } else if (word == "inlined_at") {
      for (u32 i = 0; i < 3; ++i) {
        u64 value = 0;
        if (!integer(value)) return false;
      }
    } else {
      return fail(fmt::format("unknown word '{}' in .loc", word));
    }
  }
  if (numbers[1] == 0) {  // line 0: the compiler names no line
    position_ = 0;
    return true;
  }
  const auto [at, added] = known_positions_.try_emplace(numbers, static_cast<u32>(tree_.positions.size()));
  if (added) tree_.positions.push_back({numbers[0], numbers[1], numbers[2]});
  position_ = at->second;
  return true;
}

bool Parser::instruction() {
  Statement statement;
  statement.position = position_;
  const std::size_t begin = now().at;
  statement.line = now().line;
  if (accept('@')) {
    statement.guard_negated = accept('!');
    std::string_view name;
    if (!expect_name(name, "a predicate")) return false;
    const auto found = find_register(name);
    if (!found) return fail_at(statement.line, fmt::format("'{}' is not declared", name));
    if (current().registers[*found].type != Type::pred_)
      return fail_at(statement.line, fmt::format("'{}' is no predicate", name));
    statement.guard = *found;
  }
  if (now().kind != TokenKind::name)
    return fail(fmt::format("expected an instruction, found '{}'", now().text));
  statement.line = now().line;
  const std::size_t opcode = now().at;
  statement.words.push_back(now().text);
  std::size_t end = now().at + now().text.size();
  ++at_;
  while (now().kind == TokenKind::directive) {
    statement.words.push_back(now().text.substr(1));
    end = now().at + now().text.size();
    ++at_;
  }
  statement.opcode = text_.substr(opcode, end - opcode);
  if (!is_sign(';')) {
    do {
      OperandTree tree;
      if (!operand(tree)) return false;
      statement.operands.push_back(std::move(tree));
    } while (accept(','));
  }
  statement.text = text_.substr(begin, now().at - begin);
  if (!expect(';')) return false;
  current().body.push_back(std::move(statement));
  return true;
}

bool Parser::operand(OperandTree& operand) {
  if (++depth_ > deepest_nesting) return fail("operands nest too deeply");
  const bool ok = plain_operand(operand);
  --depth_;
  if (!ok || !accept('|')) return ok;
  OperandTree pair;
  pair.kind = OperandTree::Kind::pair;
  pair.parts.push_back(std::move(operand));
  pair.parts.emplace_back();
  if (!plain_operand(pair.parts.back())) return false;
  operand = std::move(pair);
  return true;
}

bool Parser::plain_operand(OperandTree& operand) {
  if (accept('{')) {
    operand.kind = OperandTree::Kind::vector;
    return operand_list(operand, '}');
  }
  if (accept('(')) {
    operand.kind = OperandTree::Kind::list;
    return operand_list(operand, ')');
  }
  if (accept('[')) {
    operand.kind = OperandTree::Kind::address;
    return address(operand);
  }
  if (accept('!')) {
    if (!name_operand(operand)) return false;
    operand.negated = true;
    return true;
  }
  bool negative = false;
  while (is_sign('-') || is_sign('+')) {
    negative ^= is_sign('-');
    ++at_;
  }
  if (now().kind == TokenKind::number) {
    if (!number_value(now(), operand)) return false;
    ++at_;
    if (negative) {
      if (operand.kind == OperandTree::Kind::real32)
        operand.value ^= 0x80000000u;
      else if (operand.kind == OperandTree::Kind::real64)
        operand.value ^= u64{1} << 63;
      else
        operand.value = 0 - operand.value;
    }
    return true;
  }
  if (negative) return fail("expected a number after '-'");
  return name_operand(operand);
}

bool Parser::name_operand(OperandTree& operand) {
  const u32 line = now().line;
  std::string_view name;
  if (!expect_name(name, "an operand")) return false;
  if (name == "_") {
    operand.kind = OperandTree::Kind::sink;
    return true;
  }
  operand.name = name;
  if (const std::vector<u32>* elements = find_vector(name)) return vector_operand(operand, name, *elements);
  if (const auto found = find_register(name)) {
    operand.kind = OperandTree::Kind::reg;
    operand.index = *found;
    if (now().kind == TokenKind::directive) {
      constexpr std::string_view parts = ".b0.b1.b2.b3.h0.h1";  // of video instructions
      if (now().text.size() != 3 || parts.find(now().text) == std::string_view::npos)
        return fail(fmt::format("'{}' is no vector register", name));
      ++at_;
    }
    return true;
  }
  if (is_special(name)) {
    operand.kind = OperandTree::Kind::special;
    if (now().kind == TokenKind::directive) {
      const Token& part = now();
      operand.name =
          text_.substr(static_cast<std::size_t>(name.data() - text_.data()),
                       part.at + part.text.size() - static_cast<std::size_t>(name.data() - text_.data()));
      ++at_;
    }
    return true;
  }
  if (name == "WARP_SZ") {
    operand.kind = OperandTree::Kind::integer;
    operand.value = 32;
    return true;
  }
  if (const auto found = find_variable(name)) {
    operand.kind = OperandTree::Kind::variable;
    operand.index = *found;
    if (is_sign('+') || is_sign('-')) {
      const bool minus = is_sign('-');
      ++at_;
      u64 offset = 0;
      if (!integer(offset)) return false;
      operand.value = minus ? 0 - offset : offset;
    }
    return true;
  }
  if (name[0] == '%') return fail_at(line, fmt::format("'{}' is not declared", name));
  operand.kind = OperandTree::Kind::name;
  return true;
}

bool Parser::operand_list(OperandTree& list, char end) {
  if (accept(end)) return true;
  do {
    list.parts.emplace_back();
    if (!operand(list.parts.back())) return false;
    if (list.parts.size() > 4096) return fail("the list is too long");
  } while (accept(','));
  return expect(end);
}

// Behind '[': base, base + n, n; textures have a list behind a comma.
bool Parser::address(OperandTree& operand) {
  OperandTree base;
  if (!this->operand(base)) return false;
  if (base.kind == OperandTree::Kind::integer) {
    operand.value = base.value;
  } else {
    if (base.kind == OperandTree::Kind::variable) {
      operand.value = base.value;
      base.value = 0;
    }
    operand.parts.push_back(std::move(base));
  }
  while (is_sign('+') || is_sign('-')) {
    const bool minus = is_sign('-');
    ++at_;
    u64 offset = 0;
    if (!integer(offset)) return false;
    operand.value += minus ? 0 - offset : offset;
  }
  while (accept(',')) {
    operand.parts.emplace_back();
    if (!this->operand(operand.parts.back())) return false;
  }
  return expect(']');
}

}  // namespace lockstep::nv
