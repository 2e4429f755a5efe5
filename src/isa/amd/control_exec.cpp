// Scalar instructions that combine a mask with EXEC: the old EXEC goes to the result (saveexec), or the new
// one (wrexec). SCC says whether a lane remains. Source: "Vega Instruction Set Architecture", chapter SOP1;
// b32 forms for waves of 32 and the names not0 and not1 from the manuals of RDNA 2 and RDNA 3.
#include "isa/amd/control.h"
#include "isa/amd/names.h"

namespace lockstep::amd {
namespace {

struct And {
  static constexpr std::string_view name = "and";
  static constexpr Flow flow = Flow::bit_and;
  static constexpr u64 of(u64 source, u64 exec) { return source & exec; }
};
struct Or {
  static constexpr std::string_view name = "or";
  static constexpr Flow flow = Flow::bit_or;
  static constexpr u64 of(u64 source, u64 exec) { return source | exec; }
};
struct Xor {
  static constexpr std::string_view name = "xor";
  static constexpr Flow flow = Flow::bit_xor;
  static constexpr u64 of(u64 source, u64 exec) { return source ^ exec; }
};
struct Nand {
  static constexpr std::string_view name = "nand";
  static constexpr Flow flow = Flow::bit_nand;
  static constexpr u64 of(u64 source, u64 exec) { return ~(source & exec); }
};
struct Nor {
  static constexpr std::string_view name = "nor";
  static constexpr Flow flow = Flow::bit_nor;
  static constexpr u64 of(u64 source, u64 exec) { return ~(source | exec); }
};
struct Xnor {
  static constexpr std::string_view name = "xnor";
  static constexpr Flow flow = Flow::bit_xnor;
  static constexpr u64 of(u64 source, u64 exec) { return ~(source ^ exec); }
};
// n1 inverts the source, n2 inverts EXEC.
struct AndN1 {
  static constexpr std::string_view name = "andn1";
  static constexpr Flow flow = Flow::bit_not_and;
  static constexpr u64 of(u64 source, u64 exec) { return ~source & exec; }
};
struct AndN2 {
  static constexpr std::string_view name = "andn2";
  static constexpr Flow flow = Flow::bit_and_not;
  static constexpr u64 of(u64 source, u64 exec) { return source & ~exec; }
};
struct OrN1 {
  static constexpr std::string_view name = "orn1";
  static constexpr Flow flow = Flow::bit_not_or;
  static constexpr u64 of(u64 source, u64 exec) { return ~source | exec; }
};
struct OrN2 {
  static constexpr std::string_view name = "orn2";
  static constexpr Flow flow = Flow::bit_or_not;
  static constexpr u64 of(u64 source, u64 exec) { return source | ~exec; }
};

// T: u64, or u32 for waves of 32, which leaves the upper half of EXEC alone.
template <class Op, class T, bool keeps_new>
struct CombineExec {
  static constexpr Name text{Op::name, keeps_new ? "_wrexec" : "_saveexec", sizeof(T) == 8 ? "_b64" : "_b32"};
  static constexpr std::string_view name = text;
  static constexpr Shape shape = Shape::custom;
  static constexpr u16 implied = implies::reads_exec | implies::writes_exec | implies::writes_condition;
  static constexpr Role role = Role::combine_exec;
  static constexpr Flow flow = Op::flow;
  static constexpr Kind result = LaneType<T>::kind;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{LaneType<T>::kind};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    if constexpr (sizeof(T) == 8) {
      const u64 old = wave.exec(), combined = Op::of(scalar_value64(wave, in.operand[1]), old);
      wave.write_scalar64(in.operand[0].index, keeps_new ? combined : old);
      wave.set_exec(combined);
      wave.scc = combined != 0;
    } else {
      const u32 old = wave.read_scalar(scalar_register::exec_lo);
      const u32 combined = static_cast<u32>(Op::of(scalar_value32(wave, in.operand[1]), old));
      wave.write_scalar(in.operand[0].index, keeps_new ? combined : old);
      wave.write_scalar(scalar_register::exec_lo, combined);
      wave.scc = combined != 0;
    }
  }
};

template <class Op, class T>
constexpr const Semantic* save = &semantic<CombineExec<Op, T, false>>;
template <class Op, class T>
constexpr const Semantic* write = &semantic<CombineExec<Op, T, true>>;

}  // namespace

std::span<const Row> control_exec_rows() {
  constexpr u32 late = gfx11 | gfx12, middle = gfx9 | gfx10 | gfx103, old = every & ~late;
  static constexpr Row rows[] = {
      {"s_and_saveexec_b64", save<And, u64>, Cost::salu},
      {"s_or_saveexec_b64", save<Or, u64>, Cost::salu},
      {"s_xor_saveexec_b64", save<Xor, u64>, Cost::salu},
      {"s_nand_saveexec_b64", save<Nand, u64>, Cost::salu},
      {"s_nor_saveexec_b64", save<Nor, u64>, Cost::salu},
      {"s_xnor_saveexec_b64", save<Xnor, u64>, Cost::salu},
      {"s_andn2_saveexec_b64", save<AndN2, u64>, Cost::salu, old},
      {"s_orn2_saveexec_b64", save<OrN2, u64>, Cost::salu, old},
      {"s_andn1_saveexec_b64", save<AndN1, u64>, Cost::salu, middle},
      {"s_orn1_saveexec_b64", save<OrN1, u64>, Cost::salu, middle},
      {"s_andn1_wrexec_b64", write<AndN1, u64>, Cost::salu, middle},
      {"s_andn2_wrexec_b64", write<AndN2, u64>, Cost::salu, middle},
      {"s_and_not0_saveexec_b64", save<AndN1, u64>, Cost::salu, late},
      {"s_or_not0_saveexec_b64", save<OrN1, u64>, Cost::salu, late},
      {"s_and_not1_saveexec_b64", save<AndN2, u64>, Cost::salu, late},
      {"s_or_not1_saveexec_b64", save<OrN2, u64>, Cost::salu, late},
      {"s_and_not0_wrexec_b64", write<AndN1, u64>, Cost::salu, late},
      {"s_and_not1_wrexec_b64", write<AndN2, u64>, Cost::salu, late},

      {"s_and_saveexec_b32", save<And, u32>, Cost::salu, rdna},
      {"s_or_saveexec_b32", save<Or, u32>, Cost::salu, rdna},
      {"s_xor_saveexec_b32", save<Xor, u32>, Cost::salu, rdna},
      {"s_nand_saveexec_b32", save<Nand, u32>, Cost::salu, rdna},
      {"s_nor_saveexec_b32", save<Nor, u32>, Cost::salu, rdna},
      {"s_xnor_saveexec_b32", save<Xnor, u32>, Cost::salu, rdna},
      {"s_andn2_saveexec_b32", save<AndN2, u32>, Cost::salu, gfx10 | gfx103},
      {"s_orn2_saveexec_b32", save<OrN2, u32>, Cost::salu, gfx10 | gfx103},
      {"s_andn1_saveexec_b32", save<AndN1, u32>, Cost::salu, gfx10 | gfx103},
      {"s_orn1_saveexec_b32", save<OrN1, u32>, Cost::salu, gfx10 | gfx103},
      {"s_andn1_wrexec_b32", write<AndN1, u32>, Cost::salu, gfx10 | gfx103},
      {"s_andn2_wrexec_b32", write<AndN2, u32>, Cost::salu, gfx10 | gfx103},
      {"s_and_not0_saveexec_b32", save<AndN1, u32>, Cost::salu, late},
      {"s_or_not0_saveexec_b32", save<OrN1, u32>, Cost::salu, late},
      {"s_and_not1_saveexec_b32", save<AndN2, u32>, Cost::salu, late},
      {"s_or_not1_saveexec_b32", save<OrN2, u32>, Cost::salu, late},
      {"s_and_not0_wrexec_b32", write<AndN1, u32>, Cost::salu, late},
      {"s_and_not1_wrexec_b32", write<AndN2, u32>, Cost::salu, late},
  };
  return rows;
}

}  // namespace lockstep::amd
