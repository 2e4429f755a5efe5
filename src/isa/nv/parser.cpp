// Source: "Parallel Thread Execution ISA", version 8.5, chapters 4, 5, 7 and 11 (Directives).
#include "isa/nv/parser.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "isa/nv/notes.h"

namespace lockstep::nv {
namespace {

struct TypeName {
  std::string_view name;
  Type type;
  u8 bytes;
};
constexpr TypeName type_names[] = {{"u8", Type::u8_, 1},
                                   {"u16", Type::u16_, 2},
                                   {"u32", Type::u32_, 4},
                                   {"u64", Type::u64_, 8},
                                   {"s8", Type::s8_, 1},
                                   {"s16", Type::s16_, 2},
                                   {"s32", Type::s32_, 4},
                                   {"s64", Type::s64_, 8},
                                   {"b8", Type::b8_, 1},
                                   {"b16", Type::b16_, 2},
                                   {"b32", Type::b32_, 4},
                                   {"b64", Type::b64_, 8},
                                   {"b128", Type::b128_, 16},
                                   {"f16", Type::f16_, 2},
                                   {"f16x2", Type::f16x2_, 4},
                                   {"bf16", Type::bf16_, 2},
                                   {"bf16x2", Type::bf16x2_, 4},
                                   {"tf32", Type::tf32_, 4},
                                   {"f32", Type::f32_, 4},
                                   {"f64", Type::f64_, 8},
                                   {"pred", Type::pred_, 0},
                                   {"texref", Type::texref_, 8},
                                   {"samplerref", Type::samplerref_, 8},
                                   {"surfref", Type::surfref_, 8}};

constexpr u64 most_variable_bytes = u64{1} << 32;

StateSpace space_named(std::string_view directive) {
  if (directive == ".global") return StateSpace::global;
  if (directive == ".const") return StateSpace::constant;
  if (directive == ".shared") return StateSpace::shared;
  if (directive == ".local") return StateSpace::local;
  if (directive == ".param") return StateSpace::param;
  return StateSpace::generic;
}

}  // namespace

Type type_named(std::string_view name) {
  for (const TypeName& entry : type_names) {
    if (entry.name == name) return entry.type;
  }
  return Type::none;
}
u32 bytes_of(Type type) {
  for (const TypeName& entry : type_names) {
    if (entry.type == type) return entry.bytes;
  }
  return 0;
}
bool is_signed(Type type) {
  return type == Type::s8_ || type == Type::s16_ || type == Type::s32_ || type == Type::s64_;
}
bool is_float_type(Type type) {
  return type == Type::f16_ || type == Type::f16x2_ || type == Type::bf16_ || type == Type::bf16x2_ ||
         type == Type::tf32_ || type == Type::f32_ || type == Type::f64_;
}

bool Parser::fail_at(u32 line, std::string message) {
  if (!error_) error_ = bad_ptx(text_, name_, line, std::move(message));
  return false;
}
bool Parser::accept(char c) {
  if (!is_sign(c)) return false;
  ++at_;
  return true;
}
bool Parser::accept_directive(std::string_view word) {
  if (!is_directive(word)) return false;
  ++at_;
  return true;
}
bool Parser::expect(char c) {
  if (accept(c)) return true;
  const std::string found =
      now().kind == TokenKind::end ? "the end of the text" : fmt::format("'{}'", now().text);
  return fail(fmt::format("expected '{}', found {}", c, found));
}
bool Parser::expect_name(std::string_view& name, const char* what) {
  if (now().kind != TokenKind::name) return fail(fmt::format("expected {}, found '{}'", what, now().text));
  name = now().text;
  ++at_;
  return true;
}

bool Parser::number_value(const Token& token, OperandTree& operand) {
  std::string_view digits = token.text;
  const auto parse = [&](int base) {
    u64 value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    operand.value = value;
    return problem == std::errc{} && end == digits.data() + digits.size() && !digits.empty();
  };
  const std::string_view prefix = digits.substr(0, 2);
  const bool bits32 = prefix == "0f" || prefix == "0F", bits64 = prefix == "0d" || prefix == "0D";
  if (bits32 || bits64) {
    digits.remove_prefix(2);
    operand.kind = bits32 ? OperandTree::Kind::real32 : OperandTree::Kind::real64;
    if (digits.size() == (bits32 ? 8u : 16u) && parse(16)) return true;
    return fail_at(token.line,
                   fmt::format("'{}' is no floating-point constant: {} hexadecimal digits follow {}",
                               token.text, bits32 ? 8 : 16, prefix));
  }
  if (digits.find('.') != std::string_view::npos ||
      (digits.find_first_of("eE") != std::string_view::npos && prefix != "0x" && prefix != "0X")) {
    const std::string copy(digits);
    char* end = nullptr;
    const f64 value = std::strtod(copy.c_str(), &end);
    operand.kind = OperandTree::Kind::real64;
    operand.value = std::bit_cast<u64>(value);
    if (end == copy.c_str() + copy.size()) return true;
    return fail_at(token.line, fmt::format("'{}' is no number", token.text));
  }
  operand.kind = OperandTree::Kind::integer;
  while (!digits.empty() && (digits.back() == 'U' || digits.back() == 'u')) digits.remove_suffix(1);
  bool ok = false;
  if (prefix == "0x" || prefix == "0X") {
    digits.remove_prefix(2);
    ok = parse(16);
  } else if (prefix == "0b" || prefix == "0B") {
    digits.remove_prefix(2);
    ok = parse(2);
  } else {
    ok = parse(digits.size() > 1 && digits[0] == '0' ? 8 : 10);
  }
  return ok || fail_at(token.line, fmt::format("'{}' is no 64-bit number", token.text));
}

bool Parser::integer(u64& value) {
  const bool negative = accept('-');
  if (now().kind != TokenKind::number) return fail(fmt::format("expected a number, found '{}'", now().text));
  OperandTree operand;
  if (!number_value(now(), operand)) return false;
  if (operand.kind != OperandTree::Kind::integer) return fail("expected an integer");
  value = negative ? 0 - operand.value : operand.value;
  ++at_;
  return true;
}

bool Parser::module() {
  tree_.positions.emplace_back();
  if (!is_directive(".version")) return fail("PTX begins with .version");
  ++at_;
  // "8.5" is one number token.
  const std::string_view version = now().text;
  const std::size_t dot = version.find('.');
  const auto number = [](std::string_view digits, u32& value) {
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return problem == std::errc{} && end == digits.data() + digits.size();
  };
  if (dot == std::string_view::npos || !number(version.substr(0, dot), tree_.version_major) ||
      !number(version.substr(dot + 1), tree_.version_minor)) {
    return fail("expected a version such as 8.5 after .version");
  }
  if (tree_.version_major < 1 || tree_.version_major > 9)
    return fail(fmt::format("PTX version {} is not known", version));
  ++at_;
  if (!accept_directive(".target")) return fail(".version is followed by .target");
  std::string_view word;
  tree_.target_line = now().line;
  if (!expect_name(word, "a target")) return false;
  tree_.target = std::string(word);
  while (accept(',')) {
    if (!expect_name(word, "a target option")) return false;
    if (word.starts_with("sm_")) tree_.target = std::string(word);  // behind its options
  }
  if (accept_directive(".address_size")) {
    u64 bits = 0;
    if (!integer(bits)) return false;
    if (bits != 32 && bits != 64) return fail("an address has 32 or 64 bits");
    tree_.address_bytes = static_cast<u32>(bits / 8);
  } else {
    tree_.address_bytes = 4;
  }
  while (now().kind != TokenKind::end) {
    if (!module_item()) return false;
  }
  return true;
}

// The strings behind .pragma; others than this one mean nothing here (PTX ISA, "Pragma Strings").
bool Parser::pragma(bool& nounroll) {
  for (; now().kind == TokenKind::string || is_sign(','); ++at_) nounroll |= now().text == "nounroll";
  return expect(';');
}

bool Parser::module_item() {
  if (accept(';')) return true;
  if (is_directive(".file")) return file_directive();
  if (is_directive(".section")) return skip_section();
  if (accept_directive(".pragma")) return pragma(tree_.rolled);
  bool external = false;
  for (;;) {
    if (accept_directive(".extern")) {
      external = true;
    } else if (!accept_directive(".visible") && !accept_directive(".weak") && !accept_directive(".common")) {
      break;
    }
  }
  if (accept_directive(".entry")) return function(true);
  if (accept_directive(".func")) return function(false);
  if (now().kind == TokenKind::directive) {
    const StateSpace space = space_named(now().text);
    if (space == StateSpace::param) return fail(".param variables belong to functions");
    if (space != StateSpace::generic) {
      ++at_;
      return variables(space, external, no_index);
    }
    return fail(fmt::format("unknown directive '{}'", now().text));
  }
  return fail(fmt::format("expected a directive, found '{}'", now().text));
}

bool Parser::file_directive() {
  ++at_;
  u64 number = 0;
  if (!integer(number)) return false;
  if (now().kind != TokenKind::string) return fail("expected the file's name in quotes");
  if (number > 1u << 20) return fail("a file's number is too large");
  tree_.files[static_cast<u32>(number)] = std::string(now().text);
  ++at_;
  while (accept(',')) {
    u64 ignored = 0;  // time stamp and size
    if (!integer(ignored)) return false;
  }
  return true;
}

bool Parser::skip_section() {
  const u32 line = now().line;
  ++at_;
  if (now().kind != TokenKind::directive && now().kind != TokenKind::name)
    return fail("a section has a name");
  ++at_;
  if (!expect('{')) return false;
  for (u32 depth = 1; depth > 0; ++at_) {
    if (now().kind == TokenKind::end) return fail_at(line, "the section does not end");
    if (is_sign('{')) ++depth;
    if (is_sign('}')) --depth;
  }
  return true;
}

u32 Parser::add_variable(Variable variable) {
  tree_.variables.push_back(std::move(variable));
  return static_cast<u32>(tree_.variables.size() - 1);
}

// Behind the state space: [.align N] .type name [sizes] [= value] {, name ...} ;
bool Parser::variables(StateSpace space, bool external, u32 function) {
  Variable first;
  first.space = space;
  first.external = external;
  first.function = function;
  u64 align = 0;
  if (accept(('['))) {  // .const[3]: old banks
    u64 bank = 0;
    if (!integer(bank) || !expect(']')) return false;
  }
  u32 count = 1;
  for (;;) {
    if (accept_directive(".align")) {
      if (!integer(align)) return false;
      if (align == 0 || (align & (align - 1)) != 0 || align > 4096)
        return fail("an alignment is a power of two");
    } else if (is_directive(".v2") || is_directive(".v4")) {
      count = is_directive(".v2") ? 2 : 4;
      ++at_;
    } else if (accept_directive(".attribute")) {
      while (!is_sign(')') && now().kind != TokenKind::end) ++at_;
      if (!expect(')')) return false;
    } else {
      break;
    }
  }
  if (now().kind != TokenKind::directive || type_named(now().text.substr(1)) == Type::none)
    return fail(fmt::format("expected a type, found '{}'", now().text));
  first.type = type_named(now().text.substr(1));
  if (first.type == Type::pred_) return fail("predicates lie only in registers");
  ++at_;
  if (count > 1) first.unsized = false;
  first.bytes = u64{bytes_of(first.type)} * count;
  first.align = align != 0 ? static_cast<u32>(align) : static_cast<u32>(std::max<u64>(first.bytes, 1));
  for (;;) {
    Variable variable = first;
    variable.line = now().line;
    std::string_view name;
    if (!expect_name(name, "a variable's name")) return false;
    variable.name = std::string(name);
    u64 repeat = 1;
    if (accept('<')) {  // name<8> declares name0 to name7
      if (!integer(repeat) || !expect('>')) return false;
      if (repeat > 65536) return fail("too many variables");
    }
    if (!variable_rest(variable)) return false;
    for (u64 i = 0; i < repeat; ++i) {
      Variable copy = variable;
      if (is_sign('<') || repeat > 1) copy.name += std::to_string(i);
      const u32 index = add_variable(copy);
      if (function == no_index) {
        tree_.variable_named[tree_.variables[index].name] = index;
      } else {
        scopes_.back().variables[name] = index;
        tree_.functions[function].locals.push_back(index);
      }
    }
    if (!accept(',')) return expect(';');
  }
}

bool Parser::variable_rest(Variable& variable) {
  bool first = true;
  while (accept('[')) {
    u64 length = 0;
    if (is_sign(']') && first) {
      variable.unsized = true;
    } else {
      if (!integer(length)) return false;
      if (length != 0 && variable.bytes > most_variable_bytes / length) return fail("the array is too large");
      variable.bytes *= length;
    }
    first = false;
    if (!expect(']')) return false;
  }
  if (accept('=')) {
    if (variable.space != StateSpace::global && variable.space != StateSpace::constant)
      return fail("only .global and .const variables have initial values");
    const std::size_t before = variable.initial.size();
    if (!initial_values(variable, variable.type)) return false;
    const u64 given = (variable.initial.size() - before) * bytes_of(variable.type);
    if (variable.unsized) {
      variable.bytes = given;
      variable.unsized = false;
    }
    if (given > variable.bytes) return fail("more initial values than the variable holds");
  }
  if (variable.unsized) variable.bytes = 0;
  return true;
}

bool Parser::initial_values(Variable& variable, Type type) {
  if (!accept('{')) return initial_value(variable, type);
  if (++depth_ > deepest_nesting) return fail("braces nest too deeply");
  if (!is_sign('}')) {
    do {
      if (!initial_values(variable, type)) return false;
    } while (accept(','));
  }
  --depth_;
  return expect('}');
}

bool Parser::initial_value(Variable& variable, Type type) {
  InitialValue value;
  value.line = now().line;
  bool negative = false;
  while (is_sign('-') || is_sign('+')) {
    negative ^= is_sign('-');
    ++at_;
  }
  if (now().kind == TokenKind::number) {
    OperandTree number;
    if (!number_value(now(), number)) return false;
    ++at_;
    if (accept('(')) {  // 0xFF00(symbol): one byte of an address
      value.mask_shift = static_cast<u32>(number.value == 0 ? 64 : std::countr_zero(number.value));
      if (value.mask_shift > 56 || number.value != u64{0xFF} << value.mask_shift || value.mask_shift % 8 != 0)
        return fail_at(value.line, "an address's mask takes one byte of it");
    } else {
      if (number.kind == OperandTree::Kind::real32 && type == Type::f64_)
        number.value =
            std::bit_cast<u64>(static_cast<f64>(std::bit_cast<f32>(static_cast<u32>(number.value))));
      if (number.kind == OperandTree::Kind::real64 && type == Type::f32_)
        number.value = std::bit_cast<u32>(static_cast<f32>(std::bit_cast<f64>(number.value)));
      if (number.kind == OperandTree::Kind::integer && type == Type::f32_)
        number.value = std::bit_cast<u32>(static_cast<f32>(number.value));
      if (number.kind == OperandTree::Kind::integer && type == Type::f64_)
        number.value = std::bit_cast<u64>(static_cast<f64>(number.value));
      if (negative) {
        if (type == Type::f32_)
          number.value ^= 0x80000000u;
        else if (type == Type::f64_)
          number.value ^= u64{1} << 63;
        else
          number.value = 0 - number.value;
      }
      value.value = static_cast<i64>(number.value);
      variable.initial.push_back(std::move(value));
      return true;
    }
  }
  const bool masked = value.mask_shift != no_index;
  std::string_view name;
  if (!expect_name(name, "an initial value")) return false;
  if (name == "generic" && accept('(')) {
    value.generic = true;
    if (!expect_name(name, "a variable's name") || !expect(')')) return false;
  }
  value.symbol = std::string(name);
  if (is_sign('+') || is_sign('-')) {
    const bool minus = is_sign('-');
    ++at_;
    u64 addend = 0;
    if (!integer(addend)) return false;
    value.value = static_cast<i64>(minus ? 0 - addend : addend);
  }
  if (masked && !expect(')')) return false;
  if (!masked && bytes_of(type) < 4) return fail_at(value.line, "an address does not fit the type");
  variable.initial.push_back(std::move(value));
  return true;
}

// ( .param .type name, ... ); `named`: without it, prototypes write _.
bool Parser::parameter_list(FunctionTree& function, u32 index, std::vector<u32>& list, bool named) {
  if (!expect('(')) return false;
  if (accept(')')) return true;
  do {
    Variable variable;
    variable.in_register = accept_directive(".reg");
    if (!variable.in_register && !accept_directive(".param"))
      return fail("expected .param in the parameter list");
    variable.space = StateSpace::param;
    variable.line = now().line;
    variable.function = index;
    u64 align = 0;
    if (accept_directive(".align")) {
      if (!integer(align)) return false;
    }
    if (now().kind != TokenKind::directive || bytes_of(type_named(now().text.substr(1))) == 0)
      return fail(fmt::format("expected a parameter's type, found '{}'", now().text));
    variable.type = type_named(now().text.substr(1));
    ++at_;
    if (accept_directive(".ptr")) {
      variable.pointer = true;
      if (now().kind == TokenKind::directive && space_named(now().text) != StateSpace::generic) {
        variable.points_to = space_named(now().text);
        ++at_;
      }
      u64 pointed = 1;
      if (accept_directive(".align") && !integer(pointed)) return false;
      variable.pointer_align = static_cast<u32>(std::min<u64>(pointed, 4096));
    }
    if (accept_directive(".align") && !integer(align)) return false;
    if (align > 4096 || (align & (align - 1)) != 0) return fail("an alignment is a power of two");
    variable.bytes = bytes_of(variable.type);
    variable.align = align != 0 ? static_cast<u32>(align) : static_cast<u32>(variable.bytes);
    std::string_view name;
    if (!expect_name(name, "a parameter's name")) return false;
    variable.name = std::string(name);
    if (!variable_rest(variable)) return false;
    if (variable.bytes > 32764) return fail("parameters take at most 32764 bytes");
    if (variable.in_register &&
        (function.kernel || variable.unsized || bytes_of(variable.type) != variable.bytes))
      return fail("a parameter in a register is a function's, and no array");
    list.push_back(add_variable(std::move(variable)));
    if (named) scopes_.back().variables[name] = list.back();
  } while (accept(','));
  return expect(')');
}

bool Parser::function(bool kernel) {
  FunctionTree tree;
  tree.kernel = kernel;
  tree.line = now().line;
  scopes_.clear();
  scopes_.emplace_back();
  const u32 fresh = static_cast<u32>(tree_.functions.size());
  tree_.functions.emplace_back();
  accept_directive(".attribute");
  if (!kernel && is_sign('(') && !parameter_list(tree, fresh, tree.results, true)) return false;
  std::string_view name;
  if (!expect_name(name, "a function's name")) return false;
  tree.name = std::string(name);
  if (is_sign('(') && !parameter_list(tree, fresh, tree.parameters, true)) return false;
  if (!function_directives(tree)) return false;
  u32 index = fresh;
  const auto known = tree_.function_named.find(name);
  if (known != tree_.function_named.end()) {
    const FunctionTree& before = tree_.functions[known->second];
    if (is_sign('{') && before.defined) return fail(fmt::format("'{}' is defined twice", name));
    if (before.kernel != kernel || before.parameters.size() != tree.parameters.size() ||
        before.results.size() != tree.results.size())
      return fail(fmt::format("'{}' was declared differently before", name));
    if (before.defined) return expect(';');
    index = known->second;
    for (const std::vector<u32>* list : {&tree.results, &tree.parameters}) {
      for (const u32 variable : *list) tree_.variables[variable].function = index;
    }
  }
  tree_.functions[index] = std::move(tree);
  tree_.function_named[std::string(name)] = index;
  if (!is_sign('{')) return expect(';');
  tree_.functions[index].defined = true;
  function_ = index;
  const auto in_registers = [&](const std::vector<u32>& list, std::vector<std::pair<u32, u32>>& pairs) {
    for (const u32 variable : list) {
      if (!tree_.variables[variable].in_register) continue;
      const Variable& parameter = tree_.variables[variable];
      const auto declared = scopes_.back().variables.find(parameter.name);
      const u32 reg = add_register(parameter.name, parameter.type);
      if (declared != scopes_.back().variables.end()) {
        scopes_.back().registers[declared->first] = reg;
        scopes_.back().variables.erase(declared);
      }
      pairs.push_back({variable, reg});
    }
  };
  in_registers(tree_.functions[index].results, tree_.functions[index].register_results);
  in_registers(tree_.functions[index].parameters, tree_.functions[index].register_parameters);
  return body(index);
}

bool Parser::function_directives(FunctionTree& function) {
  constexpr u64 most_groups_said = 1024;  // more than any multiprocessor holds
  const auto triple = [&](std::array<u32, 3>& sizes) {
    sizes = {1, 1, 1};
    for (u32 i = 0; i < 3; ++i) {
      u64 value = 0;
      if (!integer(value)) return false;
      if (value > 0xFFFFFFFF) return fail("the size is too large");
      sizes[i] = static_cast<u32>(value);
      if (!accept(',')) break;
    }
    return true;
  };
  while (now().kind == TokenKind::directive) {
    u64 value = 0;
    if (accept_directive(".maxntid")) {
      if (!triple(function.most_group)) return false;
    } else if (accept_directive(".reqntid")) {
      if (!triple(function.required_group)) return false;
    } else if (accept_directive(".minnctapersm")) {
      if (!integer(value)) return false;
      function.least_groups = static_cast<u32>(std::min<u64>(value, most_groups_said));
    } else if (accept_directive(".maxnctapersm")) {  // says nothing of registers
      if (!integer(value)) return false;
    } else if (accept_directive(".maxnreg")) {
      if (!integer(value)) return false;
      function.most_registers = static_cast<u32>(value);
    } else if (accept_directive(".pragma")) {
      if (!pragma(function.all_rolled)) return false;
    } else if (is_directive(".reqnctapercluster") || is_directive(".explicitcluster") ||
               is_directive(".maxclusterrank")) {
      return fail(fmt::format("clusters ({}) are not supported", now().text));
    } else if (!accept_directive(".noreturn")) {
      return fail(fmt::format("unknown directive '{}'", now().text));
    }
  }
  return true;
}

Expected<ModuleTree> parse(std::string_view text, const std::string& name) {
  std::vector<std::string_view> notes;
  Expected<std::vector<Token>> tokens = tokens_of(text, name, notes);
  if (!tokens) return tokens.error();
  Parser parser(text, name, std::move(*tokens));
  if (!parser.module()) return parser.error();
  read_notes(notes, parser.tree());
  return parser.take();
}

}  // namespace lockstep::nv
