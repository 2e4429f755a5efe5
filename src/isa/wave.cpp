#include "isa/wave.h"

#include <algorithm>

namespace lockstep {

void WaveState::allocate(u32 lane_count, u32 vector_rows, u32 scalars) {
  const std::size_t words = std::size_t{vector_rows} * lane_count;
  if (lanes != lane_count || vector_rows_ != vector_rows || vector_ == nullptr) {
    lanes = lane_count;
    vector_rows_ = vector_rows;
    const std::size_t bytes = std::max<std::size_t>(words, 16) * sizeof(u32);
    vector_.reset(static_cast<u32*>(::operator new[](bytes, std::align_val_t{64})));
  }
  std::fill_n(vector_.get(), words, 0u);
  scalar_.assign(std::max(scalars, scalar_register::first_free), 0);
  set_exec(0);
}

void WaveState::rebuild_mask() {
  const u64 active = exec_;
  for (u32 lane = 0; lane < most_lanes; ++lane) {
    mask_.lane[lane] = 0u - static_cast<u32>((active >> lane) & 1);
  }
  mask_stale_ = false;
}

}  // namespace lockstep
