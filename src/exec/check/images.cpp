// Images: what was written is known by bytes of texels. A component's way from its bytes depends on format
// and filter, so a lane's result is undefined only where nothing wrote any byte of the texels that it reads.
#include <algorithm>

#include "exec/check/step.h"

namespace lockstep {

using check::WaveShadow;

void RunChecker::carry_image_load(Step& step, const Access& access) {
  const Operand& result = step.in.operand[0];
  WaveShadow& shadow = step.shadow;
  if (shadow.accesses == 0) shadow.image_lanes = shadow.image_served = 0;
  const u64 before = shadow.image_lanes;
  u64 unwritten = 0;
  check::for_lanes(access.lanes, [&](u32 lane) {
    bool written = false;
    for (u32 at = 0; at < access.bytes && !written; at += 4)
      written = memory_.written_mask(access.address[lane] + at, std::min(access.bytes - at, 4u)) != 0;
    unwritten |= u64{!written} << lane;
  });
  // A lane that this row of texels does not serve has others (at an edge two rows may be one), or a border.
  const u64 so_far = before | ~shadow.image_served;
  shadow.image_lanes = (before & ~access.lanes) | (unwritten & so_far);
  shadow.image_served |= access.lanes;
  if (bytes_ != nullptr) return put_image_lanes(step, access, before | shadow.image_lanes);
  if (result.kind != OperandKind::vector) return;
  for (u32 row = result.index; row < result.index + result.registers; ++row) {
    const u32 number = row - result.index;
    if (number < 8 && ((step.rule.result_rows >> number) & 1) == 0) continue;
    shadow.define_lanes(row, 1, step.active);
    check::for_lanes(shadow.image_lanes, [&](u32 lane) { shadow.set(row, lane, ~u32{0}); });
    if (shadow.image_lanes == 0) continue;
    const u32 lane = static_cast<u32>(std::countr_zero(shadow.image_lanes));
    shadow.row_origin[row] = {step.index, Space::image, access.address[lane]};
  }
}

void RunChecker::carry_image_store(Step& step, const Access& access) {
  const Operand& data = step.in.operand[2];
  check::for_lanes(access.lanes, [&](u32 lane) {
    bool defined = bytes_ != nullptr ? stores_defined_texel(step, lane) : data.kind != OperandKind::vector;
    const u32 rows = data.kind == OperandKind::vector ? data.registers : 0;
    for (u32 row = data.index; row < data.index + rows && !defined; ++row)
      defined = step.shadow.undefined(row, lane) != ~u32{0};
    if (defined) {
      memory_.mark_written(access.address[lane], access.bytes);
    } else {
      memory_.mark_unwritten(access.address[lane], access.bytes);
    }
  });
}

}  // namespace lockstep
