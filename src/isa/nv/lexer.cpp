#include "isa/nv/lexer.h"

#include <fmt/format.h>

#include <cctype>

#include "isa/nv/syntax.h"

namespace lockstep::nv {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}
bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

}  // namespace

Expected<std::vector<Token>> tokens_of(std::string_view text, const std::string& name,
                                       std::vector<std::string_view>& notes) {
  std::vector<Token> tokens;
  u32 line = 1;
  std::size_t at = 0;
  const auto peek = [&](std::size_t ahead) { return at + ahead < text.size() ? text[at + ahead] : '\0'; };
  const auto take = [&](TokenKind kind, std::size_t end) {
    tokens.push_back({kind, 0, text.substr(at, end - at), line, at});
    at = end;
  };
  while (at < text.size()) {
    const char c = text[at];
    if (c == '\n') {
      ++line;
      ++at;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\0') {
      ++at;
    } else if (c == '/' && peek(1) == '/') {
      std::size_t end = text.find('\n', at);
      if (end == std::string_view::npos) end = text.size();
      constexpr std::string_view mark = "//@lockstep ";
      const std::string_view comment = text.substr(at, end - at);
      if (comment.starts_with(mark)) notes.push_back(comment.substr(mark.size()));
      at = end;
    } else if (c == '/' && peek(1) == '*') {
      const std::size_t end = text.find("*/", at + 2);
      if (end == std::string_view::npos) return bad_ptx(text, name, line, "the comment does not end");
      for (; at < end + 2; ++at) line += text[at] == '\n';
    } else if (c == '"') {
      const std::size_t end = text.find_first_of("\"\n", at + 1);
      if (end == std::string_view::npos || text[end] == '\n')
        return bad_ptx(text, name, line, "the string does not end");
      ++at;
      take(TokenKind::string, end);
      ++at;
    } else if (is_digit(c)) {
      // Hexadecimal and binary numbers, 0f and 0d bit patterns, decimal numbers with point and exponent.
      std::size_t end = at + 1;
      const bool decimal = !(c == '0' && std::isalpha(static_cast<unsigned char>(peek(1))));
      while (end < text.size()) {
        const char d = text[end];
        const bool exponent_sign = decimal && (d == '+' || d == '-') && (text[end - 1] | 0x20) == 'e';
        const bool point = decimal && d == '.' && end + 1 < text.size() && is_digit(text[end + 1]);
        if (!is_name(d) && !exponent_sign && !point) break;
        ++end;
      }
      take(TokenKind::number, end);
    } else if (is_name_start(c)) {
      std::size_t end = at + 1;
      while (end < text.size() && is_name(text[end])) ++end;
      take(TokenKind::name, end);
    } else if (c == '.' && (is_name(peek(1)))) {
      std::size_t end = at + 1;
      while (end < text.size()) {
        if (is_name(text[end])) {
          ++end;
        } else if (text.substr(end, 2) == "::" && end + 2 < text.size() && is_name(text[end + 2])) {
          end += 3;
        } else {
          break;
        }
      }
      take(TokenKind::directive, end);
    } else if (std::string_view("{}()[]<>,;:+-*!@=|&~.").find(c) != std::string_view::npos) {
      tokens.push_back({TokenKind::sign, c, text.substr(at, 1), line, at});
      ++at;
    } else {
      const unsigned char byte = static_cast<unsigned char>(c);
      return bad_ptx(text, name, line,
                     byte >= 0x20 && byte < 0x7F ? fmt::format("unexpected character '{}'", c)
                                                 : fmt::format("unexpected byte {:#04x}", byte));
    }
  }
  tokens.push_back({TokenKind::end, 0, text.substr(text.size()), line, text.size()});
  return tokens;
}

Diagnostic bad_ptx(std::string_view text, const std::string& name, u32 line, std::string message) {
  std::size_t begin = 0;
  for (u32 i = 1; i < line; ++i) {
    const std::size_t next = text.find('\n', begin);
    if (next == std::string_view::npos) break;
    begin = next + 1;
  }
  std::string_view quoted = text.substr(begin, text.find('\n', begin) - begin);
  while (!quoted.empty() && std::isspace(static_cast<unsigned char>(quoted.front()))) quoted.remove_prefix(1);
  constexpr std::size_t most = 160;
  std::string shown;
  for (const char c : quoted.substr(0, most)) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F)
      shown += c;
    else
      shown += ' ';
  }
  return {"bad-ptx", {name, line, 0}, fmt::format("{}\n  {}", message, shown), ""};
}

}  // namespace lockstep::nv
