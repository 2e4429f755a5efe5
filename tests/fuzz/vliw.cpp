// Assembly text of AMD's VLIW GPUs: what the reader accepts, and what the programs in it do.
#include <fmt/format.h>

#include "fuzz/kind.h"
#include "fuzz/objects.h"
#include "isa/vliw/module.h"

namespace lockstep::fuzz {
namespace {

// The first character chooses the target; the rest is the text.
constexpr const char* targets[] = {"cypress", "cayman"};

std::vector<std::string> vliw_seeds() {
  std::vector<std::string> seeds;
  for (std::size_t i = 0; i < std::size(targets); ++i) {
    for (const std::string& path : files_of("tests/data/vliw", fmt::format("{}.s", targets[i])))
      seeds.push_back(static_cast<char>('0' + i) + read_whole(path));
  }
  return seeds;
}

void mutate_vliw(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  static const std::vector<std::string> words = {"T0.X",
                                                 "T127.W",
                                                 "T1.XYZW",
                                                 "T(4 + AR.x).X",
                                                 "T(127 + AR.x).W",
                                                 "KC0[2].Y",
                                                 "KC1[4095].W",
                                                 "KC0[CB0:0-32]",
                                                 "KC1[CB0:4080-4096]",
                                                 "KC0[]",
                                                 "PV.X",
                                                 "PV.W",
                                                 "PS",
                                                 "OQAP",
                                                 "AR.x (MASKED)",
                                                 "literal.x",
                                                 "literal.w",
                                                 "PredicateBit (MASKED)",
                                                 "ExecMask,PredicateBit (MASKED)",
                                                 "Pred,PredicateBit (MASKED)",
                                                 "Pred_sel_one",
                                                 "Pred_sel_zero",
                                                 "(MASKED)",
                                                 "BS:VEC_120/SCL_212",
                                                 "*",
                                                 "-",
                                                 "|T0.X|",
                                                 "0.0",
                                                 "1(1.401298e-45)",
                                                 "@group_sums",
                                                 "@0",
                                                 "@4 POP:1",
                                                 "@2 POP:99999999",
                                                 "ALU",
                                                 "ALU_PUSH_BEFORE",
                                                 "ALU_POP_AFTER",
                                                 "ALU_POP2_AFTER",
                                                 "ALU_ELSE_AFTER",
                                                 "ALU_BREAK",
                                                 "ALU_CONTINUE",
                                                 "TEX",
                                                 "VTX",
                                                 "JUMP",
                                                 "ELSE",
                                                 "PUSH",
                                                 "POP",
                                                 "LOOP_START_DX10",
                                                 "END_LOOP",
                                                 "LOOP_BREAK",
                                                 "CONTINUE",
                                                 "CF_END",
                                                 "PAD",
                                                 "MEM_RAT MSKOR",
                                                 "MEM_RAT ATOMIC_ADD",
                                                 "MEM_RAT_CACHELESS STORE_RAW",
                                                 "MEM_RAT_CACHELESS STORE_DWORD",
                                                 "VTX_READ_8",
                                                 "VTX_READ_128",
                                                 "ALU clause starting at 2:",
                                                 "Fetch clause starting at 4:",
                                                 "ADD_INT",
                                                 "MULADD_IEEE_SAT",
                                                 "CNDE_INT",
                                                 "MOVA_INT",
                                                 "RECIP_IEEE",
                                                 "MULLO_INT",
                                                 "PRED_SETE_INT",
                                                 "GROUP_BARRIER",
                                                 "LDS_READ_RET",
                                                 "LDS_WRITE",
                                                 "LDS_CMPST",
                                                 "LDS_ADD_RET",
                                                 ".long",
                                                 ".zero",
                                                 ".p2align",
                                                 ".section\t.AMDGPU.config",
                                                 ".text",
                                                 "//@lockstep parameter saxpy value 0 4 4",
                                                 "//@lockstep required_group_size saxpy 64 1 1",
                                                 "#1",
                                                 "#2",
                                                 "4294967295"};
  if (input.empty()) return;
  std::string text = input.substr(1);
  mutate_text(text, seeds, random, words);
  input.replace(1, std::string::npos, text);
}

std::optional<std::string> read_vliw(const std::string& input) {
  if (input.empty()) return std::nullopt;
  const Target* target = find_target(targets[static_cast<unsigned char>(input[0]) & 1]);
  const std::string text = input.substr(1);
  const auto module = vliw::load_module(text, *target, "kernel.s");
  if (!module) return check_diagnostic(module.error(), true);
  const auto image = (*module)->image_at(0x1000000000);
  if (!image) return check_diagnostic(image.error(), false);
  static const Expected<Machine> machines[] = {load_machine(LOCKSTEP_SOURCE_DIR "/machines", "hd5870"),
                                               load_machine(LOCKSTEP_SOURCE_DIR "/machines", "hd6970")};
  const Machine& machine = *machines[static_cast<unsigned char>(input[0]) & 1];
  for (const Program& program : (*module)->programs) run_kernel(**module, program, &machine);
  return std::nullopt;
}

}  // namespace

std::vector<Kind> vliw_kinds() {
  return {{"vliw", vliw_seeds, mutate_vliw, read_vliw}};
}

}  // namespace lockstep::fuzz
