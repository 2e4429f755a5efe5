// list_mnemonics [FAMILY]: prints every mnemonic that LLVM's AMDGPU instruction info knows, for any
// subtarget, one a line; with a family (gfx11, gfx12), those of opcodes that carry its name, so without the
// old names that the assembler takes for new ones. tests/opcodes/update.sh asks the assembler which of them a
// subtarget has.
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>

#include <cstdio>
#include <memory>
#include <set>
#include <string>

extern "C" void LLVMInitializeAMDGPUTargetInfo();
extern "C" void LLVMInitializeAMDGPUTargetMC();

int main(int count, char** arguments) {
  const std::string family = count > 1 ? std::string("_") + arguments[1] : std::string();
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  const llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple.str(), error);
  if (target == nullptr) {
    std::fprintf(stderr, "list_mnemonics: %s\n", error.c_str());
    return 1;
  }
  const std::unique_ptr<llvm::MCInstrInfo> instructions(target->createMCInstrInfo());
  const std::unique_ptr<llvm::MCRegisterInfo> registers(target->createMCRegInfo(triple.str()));
  const std::unique_ptr<llvm::MCAsmInfo> assembly(
      target->createMCAsmInfo(*registers, triple.str(), llvm::MCTargetOptions()));
  const std::unique_ptr<llvm::MCInstPrinter> printer(
      target->createMCInstPrinter(triple, 0, *assembly, *instructions, *registers));
  std::set<std::string> mnemonics;
  for (unsigned opcode = 0; opcode < instructions->getNumOpcodes(); ++opcode) {
    if (instructions->get(opcode).isPseudo()) continue;
    if (instructions->getName(opcode).find_insensitive(family) == llvm::StringRef::npos) continue;
    llvm::MCInst instruction;
    instruction.setOpcode(opcode);
    const char* text = printer->getMnemonic(&instruction).first;
    if (text == nullptr) continue;
    std::string mnemonic(text);
    const std::size_t end = mnemonic.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_");
    if (end != std::string::npos) mnemonic.resize(end);
    for (const char* suffix : {"_e64_dpp8", "_e64_dpp", "_dpp8", "_dpp", "_sdwa", "_e32", "_e64"}) {
      const std::string_view tail(suffix);
      if (mnemonic.size() > tail.size() && mnemonic.ends_with(tail))
        mnemonic.resize(mnemonic.size() - tail.size());
    }
    if (!mnemonic.empty()) mnemonics.insert(mnemonic);
  }
  for (const std::string& mnemonic : mnemonics) std::printf("%s\n", mnemonic.c_str());
}
