// Kernel arguments on the command line: NAME=TYPE[COUNT]:INIT and its shorter forms.
#pragma once
#include <string>
#include <vector>

#include "corpus/case.h"
#include "isa/program.h"

namespace lockstep::cli {

struct CommandArgument {
  corpus::Argument argument;
  std::string file;  // of a .npy file that fills the buffer; empty otherwise
};

// One --arg:
//   a=float[1024]:random(seed=1,min=0,max=1)   a buffer; also zero, ramp, ramp(START,STEP), fill(V),
//   values(V,..), bits(seed=S) a=float[1024]:@data.npy                    a buffer from a file n=int:42
//   v=float4:1,2,3,4                 a value t=float[256]:local                         local memory
// Errors: "bad-argument" with the text and what was expected.
Expected<CommandArgument> parse_command_argument(const std::string& text);

// The arguments in the kernel's order, with their contents. Errors: "wrong-arguments" for a name that the
// kernel lacks, a parameter without --arg, a type that does not fit.
struct PlacedArguments {
  std::vector<corpus::Argument> arguments;
  std::vector<std::vector<u8>> contents;
};
Expected<PlacedArguments> place_arguments(const Program& program, const std::vector<CommandArgument>& given);

}  // namespace lockstep::cli
