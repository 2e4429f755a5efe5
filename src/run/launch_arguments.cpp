#include "run/launch_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/nearest.h"
#include "corpus/npy.h"
#include "run/argument_types.h"

namespace lockstep {
namespace {

using corpus::ElementType;
using Form = ArgumentText::Form;

Diagnostic wrong(std::string message, std::string hint = "") {
  return {"wrong-arguments", {}, std::move(message), std::move(hint)};
}

std::string title_of(const Program& program) {
  return program.source_name.empty() ? program.name : program.source_name;
}

// "'x' (float*)", or its number where the compiler kept no name.
std::string title_of(const Program& program, std::size_t index) {
  const Parameter& parameter = program.parameters[index];
  std::string text =
      parameter.name.empty() ? fmt::format("number {}", index + 1) : fmt::format("'{}'", parameter.name);
  if (!parameter.type_name.empty()) text += fmt::format(" ({})", parameter.type_name);
  return text;
}

bool is_buffer_pointer(const Parameter& parameter) {
  return parameter.kind == ParameterKind::global_pointer ||
         parameter.kind == ParameterKind::constant_pointer ||
         (parameter.kind == ParameterKind::value && parameter.bytes == 8 &&
          parameter.type_name.ends_with('*'));
}

// What is given contents: a kernel's parameter, or a variable of its module.
struct Taker {
  const Parameter& parameter;
  std::string title;        // "parameter 'x' (float*) of kernel 'k'"
  std::string_view option;  // by which it is given
  bool is_variable = false;

  static Taker of(const Program& program, std::size_t index) {
    return {program.parameters[index],
            fmt::format("parameter {} of kernel '{}'", title_of(program, index), title_of(program)), "--arg"};
  }

  // What the text must look like, as a hint.
  std::string example() const {
    const std::string name = parameter.name.empty() ? "NAME" : parameter.name;
    if (is_variable)
      return fmt::format("{0} {1}=TYPE:VALUE, {1}=TYPE[COUNT]:CONTENTS or {1}=@FILE.npy, of {2} bytes",
                         option, name, parameter.bytes);
    switch (parameter.kind) {
      case ParameterKind::image:
        return fmt::format("{} {}=image2d:rgba8[WIDTH,HEIGHT]:CONTENTS", option, name);
      case ParameterKind::sampler:
        return fmt::format("{} {}=sampler:normalized,repeat,linear", option, name);
      default:
        break;
    }
    if (parameter.kind == ParameterKind::local_pointer || is_buffer_pointer(parameter)) {
      const auto type = pointee_type(parameter);
      return fmt::format("{} {}={}[COUNT]{}", option, name, type ? type_text(*type) : "TYPE",
                         parameter.kind == ParameterKind::local_pointer ? ":local" : ":random");
    }
    if (const auto type = find_type(parameter.type_name)) {
      std::string values = "VALUE";
      for (u32 i = 1; i < type->lanes; ++i) values += ",VALUE";
      return fmt::format("{} {}={}", option, name, values);
    }
    return fmt::format("{} {}=TYPE:VALUE of {} bytes, or {{TYPE:VALUE,..}} for a structure", option, name,
                       parameter.bytes);
  }
};

class Placer {
 public:
  Placer(Taker taker, const ArgumentText& text)
      : taker_(std::move(taker)), parameter_(taker_.parameter), text_(text) {}

  Expected<LaunchArgument> place() {
    result_.argument = text_.image;
    result_.argument.name = text_.name;
    const Status done = of_its_kind();
    if (done) return std::move(result_);
    Diagnostic diagnostic = done.error();
    if (diagnostic.place.file.empty())
      diagnostic.place.file = fmt::format("{} {}", taker_.option, text_.text);
    return diagnostic;
  }

 private:
  Diagnostic other_kind(std::string_view what) const {
    return wrong(fmt::format("{} is {}, not {}", taker_.title, kind_of_parameter(), what), taker_.example());
  }
  std::string_view kind_of_parameter() const {
    if (parameter_.kind == ParameterKind::image) return "an image";
    if (parameter_.kind == ParameterKind::sampler) return "a sampler";
    if (parameter_.kind == ParameterKind::local_pointer) return "local memory";
    return is_buffer_pointer(parameter_) ? "a buffer" : "a value";
  }

  Status of_its_kind() {
    const bool pointer = is_buffer_pointer(parameter_);
    // PTX does not say of every parameter whether it is a pointer: where no type is known, a buffer's address
    // may stand for any 8 bytes.
    const bool may_be_pointer = pointer || (parameter_.kind == ParameterKind::value &&
                                            parameter_.bytes == 8 && parameter_.type_name.empty());
    switch (text_.form) {
      case Form::value:
      case Form::bytes:
        if (parameter_.kind != ParameterKind::value || pointer)
          return other_kind(text_.form == Form::value ? "a value" : "bytes of one");
        return value();
      case Form::null_pointer:
        if (!may_be_pointer) return other_kind("a pointer");
        result_.argument.kind = corpus::ArgumentKind::buffer;
        result_.null_pointer = true;
        return Success{};
      case Form::buffer:
        if (!may_be_pointer) return other_kind("a buffer");
        return buffer();
      case Form::local:
        if (parameter_.kind != ParameterKind::local_pointer) return other_kind("local memory");
        return local();
      case Form::image:
        if (parameter_.kind != ParameterKind::image) return other_kind("an image");
        return image();
      case Form::sampler:
        if (parameter_.kind != ParameterKind::sampler) return other_kind("a sampler");
        return Success{};
    }
    return Success{};
  }

  Status value() {
    result_.argument.kind = corpus::ArgumentKind::scalar;
    result_.given = true;
    if (text_.form == Form::bytes) {
      result_.bytes = text_.bytes;
    } else {
      const auto said = find_type(parameter_.type_name);
      if (!said && !text_.type)
        return wrong(fmt::format("the type of {} is not known here", taker_.title), taker_.example());
      if (said && text_.type && !same_but_for_sign(*said, *text_.type))
        return wrong(fmt::format("{} is of another type than {}", taker_.title, type_text(*text_.type)),
                     taker_.example());
      // A value that is given with the other sign must fit both types.
      const Status read = numbers(said ? *said : *text_.type);
      if (!read) return read;
    }
    if (result_.bytes.size() != parameter_.bytes)
      return wrong(
          fmt::format("{} has {} bytes, not {}", taker_.title, parameter_.bytes, result_.bytes.size()),
          text_.form == Form::bytes ? "" : taker_.example());
    return Success{};
  }

  Status numbers(ElementType type) {
    result_.argument.type = type;
    if (text_.numbers.size() != type.lanes)
      return wrong(fmt::format("{} takes {} value{}, not {}", taker_.title, type.lanes,
                               type.lanes == 1 ? "" : "s", text_.numbers.size()),
                   taker_.example());
    const u32 size = corpus::bytes_of(type.scalar);
    // CUDA's vectors of three are not padded.
    const bool padded = parameter_.bytes != size * type.lanes;
    result_.bytes.assign(padded ? type.bytes() : size * type.lanes, 0);
    for (std::size_t i = 0; i < text_.numbers.size(); ++i) {
      const Expected<u64> bits = bits_of_number(type.scalar, text_.numbers[i]);
      if (!bits) return bits.error();
      std::memcpy(&result_.bytes[i * size], &*bits, size);
    }
    return Success{};
  }

  // Whether elements of this type may lie where the parameter points: vectors may be given as their scalars.
  bool fits_pointer(ElementType type) const {
    const auto said = pointee_type(parameter_);
    return !said || same_but_for_sign({said->scalar, 1}, {type.scalar, 1});
  }

  Diagnostic other_elements(std::string_view given) const {
    return wrong(fmt::format("{} points to other elements than {}", taker_.title, given),
                 taker_.example() + ", or bytes[COUNT] for bytes of any meaning");
  }

  Status buffer() {
    corpus::Argument& argument = result_.argument;
    argument.kind = corpus::ArgumentKind::buffer;
    if (text_.raw) return raw_buffer();
    if (text_.type && !fits_pointer(*text_.type)) return other_elements(type_text(*text_.type));
    if (!text_.file.empty()) return from_file(text_.type);
    const auto type = text_.type ? text_.type : pointee_type(parameter_);
    if (!type)
      return wrong(fmt::format("what {} points to is not known here", taker_.title), taker_.example());
    argument.type = *type;
    argument.count = *text_.count;
    Expected<corpus::Initial> initial = parse_initial(text_.initial, *type, argument.count);
    if (!initial) return initial.error();
    argument.initial = std::move(*initial);
    return check_size();
  }

  Status raw_buffer() {
    if (text_.type && !fits_pointer(*text_.type)) return other_elements(type_text(*text_.type));
    corpus::Argument& argument = result_.argument;
    argument.type = {corpus::Scalar::u8, 1};
    argument.count = text_.count.value_or(0);
    if (text_.file.empty()) {
      result_.given = !text_.bytes.empty();
      result_.bytes = text_.bytes;
      return check_size();
    }
    std::ifstream file(text_.file, std::ios::binary);
    if (!file) return Diagnostic{"no-such-file", {text_.file, 0, 0}, "the file cannot be read", ""};
    if (std::filesystem::is_directory(text_.file))
      return Diagnostic{"no-such-file", {text_.file, 0, 0}, "this is a directory, not a file", ""};
    result_.bytes.assign(std::istreambuf_iterator<char>(file), {});
    result_.given = true;
    if (text_.count && *text_.count != result_.bytes.size())
      return Diagnostic{
          "wrong-shape",
          {text_.file, 0, 0},
          fmt::format("the file has {} bytes, '{}' takes {}", result_.bytes.size(), text_.name, *text_.count),
          ""};
    argument.count = result_.bytes.size();
    return Success{};
  }

  // The array of a file, for elements of this type where one is said, else of the parameter's.
  Status from_file(std::optional<ElementType> type) {
    Expected<corpus::NpyArray> array = corpus::read_npy(text_.file);
    if (!array) return array.error();
    const auto wrong_shape = [&](std::string message, std::string hint = "") {
      return Diagnostic{"wrong-shape", {text_.file, 0, 0}, std::move(message), std::move(hint)};
    };
    const ElementType in_file{array->scalar, 1};
    const std::string held =
        fmt::format("the file holds {}s of shape {}", type_text(in_file), corpus::shape_text(array->shape));
    corpus::Argument& argument = result_.argument;
    if (!type) type = pointee_type(parameter_);
    if (type && !same_but_for_sign({type->scalar, 1}, in_file))
      return wrong_shape(fmt::format("{}, '{}' takes {}s", held, text_.name, type_text({type->scalar, 1})),
                         "array.astype(...) in numpy before it is saved");
    argument.type = type ? *type : in_file;
    const u64 lanes = argument.type.lanes, scalars = array->count();
    // A vector of three takes the place of four; both may be in a file.
    const bool unpadded = lanes == 3 && !array->shape.empty() && array->shape.back() == 3;
    const u64 per_element = unpadded ? 3 : argument.type.stored_lanes();
    if (scalars % per_element != 0 || (text_.count && *text_.count != scalars / per_element))
      return wrong_shape(text_.count ? fmt::format("{}, '{}' takes {} element{} of type {}", held, text_.name,
                                                   *text_.count, *text_.count == 1 ? "" : "s",
                                                   type_text(argument.type))
                                     : fmt::format("{}, which is no whole number of elements of type {}",
                                                   held, type_text(argument.type)));
    argument.count = scalars / per_element;
    result_.given = true;
    result_.bytes =
        unpadded ? padded(array->data, corpus::bytes_of(argument.type.scalar)) : std::move(array->data);
    return Success{};
  }

  static std::vector<u8> padded(const std::vector<u8>& threes, u64 size) {
    std::vector<u8> fours(threes.size() / 3 * 4, 0);
    for (u64 i = 0; i * 3 * size < threes.size(); ++i)
      std::memcpy(&fours[i * 4 * size], &threes[i * 3 * size], 3 * size);
    return fours;
  }

  Status check_size() const {
    u64 bytes = 0;
    const corpus::Argument& argument = result_.argument;
    if (__builtin_mul_overflow(argument.count, u64{argument.type.bytes()}, &bytes) || bytes >> 48 != 0)
      return wrong(fmt::format("{} elements of {} bytes are more than any GPU holds", argument.count,
                               argument.type.bytes()));
    return Success{};
  }

  Status local() {
    const auto type = text_.type ? text_.type : pointee_type(parameter_);
    if (!type)
      return wrong(fmt::format("what {} points to is not known here", taker_.title), taker_.example());
    if (text_.type && !fits_pointer(*text_.type)) return other_elements(type_text(*text_.type));
    result_.argument.kind = corpus::ArgumentKind::local;
    result_.argument.type = *type;
    result_.argument.count = *text_.count;
    return check_size();
  }

  Status image() {
    if (!text_.file.empty()) return from_image_file();
    Expected<corpus::Initial> initial =
        parse_initial(text_.initial, result_.argument.type, result_.argument.count);
    if (!initial) return initial.error();
    result_.argument.initial = std::move(*initial);
    return Success{};
  }

  Status from_image_file() {
    Expected<corpus::NpyArray> array = corpus::read_npy(text_.file);
    if (!array) return array.error();
    const corpus::Argument& argument = result_.argument;
    if (array->scalar != argument.type.scalar || array->data.size() != argument.bytes())
      return Diagnostic{
          "wrong-shape",
          {text_.file, 0, 0},
          fmt::format("the file holds {}s of shape {}, '{}' takes {} texels of {} {}s",
                      type_text({array->scalar, 1}), corpus::shape_text(array->shape), text_.name,
                      argument.count, argument.type.lanes, type_text({argument.type.scalar, 1})),
          ""};
    result_.bytes = std::move(array->data);
    result_.given = true;
    return Success{};
  }

  const Taker taker_;
  const Parameter& parameter_;
  const ArgumentText& text_;
  LaunchArgument result_;
};

Status check_names(const Program& program, const std::vector<ArgumentText>& given, bool named) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < program.explicit_parameters(); ++i) names.push_back(program.parameters[i].name);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const ArgumentText& argument = given[i];
    const bool twice = std::any_of(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(i),
                                   [&](const ArgumentText& other) { return other.name == argument.name; });
    if (twice) {
      Diagnostic diagnostic = wrong(fmt::format("'{}' is given twice", argument.name));
      diagnostic.place.file = "--arg " + argument.text;
      return diagnostic;
    }
    if (!named || std::find(names.begin(), names.end(), argument.name) != names.end()) continue;
    const std::vector<std::string> near = nearest_names(argument.name, names);
    return wrong(fmt::format("kernel '{}' has no parameter '{}'", title_of(program), argument.name),
                 names.empty() ? "it has none"
                               : fmt::format("{}: {}", near.empty() ? "its parameters" : "did you mean",
                                             fmt::join(near.empty() ? names : near, ", ")));
  }
  return Success{};
}

}  // namespace

Expected<std::vector<LaunchArgument>> place_arguments(const Program& program,
                                                      const std::vector<ArgumentText>& given) {
  const std::size_t count = program.explicit_parameters();
  const bool named = std::none_of(program.parameters.begin(),
                                  program.parameters.begin() + static_cast<std::ptrdiff_t>(count),
                                  [](const Parameter& parameter) { return parameter.name.empty(); });
  const Status names = check_names(program, given, named);
  if (!names) return names.error();
  if (!named && given.size() != count)
    return wrong(fmt::format("kernel '{}' takes {} argument{}, not {}", title_of(program), count,
                             count == 1 ? "" : "s", given.size()),
                 "the program keeps no parameter names: arguments are taken in order");
  std::vector<LaunchArgument> placed;
  std::vector<std::string> missing, hints;
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = named ? std::find_if(given.begin(), given.end(),
                                            [&](const ArgumentText& argument) {
                                              return argument.name == program.parameters[i].name;
                                            })
                             : given.begin() + static_cast<std::ptrdiff_t>(i);
    if (found == given.end()) {
      missing.push_back(title_of(program, i));
      hints.push_back(Taker::of(program, i).example());
      continue;
    }
    Expected<LaunchArgument> argument = Placer(Taker::of(program, i), *found).place();
    if (!argument) return argument.error();
    placed.push_back(std::move(*argument));
  }
  if (!missing.empty())
    return wrong(fmt::format("parameter{} {} of kernel '{}' ha{} no --arg", missing.size() == 1 ? "" : "s",
                             fmt::join(missing, ", "), title_of(program), missing.size() == 1 ? "s" : "ve"),
                 fmt::format("{}", fmt::join(hints, " ")));
  return placed;
}

namespace {

// The variables that `name` may mean: by the whole name or the symbol, else by the name without scopes.
std::vector<const ModuleVariable*> find_variables(const Module& module, const std::string& name) {
  std::vector<const ModuleVariable*> exact, unscoped;
  for (const ModuleVariable& variable : module.variables) {
    if (variable.symbol == name || variable.name == name) exact.push_back(&variable);
    if (variable.name.ends_with("::" + name)) unscoped.push_back(&variable);
  }
  return exact.empty() ? unscoped : exact;
}

Expected<const ModuleVariable*> find_variable(const Module& module, const std::string& name) {
  const std::vector<const ModuleVariable*> found = find_variables(module, name);
  if (found.size() == 1) return found[0];
  std::vector<std::string> names;
  for (const ModuleVariable* variable : found) names.push_back(variable->symbol);
  if (!found.empty())
    return wrong(fmt::format("{} variables are named '{}'", found.size(), name),
                 fmt::format("their symbols: {}", fmt::join(names, ", ")));
  for (const ModuleVariable& variable : module.variables) names.push_back(variable.name);
  const std::vector<std::string> near = nearest_names(name, names);
  return wrong(fmt::format("the program has no variable '{}'", name),
               names.empty() ? "it has none; the compiler leaves out those that no kernel uses"
                             : fmt::format("{}: {}", near.empty() ? "its variables" : "did you mean",
                                           fmt::join(near.empty() ? names : near, ", ")));
}

Expected<std::vector<u8>> contents_of(const ModuleVariable& variable, const ArgumentText& text) {
  Parameter parameter;
  parameter.name = variable.name;
  parameter.bytes = static_cast<u32>(std::min<u64>(variable.bytes, ~u32{0}));
  parameter.kind = text.form == Form::buffer ? ParameterKind::global_pointer : ParameterKind::value;
  const std::string title = fmt::format("variable '{}'", variable.name);
  const Taker taker{parameter, title, "--symbol", true};
  Expected<LaunchArgument> made = Placer(taker, text).place();
  if (!made) return made.error();
  std::vector<u8> bytes = made->null_pointer ? std::vector<u8>(sizeof(u64)) : std::move(made->bytes);
  // Contents that are generated are asked for their size first.
  const u64 size = made->given || made->null_pointer ? bytes.size() : made->argument.bytes();
  if (size != variable.bytes)
    return wrong(fmt::format("{} has {} bytes, not {}", title, variable.bytes, size), taker.example());
  return made->given || made->null_pointer ? bytes : corpus::initial_contents(made->argument);
}

}  // namespace

Expected<std::vector<SymbolContents>> place_symbols(const Module& module,
                                                    const std::vector<ArgumentText>& given) {
  std::vector<SymbolContents> placed;
  for (const ArgumentText& text : given) {
    const auto fail = [&](Diagnostic diagnostic) {
      if (diagnostic.place.file.empty()) diagnostic.place.file = "--symbol " + text.text;
      return diagnostic;
    };
    const Expected<const ModuleVariable*> variable = find_variable(module, text.name);
    if (!variable) return fail(variable.error());
    for (const SymbolContents& other : placed) {
      if (other.variable == *variable) return fail(wrong(fmt::format("'{}' is given twice", text.name)));
    }
    Expected<std::vector<u8>> bytes = contents_of(**variable, text);
    if (!bytes) return fail(bytes.error());
    placed.push_back({*variable, std::move(*bytes)});
  }
  return placed;
}

std::vector<LaunchArgument> launch_arguments(const std::vector<corpus::Argument>& arguments) {
  std::vector<LaunchArgument> result;
  for (const corpus::Argument& argument : arguments) {
    LaunchArgument& made = result.emplace_back();
    made.argument = argument;
    if (argument.kind != corpus::ArgumentKind::scalar) continue;
    made.bytes = corpus::scalar_bytes(argument);
    made.given = true;
  }
  return result;
}

}  // namespace lockstep
