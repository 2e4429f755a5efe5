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
//                                              values(V,..), bits(seed=S), special(seed=S)
//   a=float[1024]:@data.npy                    a buffer from a file
//   n=int:42                                   a value
//   v=float4:1,2,3,4                           a vector
//   t=float[256]:local                         local memory
//   p=image2d:rgba8[64,64]:ramp                an image: its shape (image1d, image1d_buffer, image1d_array,
//   image2d,
//                                              image2d_array, image3d), format and extent (layers last), and
//                                              what a buffer's contents may be, or @data.npy; zero when
//                                              nothing is said; a blank may stand for the second colon
//   s=sampler:normalized,repeat,linear         a sampler: normalized or unnormalized; none, clamp_to_edge,
//                                              clamp, repeat or mirrored_repeat; nearest or linear
// The formats of images are those of tests/corpus/README.md.
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
