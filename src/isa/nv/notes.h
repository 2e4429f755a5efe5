// What the compiler step (compile/nvptx.h) writes into PTX about the source, as comments that begin with
// "//@lockstep ".
#pragma once
#include <string_view>
#include <vector>

#include "isa/nv/syntax.h"

namespace lockstep::nv {

// `notes` are the comments without their mark:
//   argument KERNEL NAME TYPE          a parameter's; a line for each, in their order
//   qualifiers KERNEL ACCESS WORDS     the same; words of const, restrict, volatile
//   work_group_size_hint KERNEL X Y Z
//   vec_type_hint KERNEL TYPE
//   constant NAME                      a variable in global memory that no kernel changes: a library's table
// Comments bind nobody: one that is none of these is passed over.
void read_notes(const std::vector<std::string_view>& notes, ModuleTree& tree);

// Whether OpenCL C (6.1.3) has an image type of this name.
bool is_image_type(std::string_view name);

}  // namespace lockstep::nv
