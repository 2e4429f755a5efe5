// SHA-256 (FIPS 180-4), for cache keys: 256 bits make an accidental collision impossible in practice, and a
// malicious source cannot be made to collide with another one either.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "base/types.h"

namespace lockstep {

class Sha256 {
 public:
  void add(std::string_view bytes);
  // Adds the length first, so that no two sequences of fields give the same stream.
  void field(std::string_view bytes);
  // 64 hexadecimal digits. The hasher must not be used afterwards.
  std::string finish();

 private:
  void block(const u8* bytes);

  std::array<u32, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<u8, 64> pending_{};
  u64 total_bytes_ = 0;
};

}  // namespace lockstep
