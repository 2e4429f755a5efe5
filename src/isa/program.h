// A decoded module: instructions, kernels and what each kernel needs, and the image that must lie in device
// memory.
#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/elf.h"
#include "isa/derived_data.h"
#include "isa/instruction.h"
#include "isa/launch.h"
#include "machine/target.h"

namespace lockstep {

struct SourcePosition {
  u32 file = 0;  // index into Code::files
  u32 line = 0;  // 0 = the compiler gave none
  u32 column = 0;
};

// All instructions of a module; kernels and functions are entry points into it.
struct Code {
  const Target* target = nullptr;
  std::vector<Instruction> instructions;
  std::vector<std::string> text;  // the listing's line of each instruction, for reports and messages
  std::vector<std::string> files;
  std::vector<SourcePosition> positions;  // [0] is "unknown"
  u64 text_address = 0;                   // of the first word, in the image
  std::vector<u32>
      index_of_word;  // instruction index by 4-byte word of the text section, ~0 where none begins

  SourcePosition position(u32 instruction) const { return positions[instructions[instruction].line]; }
};

enum class ParameterKind : u8 {
  value,
  global_pointer,
  constant_pointer,
  local_pointer,
  image,
  sampler,
  hidden
};

struct Parameter {
  std::string name;       // empty where the compiler kept none
  std::string type_name;  // as the source has it: "float*"
  ParameterKind kind = ParameterKind::value;
  u32 offset = 0;  // in the argument segment, bytes
  u32 bytes = 0;
  u32 align = 0;       // local pointers: of the memory pointed to
  std::string hidden;  // hidden parameters: the ABI's name, "hidden_group_size_x"
  bool read_only = false;
  bool is_restrict = false, is_volatile = false;
  std::string access;  // images: "read_only", "write_only", "read_write"
};

// What a kernel needs of a compute unit, and what it demands of its launch.
struct KernelNeeds {
  u32 wave_lanes = 64;
  bool one_unit_a_group = false;   // RDNA's CU mode: a group stays in one of a WGP's compute units
  u32 vector_registers = 0;        // per lane; AMD: architectural plus accumulation where the file is unified
  u32 accumulation_registers = 0;  // of those (AGPRs)
  bool unified_registers = false;  // the file is
  u32 scalar_registers = 0;        // AMD: as allocated, VCC and the like included
  u32 local_bytes = 0;             // static; local-pointer arguments come on top
  u32 private_bytes = 0;           // per work-item
  // Beside them what the machine's own code stores there since it has no registers for it (PTX, lowered).
  u32 spilled_bytes = 0;
  u32 argument_bytes = 0;
  u32 barriers = 0;
  u32 most_work_items = 1024;                  // per group, as compiled
  std::array<u32, 3> required_group{0, 0, 0};  // 0 = free
  std::array<u32, 3> hinted_group{0, 0, 0};    // work_group_size_hint; 0 = none
  std::string vector_hint;                     // vec_type_hint's type; empty = none

  // Those of them that are no accumulators, where these lie in the same file.
  u32 architectural_registers() const {
    return unified_registers ? vector_registers - std::min(vector_registers, accumulation_registers)
                             : vector_registers;
  }
};

// ISA-specific part of a program (AMD: the kernel descriptor).
struct IsaProgram {
  virtual ~IsaProgram() = default;
};

// What a kernel's instructions need and the real GPU does not have, although they are executed.
struct LackedFeature {
  std::string name;      // "double precision"
  std::string since;     // the first target that has it
  u32 instructions = 0;  // in the code, executed or not
  std::string first_at;  // "file:line" of the first one
};

struct Program {
  std::string name;
  std::string source_name;  // of a C++ kernel, as its source has it: "fill<int>"; empty where `name` is that
  u32 entry = 0;            // instruction index
  u32 end = 0;              // one past the last instruction of the kernel's own function
  KernelNeeds needs;
  std::vector<Parameter> parameters;  // explicit ones first, in source order, then hidden ones
  std::shared_ptr<const IsaProgram> isa;
  u64 descriptor_address = 0;  // AMD: of the kernel descriptor in the image
  std::vector<LackedFeature> lacked;

  std::size_t explicit_parameters() const;
};

// Where the image holds an address of its own, for ISAs whose modules are no ELF objects: the low `bytes` of
// (load address + addend) >> shift.
struct AddressFixup {
  u64 offset = 0;  // in the image
  u64 addend = 0;
  u8 bytes = 8;
  u8 shift = 0;
};

// A variable in the module's image, which a host may write before a launch.
struct ModuleVariable {
  std::string symbol;
  std::string name;  // as the source has it: "scope::name"; the symbol where it is that
  u64 address = 0;   // in the image, before loading
  u64 bytes = 0;
  // In constant memory and without an initial value in its source: the host was to write it
  // (hipMemcpyToSymbol). To a launch it is memory that nobody wrote, zero as it lies there.
  bool awaits_host = false;
};

// The number of a printf record that carries its own format, since nobody listed the formats beforehand.
// Behind it, in 32-bit words: the record's bytes with its number; the arguments' count and the size of each;
// the format's length and its text; the arguments, texts of %s with their zero. Texts and arguments fill
// whole words.
inline constexpr u32 printf_inline_record = ~u32{0};
// Module::printf_formats of a module whose records are of that kind.
inline constexpr std::string_view printf_inline_format = "inline";

struct Module {
  const Target* target = nullptr;
  Code code;
  std::vector<Program> programs;
  // What must be in device memory for the code to run, and how to relocate it; of ISAs without an object,
  // the variables' symbols alone.
  ElfFile elf;
  ElfImage image;
  std::vector<AddressFixup> fixups;
  std::vector<ModuleVariable> variables;  // by address
  const IsaInterface* isa = nullptr;
  // Made of OpenCL C, whose rules are stricter than the ISA's: a barrier is reached by all work-items or
  // none.
  bool opencl_c = false;
  std::string hash;  // of the content; recorded outcomes carry it
  std::vector<std::string> printf_formats;
  DerivedData derived;  // once it is loaded

  const Program* find(std::string_view kernel) const;
  // The variable that holds this address of the image before loading; null where there is none.
  const ModuleVariable* variable_at(u64 address) const;
  // Whether the kernel's code, or that of a function that is no kernel, names the variable.
  bool may_reach(const Program& kernel, const ModuleVariable& variable) const;
  // The image's bytes for one load address. Errors: those of apply_relocations.
  Expected<std::vector<u8>> image_at(u64 load_address) const;
};

}  // namespace lockstep
