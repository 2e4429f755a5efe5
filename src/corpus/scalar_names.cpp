#include "corpus/scalar_names.h"

namespace lockstep::corpus {

std::string_view name_of(Scalar scalar) {
  return scalar_names[static_cast<size_t>(scalar)].name;
}
u32 bytes_of(Scalar scalar) {
  return scalar_names[static_cast<size_t>(scalar)].bytes;
}
bool is_float(Scalar scalar) {
  return scalar == Scalar::f16 || scalar == Scalar::f32 || scalar == Scalar::f64;
}

}  // namespace lockstep::corpus
