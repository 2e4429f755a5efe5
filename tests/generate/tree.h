// What the generator makes and the shrinker reduces: expressions and statements as text with holes. Every
// text is well-defined OpenCL C whatever fills its holes (a filling of the same type), so that any part of a
// tree may be replaced by another of its type, or a statement be left out, without making the program
// undefined.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "corpus/case.h"

namespace lockstep::generate {

using Type = corpus::ElementType;
using corpus::Scalar;

inline bool operator==(const Type& a, const Type& b) {
  return a.scalar == b.scalar && a.lanes == b.lanes;
}

// `text` holds $0 to $9 and $a to $f, where the parts belong; a part may stand in several places.
struct Expression {
  Type type;
  std::string text;
  std::vector<Expression> parts;
};

struct Statement;
using Block = std::vector<Statement>;

// `text` holds parts as an expression does, and blocks as @0, @1 ... on lines of their own.
struct Statement {
  std::string text;
  std::vector<Expression> parts;
  std::vector<Block> blocks;
  std::string simpler;  // what declares the same names without the parts and blocks
  bool kept = false;    // leaving it out would make the program undefined (a function's last return)
};

struct Function {
  std::string name;
  std::string head;  // "int f0(int a, short4 b)"
  Block body;
};

// A declaration at module scope: a structure, a constant table.
struct Global {
  std::string name;
  std::string text;
};

// A kernel's arguments are the module's inputs and its own outputs hash, value, cell and own, numbered as it
// is.
struct Kernel {
  u32 number = 0;
  std::array<u32, 2> groups = {1, 1};
  std::array<u32, 2> local = {64, 1};
  std::array<u32, 2> offset = {0, 0};
  u32 dimensions = 1;
  bool required_size = false;  // says its work-group's size in an attribute
  Type value;                  // the element type of its output "value"
  std::vector<Global> locals;  // local memory
  Block body;

  u32 group_items() const { return local[0] * local[1]; }
  u32 items() const { return group_items() * groups[0] * groups[1]; }
};

struct Module {
  u64 seed = 0;
  std::vector<Global> globals;
  std::vector<Function> functions;
  std::vector<Kernel> kernels;
};

// The module of a seed: the same on every machine. Throws nothing, reads nothing.
// `integers`: without floats and 64-bit atomics, for GPUs that have neither doubles nor denormals.
Module generate(u64 seed, u32 kernels, bool integers = false);

// The whole corpus case: directives and code, with what is used alone.
std::string print(const Module& module);

}  // namespace lockstep::generate
