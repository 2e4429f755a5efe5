#include "isa/amd/table.h"

#include <algorithm>
#include <vector>

namespace lockstep::amd {

u32 generation_of(const Target& target) {
  if (target.isa != IsaFamily::amdgcn) return 0;
  switch (target.major) {
    case 6:
      return gfx6;
    case 7:
      return gfx7;
    case 8:
      return gfx8;
    case 9:
      if (target.minor == 4) return gfx940;
      if (target.stepping == 10) return gfx90a;
      if (target.stepping == 8) return gfx908;
      return target.stepping == 6 ? gfx906 : gfx900;
    case 10:
      return target.minor >= 3 ? gfx103 : gfx10;
    case 11:
      return gfx11;
    case 12:
      return gfx12;
    default:
      return 0;
  }
}

std::span<const Row> all_rows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> joined;
    for (const auto chapter :
         {valu_integer_rows, valu_float_rows, valu_wide_rows, valu_half_rows, valu_convert_rows,
          valu_compare_rows, valu_matrix_rows, cross_lane_rows, salu_rows, control_rows, scalar_memory_rows,
          vector_memory_rows, atomic_rows, local_memory_rows, image_rows}) {
      const std::span<const Row> part = chapter();
      joined.insert(joined.end(), part.begin(), part.end());
    }
    std::stable_sort(joined.begin(), joined.end(),
                     [](const Row& a, const Row& b) { return a.mnemonic < b.mnemonic; });
    return joined;
  }();
  return rows;
}

const Row* find_row(std::string_view mnemonic, u32 generation) {
  const std::span<const Row> rows = all_rows();
  auto row = std::lower_bound(rows.begin(), rows.end(), mnemonic,
                              [](const Row& a, std::string_view name) { return a.mnemonic < name; });
  for (; row != rows.end() && row->mnemonic == mnemonic; ++row) {
    if (row->generations & generation) return &*row;
  }
  return nullptr;
}

}  // namespace lockstep::amd
