#include "isa/amd/inspect.h"

#include "isa/amd/decode.h"
#include "isa/amd/dual.h"

namespace lockstep::amd {
namespace {

InspectedInstruction inspect_line(const Listing& listing, const ListingLine& line, const Target& target) {
  InspectedInstruction made;
  const std::string_view text = listing.text(line);
  made.text = text;
  made.mnemonic = text.substr(0, text.find(' '));
  if (line.file != ListingLine::no_file && line.line != 0) {
    made.file = listing.files[line.file];
    made.line = line.line;
  }
  const Encoded encoded{text, std::span(line.words.data(), line.size_bytes / 4), line.address};
  if (is_dual(text)) {
    const auto pair = decode_dual(encoded, target);
    if (pair) {
      for (const Instruction& half : *pair) made.meanings.push_back(half.meaning);
    } else {
      made.problem = pair.error().message;
    }
    return made;
  }
  const Expected<Instruction> decoded = decode(encoded, target);
  if (decoded) {
    made.meanings.push_back(decoded->meaning);
  } else {
    made.problem = decoded.error().message;
  }
  return made;
}

}  // namespace

Inspection inspect(const CompiledObject& object, const Target& target) {
  Inspection result;
  const Listing& listing = object.listing;
  for (const ListingFunction& function : listing.functions)
    result.functions.push_back({function.name, function.kernel, {}});
  std::size_t at = 0;  // the function that holds the line; functions and lines are sorted by address
  for (const ListingLine& line : listing.lines) {
    while (at + 1 < listing.functions.size() && listing.functions[at + 1].address <= line.address) ++at;
    if (at >= listing.functions.size() || line.address < listing.functions[at].address) continue;
    // Behind a function's end stands padding. Assembly by hand may leave the size out.
    const ListingFunction& function = listing.functions[at];
    if (function.size_bytes != 0 && line.address >= function.address + function.size_bytes) continue;
    result.functions[at].instructions.push_back(inspect_line(listing, line, target));
  }
  return result;
}

}  // namespace lockstep::amd
