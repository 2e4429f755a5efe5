// The generator's state while it makes one module. Expressions, statements and the frame of a module are made
// in files of their own.
#pragma once
#include <string>
#include <vector>

#include "random.h"
#include "tree.h"

namespace lockstep::generate {

// A scalar or vector that can be named; a structure's fields count as such.
struct Variable {
  std::string name;
  Type type;
  bool uniform = false;  // the same in all work-items of a group
  bool writable = true;
};

struct Array {
  std::string name;
  Type element;
  u32 count = 0;         // a power of two
  bool uniform = false;  // holds the same for all work-items
  bool writable = false;
  std::string space;  // "private", "constant", "global const"
};

struct Structure {
  std::string name;
  std::vector<Variable> fields;
};

struct Callee {
  std::string name;
  Type result;
  std::vector<Type> parameters;
  std::string structure;  // of a first parameter that is a structure; empty without
  bool changes = false;   // takes that structure by a pointer
  u64 cost = 0;
};

// A structure variable, whose fields are in the scope's variables too.
struct Instance {
  std::string name, structure;
};

struct Scope {
  std::vector<Variable> variables;
  std::vector<Array> arrays;
  std::vector<Instance> instances;
};

// Where the next statement stands.
struct Flow {
  bool uniform = true;    // all work-items of the group come here together
  bool barriers = false;  // and barriers are allowed
  u32 loops = 0;          // of the loops around, how many can be left by break and continue
  bool in_switch = false;
  u32 depth = 0;      // nested blocks
  u64 repeat = 1;     // at most so many times a work-item comes here
  std::string leave;  // what an early return says, with $0; empty: none here
  Type leave_type;    // of $0
  bool leave_value = false;
};

struct Generator {
  Random random;
  Module module;
  Scope scope;
  Flow flow;
  std::vector<Structure> structures;
  std::vector<Callee> callees;
  std::vector<Array> tables;
  Kernel* kernel = nullptr;  // none while a helper function is made
  u32 names = 0;
  bool integers = false;  // no type is a float, no atomic has 64 bits
  u64 spent = 0;          // operations that a work-item may execute so far
  u64 budget = 0;         // and that it should not exceed by much

  // expressions.cpp: an expression of exactly this type. A uniform one reads only what is the same in a
  // group.
  Expression expression(const Type& type, u32 depth, bool uniform = false);
  Expression leaf(const Type& type, bool uniform);
  Expression condition(u32 depth, bool uniform = false);
  // An index below `count`, a power of two.
  Expression index(u32 count, u32 depth, bool uniform = false);
  Type random_type();
  Type random_integer();
  std::string fresh(const char* prefix) { return prefix + std::to_string(names++); }

  // forms.cpp
  bool integer_form(const Type& type, u32 depth, bool uniform, Expression& out);
  bool float_form(const Type& type, u32 depth, bool uniform, Expression& out);
  Expression fill(const Type& type, std::string_view text, std::string_view operands, u32 depth,
                  bool uniform);

  // lanes.cpp: from other types: conversions, lanes of vectors, vectors of lanes, memory
  bool convert_form(const Type& type, u32 depth, bool uniform, Expression& out);
  bool lane_form(const Type& type, u32 depth, bool uniform, Expression& out);
  bool memory_form(const Type& type, u32 depth, bool uniform, Expression& out);
  bool call_form(const Type& type, u32 depth, Expression& out);

  // statements.cpp, local_memory.cpp
  Block block(u32 statements);
  Statement statement();
  Statement declare();
  Statement assign();
  Statement observe();
  Statement observe(const Expression& value);
  Statement branch();
  Statement loop();
  Statement choice();
  Statement array();
  Statement structure();
  Statement call();
  Statement memory();
  Statement leave();
  Statement local_memory();
  Statement atomic();

  // module.cpp
  void make_globals();
  void make_function();
  void make_kernel(u32 number);
};

}  // namespace lockstep::generate
