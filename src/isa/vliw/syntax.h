// The assembly text of AMD's VLIW GPUs, as LLVM's r600 back end prints it, as plain data: functions with
// their control flow and clauses, the data behind them, and what the compiler step notes about the source.
//
//   ALU 5, @17, KC0[CB0:0-32], KC1[]        control flow: 8 bytes each, in order from the function's begin
//   Fetch clause starting at 8:             clauses: what control flow names by @address, in 8-byte words
//     VTX_READ_32 T1.X, T1.X, 0, #1
//   ALU clause starting at 17:
//     LSHL   T0.W, T0.W, literal.x,         a bundle's slots; * ends the bundle, literals follow it
//     MOV * T1.W, KC0[2].Y,
//   2(2.802597e-45), 0(0.000000e+00)
//
// Source: "Evergreen Family Instruction Set Architecture" and "HD 6900 Series Instruction Set Architecture"
// (AMD, 2011) for what the words mean; LLVM's R600InstPrinter for how they are written.
#pragma once
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "isa/program.h"

namespace lockstep::vliw {

// Where a slot's operand lies.
enum class Bank : u8 {
  none,
  general,   // T5.X: index, channel
  relative,  // T(5 + AR.x).X
  constant,  // KC0[2].Y: index counts vectors of four from where the clause's window begins
  value,     // inline constants and literals whose value is known
  literal,   // literal.x: channel
  previous_vector,
  previous_scalar,
  queue,    // OQAP: the value at the head of local memory's return queue, taken from it
  address,  // AR.x
  predicate,
};

struct SlotOperand {
  Bank bank = Bank::none;
  u8 channel = 0;  // 0 to 3: x y z w
  u8 window = 0;   // constants: 0 for KC0, 1 for KC1
  bool negate = false, absolute = false;
  bool masked = false;  // results: computed and not written
  u32 index = 0;
  u32 value = 0;
};

enum class PredicateSelect : u8 { none, zero, one };

// One operation of a bundle.
struct Slot {
  std::string_view mnemonic, text;
  u32 text_line = 0;
  SourcePosition position;
  bool clamp = false, last = false, updates_mask = false, updates_predicate = false;
  u8 output_scale = 0;  // as AmdFields::output_scale
  PredicateSelect select = PredicateSelect::none;
  std::vector<SlotOperand> operands;  // the result first, where there is one
};

struct Bundle {
  std::vector<Slot> slots;
  std::array<u32, 4> literal{};
  u32 literals = 0;  // dwords that stand in the text
  u32 address = 0;   // in 8-byte words from the function's begin
  u32 words() const { return static_cast<u32>(slots.size()) + (literals + 1) / 2; }
};

// Control flow and fetches: a mnemonic and its operands, separated at commas.
struct Line {
  std::string_view mnemonic, text;
  std::vector<std::string_view> operands;
  u32 text_line = 0;
  SourcePosition position;
};

struct AluClause {
  std::vector<Bundle> bundles;
};
struct FetchClause {
  std::vector<Line> fetches;
};

struct FunctionText {
  std::string name;
  u32 text_line = 0;
  u64 address = 0;    // in the module's image, bytes
  u32 registers = 0;  // vectors of four that the compiler says it uses
  u32 local_bytes = 0;
  std::vector<Line> flow;
  std::map<u32, AluClause> alu;
  std::map<u32, FetchClause> fetch;
  u32 words = 0;  // 8 bytes each
};

struct DataSymbol {
  std::string name;
  u64 address = 0, bytes = 0;
};

// What is noted of one parameter: ";@lockstep parameter KERNEL SPACE OFFSET BYTES ALIGN" (SPACE: value,
// global, constant, local; bytes from where the parameters begin) and the notes of compile/nvptx.h's
// source_notes, in the parameters' order.
struct ParameterNote {
  std::string space;
  u32 offset = 0, bytes = 0, align = 0;
};
// What an instruction's number of an image, of a target of typed stores or of a sampler stands for:
// "@lockstep image KERNEL NUMBER PARAMETER", "@lockstep sampler KERNEL NUMBER bits BITS"
// (compile/r600_images.h).
struct BindingNote {
  enum class Kind : u8 { image, target, sampler, sampler_bits } kind = Kind::image;
  u32 number = 0;
  u32 value = 0;  // the parameter's place, or the sampler's bits
};
struct KernelNotes {
  std::vector<BindingNote> bindings;
  std::vector<ParameterNote> parameters;
  std::vector<std::pair<std::string, std::string>> names;       // name, type
  std::vector<std::pair<std::string, std::string>> qualifiers;  // access, words
  std::array<u32, 3> required_group{0, 0, 0}, hinted_group{0, 0, 0};
  std::string vector_hint;
  // "@lockstep private KERNEL ADDRESS BYTES": pointers from ADDRESS on mean a work-item's own memory.
  u32 private_pointer = 0, private_bytes = 0;
};

struct ModuleText {
  std::vector<std::string> files;
  std::vector<FunctionText> functions;
  std::vector<DataSymbol> symbols;
  std::vector<u8> image;  // code as zeros, data with its values
  std::map<std::string, KernelNotes> notes;
  std::vector<std::string> printf_formats;  // exec/printf.h
};

// `text` must outlive the result. Errors: "bad-assembly" with the text's line; `name` is the file's.
Expected<ModuleText> parse_text(std::string_view text, const std::string& name);

// One operation: "ADD_INT * T0.W, PV.W, KC0[3].Z,". `value_of` gives a literal by its channel later, so
// literals stay Bank::literal. Errors: a message without place.
Expected<Slot> parse_slot(std::string_view text);

}  // namespace lockstep::vliw
