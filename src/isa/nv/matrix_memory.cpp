#include <cstring>

#include "isa/nv/lanes.h"
#include "isa/nv/matrix.h"
#include "isa/nv/memory.h"
#include "isa/nv/splits.h"

namespace lockstep::nv {
namespace {

using namespace memory;

struct MatrixMemory {
  static constexpr Shape shape = Shape::memory;
};

bool whole_wave(const WaveState& wave, StepContext& context) {
  if (active(wave) == 0xFFFFFFFF) return true;
  refuse(context, "a matrix instruction that not all lanes of the wave execute");
  return false;
}

// ldmatrix and stmatrix: lanes 8 i to 8 i + 7 have the addresses of matrix i's rows, of 16 bytes each.
template <bool Load>
struct Eights : MatrixMemory {
  static constexpr std::string_view name = Load ? "ldmatrix" : "stmatrix";
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    if (!whole_wave(wave, context)) return;
    const std::vector<u32>& rows = ptx(wave).tables->registers[in.operand[5].value];
    const u32 count = static_cast<u32>(rows.size());
    const u64 lanes = count == 4 ? 0xFFFFFFFFu : (u64{1} << (8 * count)) - 1;
    const bool transposed = in.detail != 0;
    Row<u64> address;
    lane_addresses(wave, in, address.data());
    alignas(16) std::array<u8, 32 * 16> data{};
    const auto element = [&](u32 matrix, u32 row, u32 column) {
      return data.data() + (matrix * 8 + row) * 16 + column * 2;
    };
    const auto each = [&](auto function) {
      for (u32 matrix = 0; matrix < count; ++matrix) {
        for (u32 lane = 0; lane < W; ++lane) {
          for (u32 half = 0; half < 2; ++half) {
            const u32 row = lane / 4, column = lane % 4 * 2 + half;
            u8* place = transposed ? element(matrix, column, row) : element(matrix, row, column);
            function(wave.row(rows[matrix])[lane], 16 * half, place);
          }
        }
      }
    };
    if constexpr (!Load) {
      each([](u32 word, u32 shift, u8* place) {
        const u16 value = static_cast<u16>(word >> shift);
        std::memcpy(place, &value, 2);
      });
    }
    Places places;
    if (!places_at(wave, in, context, Load ? AccessKind::load : AccessKind::store, 16, address, lanes,
                   places) ||
        !move_lanes(wave, in, context, places, data.data(), 16, 16, 16)) {
      return;
    }
    if (context.look_only) return;
    if constexpr (Load) {
      each([](u32& word, u32 shift, const u8* place) {
        u16 value = 0;
        std::memcpy(&value, place, 2);
        word = (word & ~(0xFFFFu << shift)) | u32{value} << shift;
      });
    }
  }
};

template <bool Load>
struct Fragment : MatrixMemory {
  static constexpr std::string_view name = Load ? "wmma.load" : "wmma.store";
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    if (!whole_wave(wave, context)) return;
    const Tables& tables = *ptx(wave).tables;
    const std::vector<u32>& rows = tables.registers[in.operand[5].value];
    const MatrixForm& form = tables.forms[in.detail & 0xFFFF];
    const Matrix matrix = static_cast<Matrix>((in.detail >> 16) & 3);
    const bool column_major = ((in.detail >> 18) & 1) != 0;
    const Element type = matrix == Matrix::a ? form.a : matrix == Matrix::b ? form.b : form.c;
    const u32 bits = bits_of(type), elements = fragment_size(form, matrix, type).elements;
    u32 stride = column_major ? matrix_rows(form, matrix) : matrix_columns(form, matrix);
    if (in.operand[2].kind != OperandKind::none) {
      Row<u32> room;
      stride = fetch32<W>(wave, in, in.operand[2], Kind::u32, room)[0];
    }
    Row<u64> base, address;
    lane_addresses(wave, in, base.data());
    // Elements that lie together in a register and in memory move together.
    const bool together = bits < 32 && column_major == (matrix == Matrix::b);
    const u32 step_elements = together ? 32 / bits : 1, bytes = std::max(step_elements * bits / 8, 1u);
    for (u32 i = 0; i < elements; i += step_elements) {
      for (u32 lane = 0; lane < W; ++lane) {
        const Cell cell = cell_of(form, matrix, type, lane, i);
        const u64 at =
            column_major ? u64{cell.column} * stride + cell.row : u64{cell.row} * stride + cell.column;
        address.lane[lane] = base.lane[lane] + at * bits / 8;
      }
      alignas(16) std::array<u8, 32 * 8> data{};
      const auto word = [&](u32 lane) -> u32& {
        return wave.row(rows[bits == 64 ? i : i * bits / 32])[lane];
      };
      const u32 shift = bits == 64 ? 0 : i * bits % 32;
      if constexpr (!Load) {
        for (u32 lane = 0; lane < W; ++lane) {
          u64 value = word(lane) >> shift;
          if (bits == 64) value |= u64{wave.row(rows[i] + 1)[lane]} << 32;
          std::memcpy(data.data() + lane * bytes, &value, bytes);
        }
      }
      Places places;
      if (!places_at(wave, in, context, Load ? AccessKind::load : AccessKind::store, static_cast<u8>(bytes),
                     address, 0xFFFFFFFF, places) ||
          !move_lanes(wave, in, context, places, data.data(), bytes, bytes, bytes)) {
        return;
      }
      if (context.look_only) continue;
      if constexpr (Load) {
        for (u32 lane = 0; lane < W; ++lane) {
          u64 value = 0;
          std::memcpy(&value, data.data() + lane * bytes, bytes);
          if (bits == 64) {
            wave.row(rows[i])[lane] = static_cast<u32>(value);
            wave.row(rows[i] + 1)[lane] = static_cast<u32>(value >> 32);
          } else {
            const u32 mask = (bytes == 4 ? ~0u : (1u << (8 * bytes)) - 1) << shift;
            word(lane) = (word(lane) & ~mask) | (static_cast<u32>(value) << shift & mask);
          }
        }
      }
    }
  }
};

}  // namespace

const Semantic& load_eights() {
  return semantic32<Eights<true>>;
}
const Semantic& store_eights() {
  return semantic32<Eights<false>>;
}
const Semantic& load_fragment() {
  return semantic32<Fragment<true>>;
}
const Semantic& store_fragment() {
  return semantic32<Fragment<false>>;
}

}  // namespace lockstep::nv
