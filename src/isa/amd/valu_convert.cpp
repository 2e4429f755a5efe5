// Conversions of the vector ALU between floats and integers.
// Source: "Vega Instruction Set Architecture", 12.8 to 12.11 (V_CVT_*); new names from the "RDNA 3
// Instruction Set Architecture".
#include "float/convert.h"
#include "float/fp8.h"
#include "float/half.h"
#include "isa/amd/float_mode.h"
#include "isa/amd/scalar_float.h"
#include "isa/amd/table.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

struct CvtF32I32 {
  static constexpr std::string_view name = "cvt_f32_i32";
  static f32 apply(i32 a) { return f32(a); }
  static f32 apply_mode(i32 a, u32 mode) {
    return with_round(single_mode(mode).round, [&]<Round R>() { return int_to_f32<R>(a); });
  }
};
struct CvtF32U32 {
  static constexpr std::string_view name = "cvt_f32_u32";
  static f32 apply(u32 a) { return int_to_f32(a); }
  static f32 apply_mode(u32 a, u32 mode) {
    return with_round(single_mode(mode).round, [&]<Round R>() { return int_to_f32<R>(a); });
  }
};
struct CvtI32F32 {
  static constexpr std::string_view name = "cvt_i32_f32";
  static i32 apply(f32 a) { return float_to_int<i32>(a); }
};
struct CvtU32F32 {
  static constexpr std::string_view name = "cvt_u32_f32";
  static u32 apply(f32 a) { return float_to_int<u32>(a); }
};
struct CvtRpiI32F32 {
  static constexpr std::string_view name = "cvt_rpi_i32_f32";
  static i32 apply(f32 a) { return cvt_rpi_i32_f32(a); }
};
struct CvtFlrI32F32 {
  static constexpr std::string_view name = "cvt_flr_i32_f32";
  static i32 apply(f32 a) { return cvt_flr_i32_f32(a); }
};
template <u32 byte>
struct CvtF32Ubyte {
  static constexpr std::string_view name = byte == 0   ? "cvt_f32_ubyte0"
                                           : byte == 1 ? "cvt_f32_ubyte1"
                                           : byte == 2 ? "cvt_f32_ubyte2"
                                                       : "cvt_f32_ubyte3";
  static constexpr Flow flow = static_cast<Flow>(static_cast<int>(Flow::byte0) + byte);
  static f32 apply(u32 a) { return cvt_f32_ubyte(a, byte); }
};
struct CvtOffF32I4 {
  static constexpr std::string_view name = "cvt_off_f32_i4";
  static f32 apply(u32 a) { return cvt_off_f32_i4(a); }
};
struct CvtPkU8F32 {
  static constexpr std::string_view name = "cvt_pk_u8_f32";
  static constexpr Flow flow = Flow::insert_byte;
  static u32 apply(f32 a, u32 byte, u32 old) { return cvt_pk_u8_f32(a, byte, old); }
  static u32 apply_mode(f32 a, u32 byte, u32 old, u32 mode) {
    return with_round(single_mode(mode).round, [&]<Round R>() { return cvt_pk_u8_f32<R>(a, byte, old); });
  }
};

// Half precision. Denormals of both formats count: f16 ones by the wide field, f32 ones by the single field.
struct CvtF16F32 {
  static constexpr std::string_view name = "cvt_f16_f32";
  static F16 apply(f32 a) { return {f32_to_f16(a)}; }
  static F16 apply_mode(f32 a, u32 mode) {
    const FloatMode m = wide_mode(mode);
    return {flush_out_f16(f32_to_f16(flush_in(a, single_mode(mode)), m.round), m)};
  }
};
struct CvtF32F16 {
  static constexpr std::string_view name = "cvt_f32_f16";
  static f32 apply(F16 a) { return f16_to_f32(a.bits); }
  static f32 apply_mode(F16 a, u32 mode) { return f16_to_f32(flush_in_f16(a.bits, wide_mode(mode))); }
};
struct CvtF16U16 {
  static constexpr std::string_view name = "cvt_f16_u16";
  static F16 apply(u16 a) { return {int_to_f16(a)}; }
  static F16 apply_mode(u16 a, u32 mode) {
    return {with_round(wide_mode(mode).round, [&]<Round R>() { return int_to_f16<R>(a); })};
  }
};
struct CvtF16I16 {
  static constexpr std::string_view name = "cvt_f16_i16";
  static F16 apply(i16 a) { return {int_to_f16(a)}; }
  static F16 apply_mode(i16 a, u32 mode) {
    return {with_round(wide_mode(mode).round, [&]<Round R>() { return int_to_f16<R>(a); })};
  }
};
struct CvtU16F16 {
  static constexpr std::string_view name = "cvt_u16_f16";
  static u16 apply(F16 a) { return f16_to_int<u16>(a.bits); }
};
struct CvtI16F16 {
  static constexpr std::string_view name = "cvt_i16_f16";
  static i16 apply(F16 a) { return f16_to_int<i16>(a.bits); }
};
struct CvtNormI16F16 {
  static constexpr std::string_view name = "cvt_norm_i16_f16";
  static u16 apply(F16 a) { return cvt_norm_i16_f16(a.bits); }
};
struct CvtNormU16F16 {
  static constexpr std::string_view name = "cvt_norm_u16_f16";
  static u16 apply(F16 a) { return cvt_norm_u16_f16(a.bits); }
};

// Packing conversions: the first source goes into the low half.
struct CvtPkrtzF16F32 {
  static constexpr std::string_view name = "cvt_pkrtz_f16_f32";
  static constexpr Flow flow = Flow::convert_pair;
  static u32 apply(f32 a, f32 b) { return cvt_pkrtz_f16_f32(a, b); }
  static u32 apply_mode(f32 a, f32 b, u32 mode) {
    const FloatMode in = single_mode(mode), out = wide_mode(mode);
    const u32 packed = cvt_pkrtz_f16_f32(flush_in(a, in), flush_in(b, in));
    return flush_out_f16(static_cast<u16>(packed), out) |
           u32{flush_out_f16(static_cast<u16>(packed >> 16), out)} << 16;
  }
};
struct CvtPknormI16F32 {
  static constexpr std::string_view name = "cvt_pknorm_i16_f32";
  static constexpr Flow flow = Flow::convert_pair;
  static u32 apply(f32 a, f32 b) { return cvt_pknorm_i16_f32(a, b); }
};
struct CvtPknormU16F32 {
  static constexpr std::string_view name = "cvt_pknorm_u16_f32";
  static constexpr Flow flow = Flow::convert_pair;
  static u32 apply(f32 a, f32 b) { return cvt_pknorm_u16_f32(a, b); }
};
struct CvtPknormI16F16 {
  static constexpr std::string_view name = "cvt_pknorm_i16_f16";
  static constexpr Flow flow = Flow::convert_pair;
  static u32 apply(F16 a, F16 b) { return cvt_pknorm_i16_f16(a.bits, b.bits); }
};
struct CvtPknormU16F16 {
  static constexpr std::string_view name = "cvt_pknorm_u16_f16";
  static constexpr Flow flow = Flow::convert_pair;
  static u32 apply(F16 a, F16 b) { return cvt_pknorm_u16_f16(a.bits, b.bits); }
};
struct CvtPkU16U32 {
  static constexpr std::string_view name = "cvt_pk_u16_u32";
  static constexpr Flow flow = Flow::convert_pair;
  static u32 apply(u32 a, u32 b) { return cvt_pk_u16_u32(a, b); }
};
struct CvtPkI16I32 {
  static constexpr std::string_view name = "cvt_pk_i16_i32";
  static constexpr Flow flow = Flow::convert_pair;
  static u32 apply(i32 a, i32 b) { return cvt_pk_i16_i32(a, b); }
};
struct SatPkU8I16 {
  static constexpr std::string_view name = "sat_pk_u8_i16";
  static u16 apply(u32 a) { return sat_pk_u8_i16(a); }
};

// RDNA 3: to 16-bit integers in pairs, and widening ones.
struct CvtPkU16F32 {
  static constexpr std::string_view name = "cvt_pk_u16_f32";
  static constexpr Flow flow = Flow::convert_pair;
  static u32 apply(f32 a, f32 b) { return float_to_int<u16>(a) | u32{float_to_int<u16>(b)} << 16; }
};
struct CvtPkI16F32 {
  static constexpr std::string_view name = "cvt_pk_i16_f32";
  static constexpr Flow flow = Flow::convert_pair;
  static u32 apply(f32 a, f32 b) {
    return u32{static_cast<u16>(float_to_int<i16>(a))} | u32{static_cast<u16>(float_to_int<i16>(b))} << 16;
  }
};
struct CvtI32I16 {
  static constexpr std::string_view name = "cvt_i32_i16";
  static constexpr Flow flow = Flow::extend;
  static constexpr u8 extend_bits = 16;
  static constexpr bool extend_signed = true;
  static i32 apply(i16 a) { return a; }
};
struct CvtU32U16 {
  static constexpr std::string_view name = "cvt_u32_u16";
  static constexpr Flow flow = Flow::move;
  static u32 apply(u16 a) { return a; }
};

// Doubles.
struct CvtF64I32 {
  static constexpr std::string_view name = "cvt_f64_i32";
  static f64 apply(i32 a) { return f64(a); }
};
struct CvtF64U32 {
  static constexpr std::string_view name = "cvt_f64_u32";
  static f64 apply(u32 a) { return f64(a); }
};
struct CvtF64F32 {
  static constexpr std::string_view name = "cvt_f64_f32";
  static f64 apply(f32 a) { return f32_to_f64(a); }
  static f64 apply_mode(f32 a, u32 mode) { return f32_to_f64(flush_in(a, single_mode(mode))); }
};
struct CvtF32F64 {
  static constexpr std::string_view name = "cvt_f32_f64";
  static f32 apply(f64 a) { return f64_to_f32(a); }
  static f32 apply_mode(f64 a, u32 mode) {
    const FloatMode m = single_mode(mode);
    return flush_out(f64_to_f32(flush_in(a, wide_mode(mode)), m.round), m);
  }
};
struct CvtI32F64 {
  static constexpr std::string_view name = "cvt_i32_f64";
  static i32 apply(f64 a) { return float_to_int<i32>(a); }
};
struct CvtU32F64 {
  static constexpr std::string_view name = "cvt_u32_f64";
  static u32 apply(f64 a) { return float_to_int<u32>(a); }
};

struct CvtHighF32F16 {
  static constexpr std::string_view name = "cvt_hi_f32_f16";
  static f32 apply(u32 a) { return CvtF32F16::apply({static_cast<u16>(a >> 16)}); }
};

// 8-bit floats; which byte or half of the source or the result, the decoder says.
template <class F>
struct CvtF32Byte {
  static constexpr std::string_view name = F::mantissa_bits == 3 ? "cvt_f32_fp8" : "cvt_f32_bf8";
  static f32 apply(u32 a) { return byte_to_f32<F>(static_cast<fp8>(a)); }
};
template <class F>
struct CvtPkF32Byte {
  static constexpr std::string_view name = F::mantissa_bits == 3 ? "cvt_pk_f32_fp8" : "cvt_pk_f32_bf8";
  static u64 apply(u16 a) {
    const f32 low = byte_to_f32<F>(static_cast<fp8>(a)), high = byte_to_f32<F>(static_cast<fp8>(a >> 8));
    return as_u32(low) | u64{as_u32(high)} << 32;
  }
};
template <class F>
struct CvtPkByteF32 {
  static constexpr std::string_view name = F::mantissa_bits == 3 ? "cvt_pk_fp8_f32" : "cvt_pk_bf8_f32";
  static u16 apply(f32 a, f32 b) { return static_cast<u16>(f32_to_byte<F>(a) | u32{f32_to_byte<F>(b)} << 8); }
};
template <class F>
struct CvtSrByteF32 {
  static constexpr std::string_view name = F::mantissa_bits == 3 ? "cvt_sr_fp8_f32" : "cvt_sr_bf8_f32";
  static u32 apply(f32 a, u32 random) { return f32_to_byte_stochastic<F>(a, random); }
};

template <class Fp8, class Bf8>
void add_byte_floats(std::vector<Row>& rows, u32 generations) {
  const auto add = [&](std::string_view name, const Semantic* meaning, u32 flags = 0) {
    rows.push_back({name, meaning, Cost::valu_full, generations, flags});
  };
  add("v_cvt_f32_fp8", &semantic<CvtF32Byte<Fp8>>);
  add("v_cvt_f32_bf8", &semantic<CvtF32Byte<Bf8>>);
  add("v_cvt_pk_f32_fp8", &semantic<CvtPkF32Byte<Fp8>>);
  add("v_cvt_pk_f32_bf8", &semantic<CvtPkF32Byte<Bf8>>);
  add("v_cvt_pk_fp8_f32", &semantic<CvtPkByteF32<Fp8>>, keeps_high_half);
  add("v_cvt_pk_bf8_f32", &semantic<CvtPkByteF32<Bf8>>, keeps_high_half);
  add("v_cvt_sr_fp8_f32", &semantic<CvtSrByteF32<Fp8>>, writes_byte);
  add("v_cvt_sr_bf8_f32", &semantic<CvtSrByteF32<Bf8>>, writes_byte);
}

}  // namespace

std::span<const Row> valu_convert_rows() {
  constexpr u32 from_gfx11 = gfx11 | gfx12, to_gfx10 = every & ~from_gfx11;
  constexpr u32 zeroes_high = gfx8to9;
  constexpr Cost full = Cost::valu_full, convert = Cost::valu_convert, wide = Cost::valu_f64_convert;
  static constexpr Row rows[] = {
      {"s_cvt_f32_i32", &semantic<OnScalar<CvtF32I32>>, Cost::salu, gfx12},
      {"s_cvt_f32_u32", &semantic<OnScalar<CvtF32U32>>, Cost::salu, gfx12},
      {"s_cvt_i32_f32", &semantic<OnScalar<CvtI32F32>>, Cost::salu, gfx12},
      {"s_cvt_u32_f32", &semantic<OnScalar<CvtU32F32>>, Cost::salu, gfx12},
      {"s_cvt_f16_f32", &semantic<OnScalar<CvtF16F32>>, Cost::salu, gfx12},
      {"s_cvt_f32_f16", &semantic<OnScalar<CvtF32F16>>, Cost::salu, gfx12},
      {"s_cvt_hi_f32_f16", &semantic<OnScalar<CvtHighF32F16>>, Cost::salu, gfx12},
      {"s_cvt_pk_rtz_f16_f32", &semantic<OnScalar<CvtPkrtzF16F32>>, Cost::salu, gfx12},
      {"v_cvt_f32_i32", &semantic<CvtF32I32>, convert},
      {"v_cvt_f32_u32", &semantic<CvtF32U32>, convert},
      {"v_cvt_i32_f32", &semantic<CvtI32F32>, convert},
      {"v_cvt_u32_f32", &semantic<CvtU32F32>, convert},
      {"v_cvt_rpi_i32_f32", &semantic<CvtRpiI32F32>, convert, to_gfx10},
      {"v_cvt_nearest_i32_f32", &semantic<CvtRpiI32F32>, convert, from_gfx11},
      {"v_cvt_flr_i32_f32", &semantic<CvtFlrI32F32>, convert, to_gfx10},
      {"v_cvt_floor_i32_f32", &semantic<CvtFlrI32F32>, convert, from_gfx11},
      {"v_cvt_f32_ubyte0", &semantic<CvtF32Ubyte<0>>, full},
      {"v_cvt_f32_ubyte1", &semantic<CvtF32Ubyte<1>>, full},
      {"v_cvt_f32_ubyte2", &semantic<CvtF32Ubyte<2>>, full},
      {"v_cvt_f32_ubyte3", &semantic<CvtF32Ubyte<3>>, full},
      {"v_cvt_off_f32_i4", &semantic<CvtOffF32I4>, full},
      {"v_cvt_pk_u8_f32", &semantic<CvtPkU8F32>, convert},
      {"v_cvt_pkaccum_u8_f32", &semantic<CvtPkU8F32>, convert, gfx6to9, accumulates},
      {"v_cvt_f16_f32", &semantic<CvtF16F32>, convert, every & ~rdna},
      {"v_cvt_f16_f32", &semantic<CvtF16F32>, convert, rdna, keeps_high_half},
      {"v_cvt_f32_f16", &semantic<CvtF32F16>, convert},
      {"v_cvt_f16_u16", &semantic<CvtF16U16>, convert, zeroes_high},
      {"v_cvt_f16_u16", &semantic<CvtF16U16>, convert, rdna, keeps_high_half},
      {"v_cvt_f16_i16", &semantic<CvtF16I16>, convert, zeroes_high},
      {"v_cvt_f16_i16", &semantic<CvtF16I16>, convert, rdna, keeps_high_half},
      {"v_cvt_u16_f16", &semantic<CvtU16F16>, convert, zeroes_high},
      {"v_cvt_u16_f16", &semantic<CvtU16F16>, convert, rdna, keeps_high_half},
      {"v_cvt_i16_f16", &semantic<CvtI16F16>, convert, zeroes_high},
      {"v_cvt_i16_f16", &semantic<CvtI16F16>, convert, rdna, keeps_high_half},
      {"v_cvt_norm_i16_f16", &semantic<CvtNormI16F16>, convert, gfx9},
      {"v_cvt_norm_i16_f16", &semantic<CvtNormI16F16>, convert, rdna, keeps_high_half},
      {"v_cvt_norm_u16_f16", &semantic<CvtNormU16F16>, convert, gfx9},
      {"v_cvt_norm_u16_f16", &semantic<CvtNormU16F16>, convert, rdna, keeps_high_half},
      {"v_cvt_pkrtz_f16_f32", &semantic<CvtPkrtzF16F32>, convert, to_gfx10},
      {"v_cvt_pk_rtz_f16_f32", &semantic<CvtPkrtzF16F32>, convert, from_gfx11},
      {"v_cvt_pknorm_i16_f32", &semantic<CvtPknormI16F32>, convert, to_gfx10},
      {"v_cvt_pk_norm_i16_f32", &semantic<CvtPknormI16F32>, convert, from_gfx11},
      {"v_cvt_pknorm_u16_f32", &semantic<CvtPknormU16F32>, convert, to_gfx10},
      {"v_cvt_pk_norm_u16_f32", &semantic<CvtPknormU16F32>, convert, from_gfx11},
      {"v_cvt_pknorm_i16_f16", &semantic<CvtPknormI16F16>, convert, gfx9 | gfx10 | gfx103},
      {"v_cvt_pk_norm_i16_f16", &semantic<CvtPknormI16F16>, convert, from_gfx11},
      {"v_cvt_pknorm_u16_f16", &semantic<CvtPknormU16F16>, convert, gfx9 | gfx10 | gfx103},
      {"v_cvt_pk_norm_u16_f16", &semantic<CvtPknormU16F16>, convert, from_gfx11},
      {"v_cvt_pk_u16_u32", &semantic<CvtPkU16U32>, full},
      {"v_cvt_pk_i16_i32", &semantic<CvtPkI16I32>, full},
      {"v_sat_pk_u8_i16", &semantic<SatPkU8I16>, full, gfx9},
      {"v_sat_pk_u8_i16", &semantic<SatPkU8I16>, full, rdna, keeps_high_half},
      {"v_cvt_pk_u16_f32", &semantic<CvtPkU16F32>, convert, from_gfx11},
      {"v_cvt_i32_i16", &semantic<CvtI32I16>, full, from_gfx11},
      {"v_cvt_u32_u16", &semantic<CvtU32U16>, full, from_gfx11},
      {"v_cvt_pk_i16_f32", &semantic<CvtPkI16F32>, convert, from_gfx11},
      {"v_cvt_f64_i32", &semantic<CvtF64I32>, wide},
      {"v_cvt_f64_u32", &semantic<CvtF64U32>, wide},
      {"v_cvt_f64_f32", &semantic<CvtF64F32>, wide},
      {"v_cvt_f32_f64", &semantic<CvtF32F64>, wide},
      {"v_cvt_i32_f64", &semantic<CvtI32F64>, wide},
      {"v_cvt_u32_f64", &semantic<CvtU32F64>, wide},
  };
  static const std::vector<Row> joined = [] {
    std::vector<Row> all(std::begin(rows), std::end(rows));
    add_byte_floats<Fp8Fnuz, Bf8Fnuz>(all, gfx940);
    add_byte_floats<Fp8Ocp, Bf8Ocp>(all, gfx12);
    return all;
  }();
  return joined;
}

}  // namespace lockstep::amd
