// PTX tokens.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace lockstep::nv {

enum class TokenKind : u8 { end, name, directive, number, string, sign };

struct Token {
  TokenKind kind = TokenKind::end;
  char sign = 0;          // of sign tokens: the character
  std::string_view text;  // directives with their dot, strings without their quotes
  u32 line = 0;
  std::size_t at = 0;  // offset in the text
};

// All tokens, an `end` behind the last. `notes` gets the comments that begin with "//@lockstep ". Error:
// "bad-ptx" for a character that begins no token, an open comment or an open string.
Expected<std::vector<Token>> tokens_of(std::string_view text, const std::string& name,
                                       std::vector<std::string_view>& notes);

}  // namespace lockstep::nv
