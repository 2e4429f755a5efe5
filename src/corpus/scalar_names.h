// OpenCL C's scalar types by name and size.
#pragma once
#include <array>

#include "corpus/case.h"

namespace lockstep::corpus {

struct ScalarName {
  Scalar scalar;
  std::string_view name;
  u32 bytes;
};

inline constexpr std::array<ScalarName, 11> scalar_names = {{{Scalar::i8, "char", 1},
                                                             {Scalar::u8, "uchar", 1},
                                                             {Scalar::i16, "short", 2},
                                                             {Scalar::u16, "ushort", 2},
                                                             {Scalar::i32, "int", 4},
                                                             {Scalar::u32, "uint", 4},
                                                             {Scalar::i64, "long", 8},
                                                             {Scalar::u64, "ulong", 8},
                                                             {Scalar::f16, "half", 2},
                                                             {Scalar::f32, "float", 4},
                                                             {Scalar::f64, "double", 8}}};

}  // namespace lockstep::corpus
