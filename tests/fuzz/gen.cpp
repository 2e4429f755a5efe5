// Programs of Intel's GPUs: the text of their machine code with its notes, and whole objects through Intel's
// disassembler; what the reader accepts runs.

#include "compile/compile.h"
#include "compile/toolchain.h"
#include "fuzz/kind.h"
#include "fuzz/objects.h"
#include "isa/gen/module.h"

namespace lockstep::fuzz {
namespace {

// Messages about an object's own description (.ze_info) have no line: nobody writes that by hand.
std::optional<std::string> load(const std::string& text) {
  const auto module = gen::load_module(text, *find_target("gen9"), "kernel.s");
  if (!module) return check_diagnostic(module.error(), false);
  const auto image = (*module)->image_at(0x1000000000);
  if (!image) return check_diagnostic(image.error(), false);
  static const Expected<Machine> machine = load_machine(LOCKSTEP_SOURCE_DIR "/machines", "hd530");
  for (const Program& program : (*module)->programs) run_kernel(**module, program, &*machine);
  return std::nullopt;
}

std::vector<std::string> text_seeds() {
  std::vector<std::string> seeds;
  for (const std::string& path : files_of("tests/data/gen", ".s")) seeds.push_back(read_whole(path));
  return seeds;
}

void mutate_gen(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  static const std::vector<std::string> words = {"(W)",
                                                 "(f0.0)",
                                                 "(~f1.1.any16h)",
                                                 "(W&f0.0)",
                                                 "(8|M0)",
                                                 "(32|M16)",
                                                 "(1|M24)",
                                                 "(16|M31)",
                                                 "r0.0<0;1,0>:d",
                                                 "r127.7<8;8,1>:f",
                                                 "r126.0<32;16,2>:uw",
                                                 "r127.0<1>:df",
                                                 "r127.0<4>:q",
                                                 "r[a0.0,16]<1,0>:d",
                                                 "r[a0.15,-512]<1;1,0>:ub",
                                                 "-r3.0<8;8,1>:w",
                                                 "(abs)r3.0<8;8,1>:f",
                                                 "acc0.0<1>:d",
                                                 "acc1.0<8;8,1>:f",
                                                 "a0.15<1>:uw",
                                                 "f1.1<1>:uw",
                                                 "null<1>:d",
                                                 "sr0.0<0;1,0>:ud",
                                                 "cr0.0<0;1,0>:ud",
                                                 "n0.0<0;1,0>:ud",
                                                 "ip",
                                                 "0x7fffffff:d",
                                                 "0x80000000:ud",
                                                 "0x7fc00000:f",
                                                 "0x76543210:v",
                                                 "0x30:vf",
                                                 "0x02000010",
                                                 "0x02106E02",
                                                 "0x0219E000",
                                                 "0x04205E01",
                                                 "a0.0",
                                                 "0x27",
                                                 "0xC",
                                                 "0x49",
                                                 "{EOT}",
                                                 "{Switch}",
                                                 "{AccWrEn}",
                                                 "{NoMask}",
                                                 "mov",
                                                 "(sat)mov",
                                                 "mul",
                                                 "mach",
                                                 "mad",
                                                 "madm",
                                                 "math.inv",
                                                 "math.fdiv",
                                                 "math.iqot",
                                                 "bfi2",
                                                 "sel.ge",
                                                 "cmp.lt",
                                                 "(f0.0)sel",
                                                 "send",
                                                 "sends",
                                                 "sendc",
                                                 "jmpi",
                                                 "if",
                                                 "else",
                                                 "endif",
                                                 "while",
                                                 "break",
                                                 "cont",
                                                 "goto",
                                                 "goto.b",
                                                 "join",
                                                 "halt",
                                                 "call",
                                                 "ret",
                                                 "wait",
                                                 "nop",
                                                 "illegal",
                                                 "L16",
                                                 "L0",
                                                 "L864",
                                                 "L4294967280",
                                                 "simd_size:",
                                                 "grf_count:",
                                                 "slm_size:",
                                                 "barrier_count:",
                                                 "private_size:",
                                                 "spill_size:",
                                                 "arg_type:",
                                                 "arg_bypointer",
                                                 "arg_byvalue",
                                                 "global_id_offset",
                                                 "packed_local_ids",
                                                 "local_id",
                                                 "printf_buffer",
                                                 "buffer_offset",
                                                 "addrmode:",
                                                 "stateless",
                                                 "stateful",
                                                 "bti_value:",
                                                 "required_work_group_size: [64, 1, 1]",
                                                 "//@lockstep kernel other",
                                                 "//@lockstep functions",
                                                 "//@lockstep address 8 2 weights",
                                                 "//@lockstep data .data.const 16",
                                                 "//@lockstep pointer 0 1 weights",
                                                 "//@lockstep line 0 1 1",
                                                 "8",
                                                 "64",
                                                 "4294967295"};
  mutate_text(input, seeds, random, words);
}

std::optional<std::string> read_gen(const std::string& input) {
  return load(input);
}

std::vector<std::string> object_seeds() {
  std::vector<std::string> seeds;
  for (const std::string& path : files_of("tests/data/gen", ".bin")) seeds.push_back(read_whole(path));
  return seeds;
}

// Half of the changes are instructions' bits and words, the others any of the file's bytes.
void mutate_zebin(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  const auto elf = read_elf({reinterpret_cast<const u8*>(input.data()), input.size()}, "seed");
  if (!elf || below(random, 2) == 0) return mutate_bytes(input, seeds, random);
  std::vector<const ElfSection*> code;
  for (const ElfSection& section : elf->sections) {
    const bool inside = section.offset <= input.size() && section.size_bytes <= input.size() - section.offset;
    if (section.name.starts_with(".text") && inside && section.size_bytes >= 4) code.push_back(&section);
  }
  if (code.empty()) return mutate_bytes(input, seeds, random);
  const ElfSection& section = *code[below(random, code.size())];
  const std::size_t at = section.offset + below(random, section.size_bytes / 4) * 4;
  mutate_word(input, at, random);
}

// Only where Intel's disassembler is installed.
std::optional<std::string> read_zebin(const std::string& input) {
  static const bool installed = find_tool(Tool::iga).ok();
  if (!installed) return std::nullopt;
  CompileRequest request;
  request.path = "kernel.bin";
  request.source = input;
  request.language = SourceLanguage::code_object;
  request.time_limit_ms = 5000;
  request.target = find_target("gen9");
  request.use_cache = false;
  const auto compiled = compile(request);
  if (!compiled) return check_diagnostic(compiled.error(), false);
  return load(compiled->ptx->ptx);
}

}  // namespace

std::vector<Kind> gen_kinds() {
  return {{"gen", text_seeds, mutate_gen, read_gen}, {"zebin", object_seeds, mutate_zebin, read_zebin}};
}

}  // namespace lockstep::fuzz
