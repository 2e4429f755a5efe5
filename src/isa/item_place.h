// Where a work-item lies in its group.
#pragma once
#include <array>

#include "isa/launch.h"

namespace lockstep {

// From work-item `item` of the group on, without a division for each; behind the last one z goes on.
class ItemPlace {
 public:
  ItemPlace(const NdRange& range, u64 item)
      : local_(range.local),
        id_{static_cast<u32>(item % range.local[0]), static_cast<u32>(item / range.local[0] % range.local[1]),
            static_cast<u32>(item / (u64{range.local[0]} * range.local[1]))} {}

  u32 operator[](u32 dimension) const { return id_[dimension]; }
  void next() {
    if (++id_[0] != local_[0]) return;
    id_[0] = 0;
    if (++id_[1] != local_[1]) return;
    id_[1] = 0;
    ++id_[2];
  }

 private:
  std::array<u32, 3> local_, id_;
};

}  // namespace lockstep
