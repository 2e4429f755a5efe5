// The GPUs that somebody asked for, when a program does not say which.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// The names in $LOCKSTEP_GPU, else in the file lockstep/gpus of $XDG_CONFIG_HOME or ~/.config, else in
// /etc/lockstep/gpus; none where nobody asked. Such a file holds names by commas, blanks or lines; what
// follows # is a comment.
std::vector<std::string> chosen_gpus();

// The names in a list by commas.
std::vector<std::string> gpus_of_list(std::string_view list);

}  // namespace lockstep
