// PTX text as a tree: what the parser found, with names resolved, before anything is given a meaning.
// Source: "Parallel Thread Execution ISA", version 8.5, chapters 4 (Syntax) and 5 (State Spaces, Types and
// Variables).
#pragma once
#include <array>
#include <list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace lockstep::nv {

enum class StateSpace : u8 { generic, reg, global, constant, shared, local, param };

enum class Type : u8 {
  none,
  u8_,
  u16_,
  u32_,
  u64_,
  s8_,
  s16_,
  s32_,
  s64_,
  b8_,
  b16_,
  b32_,
  b64_,
  b128_,
  f16_,
  f16x2_,
  bf16_,
  bf16x2_,
  tf32_,
  f32_,
  f64_,
  pred_,
  texref_,
  samplerref_,
  surfref_
};

Type type_named(std::string_view name);  // without the dot; Type::none when it names no type
u32 bytes_of(Type type);                 // 0 for predicates
bool is_signed(Type type);
bool is_float_type(Type type);

inline constexpr u32 no_index = ~u32{0};

// One piece of an initialiser.
struct InitialValue {
  std::string symbol;  // empty: `value` is the bits
  bool generic = false;
  u32 mask_shift = no_index;  // 0xFF00(symbol): which byte of the address; none: all of it
  i64 value = 0;              // bits, or what is added to the symbol
  u32 line = 0;
};

struct Variable {
  std::string name;
  StateSpace space = StateSpace::global;
  Type type = Type::b8_;
  u32 align = 1;
  u64 bytes = 0;
  bool external = false;
  bool unsized = false;      // extern .shared x[]: as large as the launch says
  bool in_register = false;  // a function's parameter that its body has in a register (.reg)
  bool pointer = false;      // .ptr
  StateSpace points_to = StateSpace::generic;
  u32 pointer_align = 1;
  std::vector<InitialValue> initial;
  u32 line = 0;
  u32 function = no_index;  // that declares it; none: the module
};

struct RegisterDecl {
  std::string name;
  Type type = Type::b32_;
};

struct OperandTree {
  enum class Kind : u8 {
    none,
    reg,      // index: into Function::registers
    special,  // name: %tid.x
    integer,
    real32,  // value: the bits
    real64,
    vector,    // parts
    list,      // (a, b): parts
    address,   // [base + value]; parts[0], if any, is the base; further parts are what stands after commas
    variable,  // index: into Module::variables; value is added
    name,      // a label or function
    pair,      // p|q: parts
    sink,      // _
  };
  Kind kind = Kind::none;
  bool negated = false;  // !p, -r
  u32 index = no_index;
  u64 value = 0;
  std::string_view name;
  std::vector<OperandTree> parts;
};

struct Statement {
  std::string_view opcode;              // with its modifiers: "add.rn.f32"
  std::vector<std::string_view> words;  // "add", "rn", "f32"
  std::vector<OperandTree> operands;
  u32 guard = no_index;  // register
  bool guard_negated = false;
  bool jumps_back = false;  // to what stands in front of it in the text, and not as a branch's other way
  bool unread = false;      // an atomic whose result nothing reads
  bool unobserved = false;  // an atomic whose place among others' shows nowhere (unobserved.h)
  u32 line = 0;             // of the PTX text
  u32 position = 0;         // into ModuleTree::positions
  std::string_view text;
};

struct LabelLists {
  std::vector<std::string_view> labels;
};

struct FunctionTree {
  std::string name;
  bool kernel = false;
  bool defined = false;
  std::vector<u32> results;  // variables, in .param space
  std::vector<u32> parameters;
  std::vector<u32> locals;  // local and shared variables and call parameters that the body declares
  std::vector<RegisterDecl> registers;
  std::vector<std::pair<u32, u32>> register_results, register_parameters;  // variable, register
  std::vector<Statement> body;
  std::map<std::string, u32, std::less<>> labels;  // statement index
  std::map<std::string, LabelLists, std::less<>> branch_targets;
  std::set<u32> rolled;               // statements at which loops begin that are not to be unrolled
  bool all_rolled = false;            // no loop is
  std::list<std::string> made_texts;  // of statements that are not the text's (chains.h, tile_loops.h)
  std::map<std::string, u32, std::less<>> prototypes;  // function index of a .callprototype
  std::array<u32, 3> required_group{0, 0, 0};
  std::array<u32, 3> most_group{0, 0, 0};
  u32 least_groups = 0;  // .minnctapersm
  u32 most_registers = 0;
  u32 line = 0;
};

struct TextPosition {
  u32 file = 0, line = 0, column = 0;
  bool operator==(const TextPosition&) const = default;
};

// What comments say of the source that the text was compiled from (notes.h), in the parameters' order.
struct SourceArgument {
  std::string name, type;
};
struct SourceQualifiers {
  std::string access;
  bool is_const = false, is_restrict = false, is_volatile = false;
};
struct SourceKernel {
  std::vector<SourceArgument> arguments;
  std::vector<SourceQualifiers> qualifiers;
  std::array<u32, 3> hinted_group{0, 0, 0};
  std::string vector_hint;
};

struct ModuleTree {
  u32 version_major = 0, version_minor = 0;
  std::string target;   // the directive's: "sm_70"
  u32 target_line = 0;  // of the text
  u32 address_bytes = 8;
  bool rolled = false;  // no loop is to be unrolled
  std::map<u32, std::string> files;
  std::vector<TextPosition> positions;  // [0] is unknown
  std::vector<Variable> variables;
  std::vector<FunctionTree> functions;
  std::map<std::string, u32, std::less<>> function_named;
  std::map<std::string, u32, std::less<>> variable_named;  // those of the module
  std::map<std::string, SourceKernel, std::less<>> source_kernels;
  std::set<std::string, std::less<>> constants;  // variables of the module that comments call so
};

// The tree refers to `text`, which must outlive it. Error: "bad-ptx" with the line and its text.
Expected<ModuleTree> parse(std::string_view text, const std::string& name);

// "bad-ptx" at a line of the text, which is quoted.
Diagnostic bad_ptx(std::string_view text, const std::string& name, u32 line, std::string message);

}  // namespace lockstep::nv
