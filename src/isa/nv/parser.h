// The parser's state, shared by its two halves: declarations (parser.cpp) and function bodies
// (parser_body.cpp). Every function returns false after it has set the error.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "isa/nv/lexer.h"
#include "isa/nv/syntax.h"

namespace lockstep::nv {

inline constexpr u32 deepest_nesting = 64;  // of braces and of operands

class Parser {
 public:
  Parser(std::string_view text, const std::string& name, std::vector<Token> tokens)
      : text_(text), name_(name), tokens_(std::move(tokens)) {}
  bool module();
  const Diagnostic& error() const { return *error_; }
  ModuleTree take() { return std::move(tree_); }
  ModuleTree& tree() { return tree_; }

 private:
  struct Family {  // .reg .b32 %r<8>
    std::string_view prefix;
    u32 count = 0;
    Type type = Type::none;
  };
  struct Scope {
    std::map<std::string_view, u32> registers;
    std::map<std::string_view, u32> variables;
    std::map<std::string, std::vector<u32>, std::less<>>
        vectors;  // .reg .v4: the registers of their elements
    std::vector<Family> families;
  };

  const Token& now() const { return tokens_[at_]; }
  const Token& ahead(std::size_t n) const { return tokens_[std::min(at_ + n, tokens_.size() - 1)]; }
  bool is_sign(char c) const { return now().kind == TokenKind::sign && now().sign == c; }
  bool is_directive(std::string_view word) const {
    return now().kind == TokenKind::directive && now().text == word;
  }
  bool accept(char c);
  bool accept_directive(std::string_view word);
  bool expect(char c);
  bool fail(std::string message) { return fail_at(now().line, std::move(message)); }
  bool fail_at(u32 line, std::string message);
  bool integer(u64& value);
  bool number_value(const Token& token, OperandTree& operand);
  bool expect_name(std::string_view& name, const char* what);

  // Declarations.
  bool module_item();
  bool pragma(bool& nounroll);
  bool file_directive();
  bool skip_section();
  bool variables(StateSpace space, bool external, u32 function);
  bool variable_rest(Variable& variable);
  bool initial_values(Variable& variable, Type type);
  bool initial_value(Variable& variable, Type type);
  bool parameter_list(FunctionTree& function, u32 index, std::vector<u32>& list, bool named);
  bool function(bool kernel);
  bool function_directives(FunctionTree& function);
  u32 add_variable(Variable variable);

  // Bodies.
  bool body(u32 index);
  bool moves_loads() const;
  bool statement();
  bool body_directive();
  bool registers();
  bool call_prototype(std::string_view label);
  bool location();
  bool instruction();
  bool operand(OperandTree& operand);
  bool plain_operand(OperandTree& operand);
  bool name_operand(OperandTree& operand);
  bool operand_list(OperandTree& operand, char end);
  bool address(OperandTree& operand);
  std::optional<u32> find_register(std::string_view name);
  const std::vector<u32>* find_vector(std::string_view name) const;
  u32 add_register(std::string name, Type type);
  bool vector_operand(OperandTree& operand, std::string_view name, const std::vector<u32>& elements);
  std::optional<u32> find_variable(std::string_view name) const;

  std::string_view text_;
  const std::string& name_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::optional<Diagnostic> error_;
  ModuleTree tree_;
  u32 function_ = no_index;
  std::vector<Scope> scopes_;
  u32 position_ = 0;
  u32 depth_ = 0;
  std::map<std::array<u32, 3>, u32> known_positions_;

  FunctionTree& current() { return tree_.functions[function_]; }
};

}  // namespace lockstep::nv
