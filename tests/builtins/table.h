// The table of OpenCL C's builtins (tests/builtins/opencl-c-1.2.txt) as kernels: one for every signature,
// type and width.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"

namespace lockstep::builtins {

struct Section {
  std::string name;
  std::string title;     // the specification's section
  bool images = false;   // needs image instructions
  bool since_2 = false;  // for standards from OpenCL C 2.0 on
  std::vector<std::string> options;
};

struct Builtin {
  u32 section = 0;        // into Table::sections
  std::string function;   // "convert_int4_sat"
  std::string signature;  // "int4 convert_int4_sat(float4)"
  std::string kernel;     // OpenCL C, with the name `entry` in the place of %K
};

struct Table {
  std::vector<Section> sections;
  std::vector<Builtin> builtins;
};

// The syntax is that of the file's own head. Error: "bad-table" with the line.
Expected<Table> read_table(std::string_view text, const std::string& name);

// A program of kernels k0, k1, ... in this order.
std::string program_of(const Table& table, const std::vector<u32>& builtins);

}  // namespace lockstep::builtins
