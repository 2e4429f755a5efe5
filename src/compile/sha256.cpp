#include "compile/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace lockstep {
namespace {

// FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<u32, 64> constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

}  // namespace

void Sha256::block(const u8* bytes) {
  std::array<u32, 64> w;
  for (std::size_t i = 0; i < 16; ++i)
    w[i] =
        u32{bytes[4 * i]} << 24 | u32{bytes[4 * i + 1]} << 16 | u32{bytes[4 * i + 2]} << 8 | bytes[4 * i + 3];
  for (std::size_t i = 16; i < 64; ++i) {
    const u32 s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const u32 s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    const u32 s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const u32 t1 = h + s1 + ((e & f) ^ (~e & g)) + constants[i] + w[i];
    const u32 s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const u32 t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const std::array<u32, 8> worked = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state_[i] += worked[i];
}

void Sha256::add(std::string_view bytes) {
  const u8* from = reinterpret_cast<const u8*>(bytes.data());
  std::size_t left = bytes.size();
  std::size_t held = total_bytes_ % 64;
  total_bytes_ += left;
  while (left != 0) {
    if (held == 0 && left >= 64) {
      block(from);
      from += 64, left -= 64;
      continue;
    }
    const std::size_t taken = std::min<std::size_t>(64 - held, left);
    std::memcpy(pending_.data() + held, from, taken);
    from += taken, left -= taken, held += taken;
    if (held == 64) {
      block(pending_.data());
      held = 0;
    }
  }
}

void Sha256::field(std::string_view bytes) {
  std::array<char, 8> length;
  for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(u64{bytes.size()} >> (8 * i));
  add({length.data(), length.size()});
  add(bytes);
}

std::string Sha256::finish() {
  const u64 bits = 8 * total_bytes_;
  add(std::string_view("\x80", 1));
  while (total_bytes_ % 64 != 56) add(std::string_view("\0", 1));
  std::array<char, 8> length;
  for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(bits >> (56 - 8 * i));
  add({length.data(), length.size()});
  std::string text;
  for (const u32 word : state_) text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace lockstep
