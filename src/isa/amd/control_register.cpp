// Hardware registers: s_getreg and s_setreg, and RDNA's short forms for the float mode. A field is named by
// SIMM16: register in bits 5:0, first bit in 10:6, width less one in 15:11.
// Source: "Vega Instruction Set Architecture", 3.3 to 3.9 (MODE, STATUS, HW_ID, GPR_ALLOC, LDS_ALLOC);
// "RDNA 2 Instruction Set Architecture" for HW_ID1; register numbers from LLVM, SIDefines.h; the clock's
// widths from LLVM, AMDGPUUsage and SIISelLowering (READCYCLECOUNTER): 20 bits up to gfx11, two registers
// from gfx12 on.
#include "isa/amd/addressing.h"
#include "isa/amd/control.h"
#include "isa/amd/control_mode.h"
#include "isa/register_use.h"

namespace lockstep::amd {
namespace {

enum Register : u32 {
  mode = 1,
  status = 2,
  trap_status = 3,
  hardware_id = 4,
  register_allocation = 5,
  local_allocation = 6,
  memory_bases = 15,
  flat_scratch_low = 20,
  flat_scratch_high = 21,
  hardware_id1 = 23,
  hardware_id2 = 24,
  shader_cycles = 29,       // from gfx12 on its lower half
  shader_cycles_high = 30,  // gfx12
};

struct Field {
  u32 number, shift, mask;
};
Field field_of(const Instruction& in) {
  const u32 bits = static_cast<u32>(in.offset);
  const u32 width = ((bits >> 11) & 31) + 1, shift = (bits >> 6) & 31;
  return {bits & 63, shift, width == 32 ? ~u32{0} : (u32{1} << width) - 1};
}

// Only what the wave itself can know is set; PRIV, HALT and the like are 0 in a user's program.
u32 read_status(const WaveState& wave) {
  const bool no_lane = wave.read_mask(scalar_register::exec_lo) == 0;
  const bool no_vcc = wave.read_mask(scalar_register::vcc_lo) == 0;
  constexpr u32 valid = 1 << 16;
  return (wave.scc ? 1u : 0u) | (no_lane ? 1u << 9 : 0) | (no_vcc ? 1u << 10 : 0) | valid;
}
// Sixteen compute units to a shader engine's array.
u32 read_hardware_id(const WaveState& wave, const StepContext& context) {
  const u32 unit = context.compute_unit;
  return (wave.slot & 15) | (context.simd & 3) << 4 | (unit & 15) << 8 | ((unit >> 6) & 1) << 12 |
         ((unit >> 4) & 3) << 13 | (wave.group & 15) << 16;
}
u32 read_hardware_id1(const WaveState& wave, const StepContext& context) {
  const u32 unit = context.compute_unit;
  return (wave.slot & 31) | (context.simd & 3) << 8 | ((unit >> 1) & 15) << 10 | ((unit >> 5) & 1) << 16 |
         ((unit >> 6) & 7) << 18;
}
// Sizes in granules less one; bases are 0, as the place in the register file is not modelled.
u32 read_register_allocation(const WaveState& wave) {
  const u32 vector_granules = (wave.vector_rows() + 3) / 4, scalar_granules = (wave.scalars() + 15) / 16;
  return ((vector_granules - 1) & 63) << 8 | ((scalar_granules - 1) & 15) << 24;
}
u32 read_local_allocation(const WaveState& wave) {
  constexpr u32 granule_bytes = 512;
  const u32 granules = static_cast<u32>((wave.local.size() + granule_bytes - 1) / granule_bytes);
  return (granules & 0x1FF) << 12;
}

// False for a register that is not modelled. `long_clock`: of gfx12, whose clock has 64 bits.
bool read_register(const WaveState& wave, const StepContext& context, bool long_clock, u32 number,
                   u32& value) {
  switch (number) {
    case mode:
      value = read_mode(wave);
      return true;
    case status:
      value = read_status(wave);
      return true;
    case trap_status:  // arithmetic exceptions are not recorded, traps end the run
      value = 0;
      return true;
    case hardware_id:
      value = read_hardware_id(wave, context);
      return true;
    case register_allocation:
      value = read_register_allocation(wave);
      return true;
    case local_allocation:
      value = read_local_allocation(wave);
      return true;
    case memory_bases:
      value = static_cast<u32>(private_aperture_base >> 48 | (shared_aperture_base >> 48) << 16);
      return true;
    case flat_scratch_low:
      value = wave.read_scalar(scalar_register::flat_scratch_lo);
      return true;
    case flat_scratch_high:
      value = wave.read_scalar(scalar_register::flat_scratch_lo + 1);
      return true;
    case hardware_id1:
      value = read_hardware_id1(wave, context);
      return true;
    case hardware_id2:  // queue, pipe and virtual machine: there is one of each
      value = 0;
      return true;
    case shader_cycles:
      value = static_cast<u32>(context.now_cycles) & (long_clock ? ~u32{0} : 0xFFFFF);
      return true;
    case shader_cycles_high:
      value = static_cast<u32>(context.now_cycles >> 32);
      return long_clock;
    default:
      return false;
  }
}

bool write_register(WaveState& wave, u32 number, u32 value) {
  switch (number) {
    case mode:
      write_mode(wave, value);
      return true;
    case trap_status:
      return true;
    case flat_scratch_low:
      wave.write_scalar(scalar_register::flat_scratch_lo, value);
      return true;
    case flat_scratch_high:
      wave.write_scalar(scalar_register::flat_scratch_lo + 1, value);
      return true;
    default:
      return false;
  }
}

// The operand that names the field is in Instruction::offset; its place among the sources is kept.
template <bool LongClock>
struct GetRegister {
  static constexpr std::string_view name = LongClock ? "getreg_b32_long_clock" : "getreg_b32";
  static constexpr Shape shape = Shape::custom;
  static constexpr u16 implied = 0;  // hardware_register_use says what the field holds
  static constexpr Flow flow = Flow::constant;
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    const Field field = field_of(in);
    u32 value = 0;
    if (!read_register(wave, context, LongClock, field.number, value)) {
      raise_not_supported(context, "s_getreg_b32 of a hardware register that is not modelled");
      return;
    }
    wave.write_scalar(in.operand[0].index, (value >> field.shift) & field.mask);
  }
};
struct SetRegister {
  static constexpr std::string_view name = "setreg_b32";
  static constexpr Role role = Role::index_registers;
  static constexpr Shape shape = Shape::custom;
  static constexpr u16 implied = 0;
  static constexpr Kind result = Kind::none;
  static constexpr u8 sources = 2;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    const Field field = field_of(in);
    u32 old = 0;
    const u32 placed = (scalar_value32(wave, in.operand[2]) & field.mask) << field.shift;
    const bool known = read_register(wave, context, false, field.number, old) &&
                       write_register(wave, field.number, (old & ~(field.mask << field.shift)) | placed);
    if (!known) raise_not_supported(context, "s_setreg_b32 of a hardware register that is not modelled");
    if (wave.mode & mode_f16_overflow) {
      raise_not_supported(context, "MODE.FP16_OVFL, which makes overflowing halves finite");
    }
  }
};

// RDNA: four bits of the mode at once.
template <u32 shift>
struct SetModeBits {
  static constexpr std::string_view name = shift == 0 ? "round_mode" : "denorm_mode";
  static constexpr Shape shape = Shape::control;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    wave.mode = (wave.mode & ~(15u << shift)) | (static_cast<u32>(in.offset) & 15) << shift;
  }
};

bool gets_register(const Instruction& in) {
  return in.meaning == &semantic<GetRegister<false>> || in.meaning == &semantic<GetRegister<true>>;
}

}  // namespace

void hardware_register_use(const Instruction& in, RegisterUse& use) {
  const bool sets = in.meaning == &semantic<SetRegister>;
  if (!sets && !gets_register(in)) return;
  const u32 number = field_of(in).number;
  if (number == status) {
    use.read(RegisterFile::condition, 0, 1);
    use.read(RegisterFile::scalar, scalar_register::exec_lo, 2);
    use.read(RegisterFile::scalar, scalar_register::vcc_lo, 2);
  }
  if (number == flat_scratch_low || number == flat_scratch_high) {
    const u32 index = scalar_register::flat_scratch_lo + (number == flat_scratch_high ? 1 : 0);
    use.read(RegisterFile::scalar, index, 1);
    if (sets) use.write(RegisterFile::scalar, index, 1);
  }
}

bool reads_issue_register(const Instruction& in) {
  if (!gets_register(in)) return false;
  const u32 number = field_of(in).number;
  return number == hardware_id || number == hardware_id1 || number == shader_cycles ||
         number == shader_cycles_high;
}

std::span<const Row> control_register_rows() {
  static constexpr Row rows[] = {
      {"s_getreg_b32", &semantic<GetRegister<false>>, Cost::salu, every & ~gfx12},
      {"s_getreg_b32", &semantic<GetRegister<true>>, Cost::salu, gfx12},
      {"s_setreg_b32", &semantic<SetRegister>, Cost::salu},
      {"s_setreg_imm32_b32", &semantic<SetRegister>, Cost::salu},
      {"s_round_mode", &semantic<SetModeBits<0>>, Cost::salu, rdna, no_operands_in_text},
      {"s_denorm_mode", &semantic<SetModeBits<4>>, Cost::salu, rdna, no_operands_in_text},
  };
  return rows;
}

}  // namespace lockstep::amd
