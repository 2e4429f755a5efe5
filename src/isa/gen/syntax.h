// The assembly text of Intel's GPUs, as the Intel Graphics Assembler (iga64 -d -Xprint-pc) prints it, as
// plain data, and the notes that compile/gen.h puts beside it.
//
//   /* [00A0] */ (W&~f0.0) add (16|M16)  (lt)f0.0  (sat)r124.0<1>:d  r126.0<0;1,0>:d  -r2.0<16;16,1>:uw
//   {Opts}
//
// Source: IGA's "Assembly Syntax" for how things are written; "Skylake PRM, volume 7: 3D-Media-GPGPU" for
// what they mean.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "isa/program.h"

namespace lockstep::gen {

enum class Type : u8 { ub, b, uw, w, ud, d, uq, q, hf, f, df, none };

constexpr u32 bytes_of(Type type) {
  constexpr std::array<u8, 12> sizes{1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 0};
  return sizes[static_cast<u32>(type)];
}
constexpr bool is_float(Type type) {
  return type >= Type::hf && type <= Type::df;
}
constexpr bool is_signed(Type type) {
  return type == Type::b || type == Type::w || type == Type::d || type == Type::q;
}

enum class Bank : u8 {
  none,
  null_,
  general,      // r12.3
  indirect,     // r[a0.2,16]
  accumulator,  // acc0.0
  extended,     // r12.mme3; r12.nomme is a general register
  address,      // a0.4
  flag,         // f0.1
  control,      // cr0.0
  notification,
  state,
  channels,
  timestamp,
  pointer,  // ip
  immediate,
  label,  // L704
};

struct OperandText {
  Bank bank = Bank::none;
  Type type = Type::none;
  bool saturate = false, negate = false, absolute = false, invert = false;
  bool macro = false;  // mme or nomme is written
  u32 number = 0;      // of the register; of the address register's element for indirect ones
  u32 element = 0;     // in units of the type; mme's number
  bool has_element = false;
  i32 offset = 0;               // bytes, of indirect ones
  u32 values = 0;               // how many numbers the region has
  std::array<u32, 3> region{};  // as they are written
  bool three = false;           // "<V;H>": of an instruction with three sources
  bool by_row = false;          // "<W,H>": each row has an address register of its own
  u64 value = 0;                // immediates, as the type's bits; labels: the address
  char packed = 0;              // :v, :uv and :vf immediates
};

struct LineText {
  std::string_view text;      // the whole instruction, for messages
  std::string_view mnemonic;  // "math.inv", "goto.b"
  u32 address = 0;            // bytes from the kernel's begin
  u32 text_line = 0;
  SourcePosition position;
  bool every_channel = false;  // W
  bool predicated = false, inverse = false;
  u32 predicate_flag = 0;      // 2 * register + subregister
  std::string_view predicate;  // "any16h", empty: each channel's own
  u32 lanes = 1, first = 0;
  bool has_lanes = false;
  std::string_view condition;  // "lt"
  u32 condition_flag = 0;
  std::vector<OperandText> operands;
  std::vector<std::string_view> options;

  bool has(std::string_view option) const;
};

struct AddressNote {
  u32 offset = 0;  // in the section
  u32 type = 1;
  std::string symbol;
};

struct KernelText {
  std::string name;
  bool functions = false;  // no kernel, but functions that kernels call
  u32 text_line = 0;
  std::vector<LineText> lines;
  std::vector<AddressNote> addresses;
};

struct DataText {
  std::string name;
  u64 bytes = 0;
  std::vector<u8> contents;  // shorter where the rest is zero
  std::vector<AddressNote> pointers;
};

struct SymbolText {
  std::string name, section;
  u64 offset = 0, bytes = 0;
};

struct ModuleText {
  std::string info;  // .ze_info
  std::vector<std::string> files;
  std::vector<KernelText> kernels;
  std::vector<DataText> data;
  std::vector<SymbolText> symbols;
};

// The text has to live as long as the result. Errors: "bad-assembly".
Expected<ModuleText> parse_text(std::string_view text, const std::string& name);

// One instruction without its address. Errors without a place.
Expected<LineText> parse_line(std::string_view line);

}  // namespace lockstep::gen
