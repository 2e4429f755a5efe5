#include "cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "corpus/compare.h"

namespace lockstep::cli {
namespace {

Diagnostic bad_argument(const std::string& text, std::string why) {
  return {"bad-argument",
          {"--arg " + text, 0, 0},
          std::move(why),
          "NAME=TYPE[COUNT]:INIT for a buffer, NAME=TYPE:VALUE for a value, NAME=TYPE[COUNT]:local for local "
          "memory, NAME=image2d:FORMAT[W,H]:INIT for an image, NAME=sampler:normalized,repeat,linear for a "
          "sampler"};
}

// The corpus' words for what the command line may shorten.
std::string initial_text(const std::string& init) {
  if (init.empty()) return "zero";
  if (init == "random") return "random(seed=1)";
  if (init == "ramp") return "ramp(0,1)";
  return init;
}

}  // namespace

Expected<CommandArgument> parse_command_argument(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return bad_argument(text, "an argument has the form NAME=...");
  const std::string name = text.substr(0, equals);
  const std::size_t colon = text.find(':', equals);
  const std::string type = text.substr(equals + 1, colon == std::string::npos ? colon : colon - equals - 1);
  const std::string init = colon == std::string::npos ? "" : text.substr(colon + 1);
  CommandArgument result;
  std::string words;
  if (type == "sampler") {
    std::string kind = init;
    std::replace(kind.begin(), kind.end(), ',', ' ');
    words = fmt::format(" {} sampler {}", name, kind);
  } else if (type.starts_with("image")) {
    // FORMAT[EXTENT] and the contents behind the next colon or blank.
    const std::size_t bracket = init.find(']');
    const std::size_t end = bracket == std::string::npos ? init.size() : bracket + 1;
    std::string contents = init.substr(end);
    contents.erase(0, contents.find_first_not_of(": "));
    if (contents.starts_with("@")) {
      result.file = contents.substr(1);
      contents.clear();
    }
    words = fmt::format(" {} {} {} {}", name, type, init.substr(0, end), initial_text(contents));
  } else if (type.find('[') == std::string::npos) {
    if (init.empty()) return bad_argument(text, fmt::format("the value of '{}' is missing", name));
    words = fmt::format(" {} scalar {} {}", name, type, init);
  } else if (init == "local") {
    words = fmt::format(" {} local {}", name, type);
  } else if (init.starts_with("@")) {
    result.file = init.substr(1);
    words = fmt::format(" {} buffer {} zero", name, type);
  } else {
    words = fmt::format(" {} buffer {} {}", name, type, initial_text(init));
  }
  Expected<corpus::Argument> argument = corpus::parse_argument("--arg " + text, words);
  if (!argument) {
    Diagnostic diagnostic = argument.error();
    diagnostic.place = {"--arg " + text, 0, 0};
    return diagnostic;
  }
  result.argument = std::move(*argument);
  return result;
}

Expected<PlacedArguments> place_arguments(const Program& program, const std::vector<CommandArgument>& given) {
  PlacedArguments placed;
  const std::size_t count = program.explicit_parameters();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(program.parameters[i].name);
  const bool named =
      std::none_of(names.begin(), names.end(), [](const std::string& name) { return name.empty(); });
  for (const CommandArgument& argument : given) {
    if (named && std::find(names.begin(), names.end(), argument.argument.name) == names.end()) {
      const std::vector<std::string> near = nearest_names(argument.argument.name, names);
      return Diagnostic{
          "wrong-arguments",
          {},
          fmt::format("kernel '{}' has no parameter '{}'", program.name, argument.argument.name),
          fmt::format("{}: {}", near.empty() ? "its parameters" : "did you mean",
                      fmt::join(near.empty() ? names : near, ", "))};
    }
  }
  if (!named && given.size() != count) {
    return Diagnostic{
        "wrong-arguments",
        {},
        fmt::format("kernel '{}' takes {} arguments, not {}", program.name, count, given.size()),
        "the program keeps no parameter names: arguments are taken in order"};
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Parameter& parameter = program.parameters[i];
    const auto found = std::find_if(given.begin(), given.end(), [&](const CommandArgument& argument) {
      return argument.argument.name == parameter.name;
    });
    if (named && found == given.end()) {
      return Diagnostic{"wrong-arguments",
                        {},
                        fmt::format("parameter '{}' ({}) of kernel '{}' has no --arg", parameter.name,
                                    parameter.type_name, program.name),
                        fmt::format("--arg {}=...", parameter.name)};
    }
    const CommandArgument& argument = named ? *found : given[i];
    const corpus::ArgumentKind kind = argument.argument.kind;
    // PTX that was not OpenCL C does not say which parameters are pointers: where no type is known, a
    // buffer's address may stand for any 8 bytes.
    const std::string& type = parameter.type_name;
    const bool address = parameter.kind == ParameterKind::value && parameter.bytes == 8 &&
                         (type.ends_with('*') || (type.empty() && kind == corpus::ArgumentKind::buffer));
    const bool is_pointer = parameter.kind == ParameterKind::global_pointer ||
                            parameter.kind == ParameterKind::constant_pointer || address;
    const bool fits =
        (is_pointer && kind == corpus::ArgumentKind::buffer) ||
        (parameter.kind == ParameterKind::local_pointer && kind == corpus::ArgumentKind::local) ||
        (parameter.kind == ParameterKind::value && !address && kind == corpus::ArgumentKind::scalar) ||
        (parameter.kind == ParameterKind::image && kind == corpus::ArgumentKind::image) ||
        (parameter.kind == ParameterKind::sampler && kind == corpus::ArgumentKind::sampler);
    if (!fits) {
      return Diagnostic{
          "wrong-arguments",
          {},
          fmt::format("parameter '{}' of kernel '{}' is of type '{}': the given argument is of another kind",
                      parameter.name, program.name, parameter.type_name),
          is_pointer                                 ? "a buffer: NAME=TYPE[COUNT]:INIT"
          : parameter.kind == ParameterKind::image   ? "an image: NAME=image2d:FORMAT[W,H]:INIT"
          : parameter.kind == ParameterKind::sampler ? "a sampler: NAME=sampler:normalized,repeat,linear"
          : parameter.kind == ParameterKind::local_pointer ? "local memory: NAME=TYPE[COUNT]:local"
                                                           : "a value: NAME=TYPE:VALUE"};
    }
    std::vector<u8> contents = corpus::initial_contents(argument.argument);
    if (!argument.file.empty()) {
      Expected<std::vector<u8>> read = corpus::read_npy(argument.file, argument.argument);
      if (!read) return read.error();
      contents = std::move(*read);
    }
    placed.arguments.push_back(argument.argument);
    placed.contents.push_back(std::move(contents));
  }
  return placed;
}

}  // namespace lockstep::cli
