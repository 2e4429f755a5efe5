// Vector comparisons of every relation and type over edge values, and the classes of floats.
#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>

#include "amd_step.h"

namespace lockstep::amd {
namespace {

constexpr u64 vcc_index = scalar_register::vcc_lo;

// Less, equal, greater or unordered, as an index into a relation's four letters.
enum Order { less, equal, greater, unordered };

// What each relation says of the four orders.
struct Relation {
  const char* name;
  const char* truth;  // '1' where it holds: less, equal, greater, unordered
};
constexpr Relation float_relations[] = {
    {"f", "0000"},   {"lt", "1000"},  {"eq", "0100"},  {"le", "1100"},  {"gt", "0010"},  {"lg", "1010"},
    {"ge", "0110"},  {"o", "1110"},   {"u", "0001"},   {"nge", "1001"}, {"nlg", "0101"}, {"ngt", "1101"},
    {"nle", "0011"}, {"neq", "1011"}, {"nlt", "0111"}, {"tru", "1111"},
};
constexpr Relation integer_relations[] = {
    {"f", "0000"},  {"lt", "1000"}, {"eq", "0100"}, {"le", "1100"},
    {"gt", "0010"}, {"ne", "1010"}, {"ge", "0110"}, {"t", "1110"},
};

template <class T>
Order order(T a, T b) {
  return a < b ? less : a == b ? equal : a > b ? greater : unordered;
}

// Every pair of values in v[0:1] and v[2:3], by v_cmp and by v_cmpx with some lanes off.
template <class T>
void check(const std::string& type, const Relation& relation, const std::vector<T>& values, u32 bytes,
           const std::function<Order(T, T)>& ordered) {
  Stepper step;
  const std::string sources = bytes == 8 ? "v[0:1], v[2:3]" : "v0, v2";
  const Instruction plain =
      step.decoded(std::string("v_cmp_") + relation.name + "_" + type + "_e32 vcc, " + sources);
  const Instruction exec =
      step.decoded(std::string("v_cmpx_") + relation.name + "_" + type + "_e64 s[8:9], " + sources);
  if (plain.run == nullptr || exec.run == nullptr) return;
  const std::size_t n = values.size();
  for (std::size_t next = 0; next < n * n; next += 64) {
    u64 expected = 0;
    for (u32 lane = 0; lane < 64; ++lane) {
      const std::size_t k = (next + lane) % (n * n);
      const T a = values[k % n], b = values[k / n];
      u64 raw_a = 0, raw_b = 0;
      std::memcpy(&raw_a, &a, sizeof a);
      std::memcpy(&raw_b, &b, sizeof b);
      step.wave.row(0)[lane] = static_cast<u32>(raw_a);
      step.wave.row(1)[lane] = static_cast<u32>(raw_a >> 32);
      step.wave.row(2)[lane] = static_cast<u32>(raw_b);
      step.wave.row(3)[lane] = static_cast<u32>(raw_b >> 32);
      if (relation.truth[ordered(a, b)] == '1') expected |= u64{1} << lane;
    }
    step.wave.set_exec(~u64{0});
    step.run(plain);
    ASSERT_EQ(step.wave.read_scalar64(vcc_index), expected) << relation.name << " " << type;
    const u64 active = 0xFF00FF00F0F0AAAA;
    step.wave.set_exec(active);
    step.run(exec);
    ASSERT_EQ(step.wave.read_scalar64(8), expected & active) << relation.name << " " << type;
    ASSERT_EQ(step.wave.exec(), expected & active) << relation.name << " " << type;
  }
}

template <class T>
std::vector<T> integers() {
  constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return {low,
          static_cast<T>(low + 1),
          0,
          1,
          static_cast<T>(high / 2),
          static_cast<T>(high / 2 + 1),
          static_cast<T>(high - 1),
          high};
}
template <class T>
void check_integers(const std::string& type) {
  for (const Relation& r : integer_relations) check<T>(type, r, integers<T>(), sizeof(T), order<T>);
}

TEST(ValuCompare, Integers) {
  check_integers<i16>("i16");
  check_integers<u16>("u16");
  check_integers<i32>("i32");
  check_integers<u32>("u32");
  check_integers<i64>("i64");
  check_integers<u64>("u64");
}

template <class T>
std::vector<T> floats() {
  using Limits = std::numeric_limits<T>;
  return {-Limits::infinity(),
          Limits::lowest(),
          -1,
          -Limits::min(),
          -Limits::denorm_min(),
          T(-0.0),
          0,
          Limits::denorm_min(),
          Limits::min(),
          1,
          T(1) + Limits::epsilon(),
          Limits::max(),
          Limits::infinity(),
          Limits::quiet_NaN()};
}

TEST(ValuCompare, Floats) {
  for (const Relation& r : float_relations) {
    check<f32>("f32", r, floats<f32>(), 4, order<f32>);
    check<f64>("f64", r, floats<f64>(), 8, order<f64>);
  }
  // Halves in ascending order of value; -0 and +0 are equal, the last is a NaN.
  const std::vector<u16> halves{0xFC00, 0xFBFF, 0xBC00, 0x8400, 0x83FF, 0x8001, 0x8000, 0x0000,
                                0x0001, 0x03FF, 0x0400, 0x3C00, 0x3C01, 0x7BFF, 0x7C00, 0x7E00};
  const auto ordered = [&](u16 a, u16 b) {
    if (a == 0x7E00 || b == 0x7E00) return unordered;
    const auto rank = [&](u16 h) {
      const u16 one_zero = h == 0x8000 ? 0 : h;
      return std::find(halves.begin(), halves.end(), one_zero) - halves.begin();
    };
    return order(rank(a), rank(b));
  };
  for (const Relation& r : float_relations) check<u16>("f16", r, halves, 2, ordered);
}

// With denormals off, the smallest ones equal zero.
TEST(ValuCompare, FlushesDenormals) {
  Stepper step;
  step.fill(0, 1);
  step.fill(1, 0x80000000);
  step.run("v_cmp_gt_f32_e32 vcc, v0, v1");
  EXPECT_EQ(step.wave.read_scalar64(vcc_index), ~u64{0});
  step.wave.mode = 0xC0;
  step.run("v_cmp_gt_f32_e32 vcc, v0, v1");
  EXPECT_EQ(step.wave.read_scalar64(vcc_index), 0u);
  step.run("v_cmp_eq_f32_e32 vcc, v0, v1");
  EXPECT_EQ(step.wave.read_scalar64(vcc_index), ~u64{0});
  step.run("v_cmp_gt_f16_e32 vcc, v0, v1");
  EXPECT_EQ(step.wave.read_scalar64(vcc_index), ~u64{0}) << "halves have bits of their own";
  step.wave.mode = 0x30;
  step.run("v_cmp_gt_f16_e32 vcc, v0, v1");
  EXPECT_EQ(step.wave.read_scalar64(vcc_index), 0u);
}

TEST(ValuCompare, Modifiers) {
  Stepper step;
  step.fill(0, 0xBF800000);  // -1
  step.fill(1, 0x3F800000);
  step.run("v_cmp_eq_f32_e64 s[8:9], |v0|, v1");
  EXPECT_EQ(step.wave.read_scalar64(8), ~u64{0});
  step.run("v_cmp_eq_f32_e64 s[8:9], -v0, 1.0");
  EXPECT_EQ(step.wave.read_scalar64(8), ~u64{0});
  step.run("v_cmp_lt_i32_e64 s[8:9], v0, -1");
  EXPECT_EQ(step.wave.read_scalar64(8), ~u64{0});
}

TEST(ValuCompare, Classes) {
  // One value for each of the ten classes, in the order of the bits.
  const u32 singles[10] = {0x7FA00000, 0x7FC00000, 0xFF800000, 0xBF800000, 0x80000001,
                           0x80000000, 0,          1,          0x00800000, 0x7F800000};
  const u64 doubles[10] = {0xFFF4000000000000,
                           0xFFF8000000000000,
                           0xFFF0000000000000,
                           0x8010000000000000,
                           0x800FFFFFFFFFFFFF,
                           0x8000000000000000,
                           0,
                           1,
                           0x3FF0000000000000,
                           0x7FF0000000000000};
  const u16 halves[10] = {0x7D00, 0xFE00, 0xFC00, 0xBC00, 0x83FF, 0x8000, 0, 0x0001, 0x7BFF, 0x7C00};
  Stepper step;
  for (u32 lane = 0; lane < 10; ++lane) {
    step.wave.row(0)[lane] = singles[lane];
    step.wave.row(1)[lane] = halves[lane];
    step.wave.row(2)[lane] = static_cast<u32>(doubles[lane]);
    step.wave.row(3)[lane] = static_cast<u32>(doubles[lane] >> 32);
  }
  step.wave.set_exec(0x3FF);
  for (u32 bit = 0; bit < 10; ++bit) {
    step.fill(4, 1u << bit);
    step.run("v_cmp_class_f32_e32 vcc, v0, v4");
    EXPECT_EQ(step.wave.read_scalar64(vcc_index), u64{1} << bit);
    step.run("v_cmp_class_f16_e32 vcc, v1, v4");
    EXPECT_EQ(step.wave.read_scalar64(vcc_index), u64{1} << bit);
    step.run("v_cmp_class_f64_e32 vcc, v[2:3], v4");
    EXPECT_EQ(step.wave.read_scalar64(vcc_index), u64{1} << bit);
  }
  step.fill(4, 0x3);
  step.run("v_cmpx_class_f32_e64 s[8:9], -v0, v4");
  EXPECT_EQ(step.wave.exec(), 3u);
}

TEST(ValuCompare, RdnaWritesExecAlone) {
  Stepper step("gfx1030", 32);
  for (u32 lane = 0; lane < 32; ++lane) step.wave.row(0)[lane] = lane;
  step.wave.write_scalar(vcc_index, 77);
  step.run("v_cmpx_gt_u32_e32 4, v0");
  EXPECT_EQ(step.wave.exec(), 0xFu);
  EXPECT_EQ(step.wave.read_scalar(vcc_index), 77u);
}

}  // namespace
}  // namespace lockstep::amd
