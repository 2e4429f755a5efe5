// For checked runs: what a store puts into memory, of ISAs whose stores do not have their data in the
// operands that isa/semantic.h names.
#pragma once
#include "isa/outcome.h"
#include "isa/wave.h"

namespace lockstep {

// A wave's ISA-specific part may be one of these as well.
struct StoredBytes {
  virtual ~StoredBytes() = default;
  // The bytes of the access, which is the instruction's with this number (from 0), for a lane, before they
  // are stored. False where they are not known.
  virtual bool stored_bytes(const WaveState& wave, const Instruction& in, const Access& access, u32 number,
                            u32 lane, u8* bytes) const = 0;
};

}  // namespace lockstep
