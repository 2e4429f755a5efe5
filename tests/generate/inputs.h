// What every generated kernel may read and write: the arguments of its corpus case.
#pragma once
#include <array>
#include <string_view>

#include "tree.h"

namespace lockstep::generate {

struct Input {
  std::string_view name, directive, declaration;
  Type type;
  bool buffer;
};

constexpr u32 input_count = 64;  // elements of each input buffer

inline constexpr std::array<Input, 16> inputs = {{
    {"in_char", "buffer char[64] special(seed=11)", "global const char* in_char", {Scalar::i8, 1}, true},
    {"in_uchar", "buffer uchar[64] special(seed=12)", "global const uchar* in_uchar", {Scalar::u8, 1}, true},
    {"in_short", "buffer short[64] special(seed=13)", "global const short* in_short", {Scalar::i16, 1}, true},
    {"in_ushort",
     "buffer ushort[64] special(seed=14)",
     "global const ushort* in_ushort",
     {Scalar::u16, 1},
     true},
    {"in_int", "buffer int[64] special(seed=15)", "global const int* in_int", {Scalar::i32, 1}, true},
    {"in_uint", "buffer uint[64] special(seed=16)", "global const uint* in_uint", {Scalar::u32, 1}, true},
    {"in_long", "buffer long[64] special(seed=17)", "global const long* in_long", {Scalar::i64, 1}, true},
    {"in_ulong", "buffer ulong[64] special(seed=18)", "global const ulong* in_ulong", {Scalar::u64, 1}, true},
    {"in_float",
     "buffer float[64] "
     "values(0,1,-0.0,0.5,-1.5,2.5,1e-40,3.1415927,inf,-1e30,16777217,-0.1,1e10,-2147483648,1e38,"
     "65504,-3e-39,255.5,-127.5)",
     "global const float* in_float",
     {Scalar::f32, 1},
     true},
    {"in_double",
     "buffer double[64] "
     "values(0,1,-0.0,0.5,-1.5,2.5,1e-310,3.141592653589793,-inf,1e300,9007199254740993,-0.1,1e20,"
     "-2147483649,1e-40,4294967296.5,-1e-45,3e38)",
     "global const double* in_double",
     {Scalar::f64, 1},
     true},
    {"arg_int", "scalar int -123456", "int arg_int", {Scalar::i32, 1}, false},
    {"arg_ushort", "scalar ushort 40000", "ushort arg_ushort", {Scalar::u16, 1}, false},
    {"arg_ulong", "scalar ulong 0xfedcba9876543210", "ulong arg_ulong", {Scalar::u64, 1}, false},
    {"arg_float", "scalar float 1.25", "float arg_float", {Scalar::f32, 1}, false},
    {"arg_double", "scalar double -0.3", "double arg_double", {Scalar::f64, 1}, false},
    {"arg_char4", "scalar char4 1,-2,127,-128", "char4 arg_char4", {Scalar::i8, 4}, false},
}};

// A work-item's own words in "own": nobody else touches them.
constexpr u32 own_words = 4;

// Cells that all work-items change by one kind of atomic operation each, so that their order does not matter.
constexpr u32 cell_count = 12;
inline constexpr std::string_view cell_values =
    "values(0,1000,0,0,0xffffffff,0,0xffffffff,0,0,0,0x7fffffff,0x80000000)";
constexpr u32 wide_count = 6;
inline constexpr std::string_view wide_values = "values(0,0xffffffffffffffff,0,0xffffffffffffffff,0,0)";

}  // namespace lockstep::generate
