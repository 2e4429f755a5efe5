#include "compile/r600_images.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>

#include "compile/r600_text.h"

namespace lockstep::r600 {
namespace {

// The first four resources are LLVM's own: global memory, constants, parameters.
constexpr u32 first_resource = 4, most_images = 124;
constexpr u32 most_samplers = 18;
// Target 0 is global memory; hardware has 12 targets.
constexpr u32 first_target = 1, most_targets = 11;

constexpr std::string_view sample = "@__lockstep_image_sample", fetch = "@__lockstep_image_fetch",
                           store = "@__lockstep_image_store";
constexpr std::string_view texture = "@llvm.r600.tex(";

class Binder {
 public:
  explicit Binder(const std::string& path) : path_(path) {}

  Expected<BoundImages> bind(std::string_view module) {
    BoundImages made;
    if (module.find(sample) == module.npos && module.find(fetch) == module.npos &&
        module.find(store) == module.npos) {
      made.module = module;
      return made;
    }
    made.module = with_changed_lines(
        module, [&](std::string_view line, std::string_view, const std::string& name, std::string& text) {
          if (const auto definition = definition_of(line)) begin(*definition);
          kernel_ = name;
          if (!line.starts_with("  ") || !change(line, text)) text.append(line) += '\n';
        });
    if (error_) return *error_;
    declare(
        made.module, texture,
        "\ndeclare <4 x float> @llvm.r600.tex(<4 x float>, i32, i32, i32, i32, i32, i32, i32, i32, i32)\n");
    declare(made.module, typed_store,
            "\ndeclare void @llvm.r600.rat.store.typed(<4 x i32>, <4 x i32>, i32 immarg)\n");
    made.notes = std::move(notes_);
    return made;
  }

 private:
  using Numbers = std::map<std::string, u32, std::less<>>;

  void begin(const Definition& definition) {
    parameters_.clear();
    images_.clear();
    samplers_.clear();
    targets_.clear();
    for (const std::string_view parameter : listed_operands(definition.parameters))
      parameters_.emplace(typed_operand(parameter).value, static_cast<u32>(parameters_.size()));
  }

  void fail(std::string message, std::string hint) {
    if (error_) return;
    error_ = Diagnostic{"compile-failed",
                        {path_, 0, 0},
                        fmt::format("{}: error: kernel '{}': {}", path_, kernel_, message),
                        std::move(hint)};
  }

  // The number of what the value names; a note says so when it gets one.
  u32 number_of(Numbers& numbers, std::string_view value, std::string_view what, u32 first, u32 most) {
    if (const auto found = numbers.find(value); found != numbers.end()) return found->second;
    const auto parameter = parameters_.find(value);
    if (parameter == parameters_.end()) {
      fail("an image that is no parameter of the kernel",
           "the instructions of these GPUs name an image by a fixed number: read each image in a branch of "
           "its own");
      return first;
    }
    if (numbers.size() == most) fail(fmt::format("more than {} images", most), "");
    const u32 number = first + static_cast<u32>(numbers.size());
    numbers.emplace(value, number);
    notes_ += fmt::format("//@lockstep {} {} {} {}\n", what, kernel_, number, parameter->second);
    return number;
  }

  u32 sampler_number(std::string_view value) {
    if (const auto found = samplers_.find(value); found != samplers_.end()) return found->second;
    const u32 number = static_cast<u32>(samplers_.size());
    if (number == most_samplers) fail(fmt::format("more than {} samplers", most_samplers), "");
    // "inttoptr (i32 20 to ptr addrspace(4))": a constant; 0 is "null".
    constexpr std::string_view constant = "inttoptr (i32 ";
    std::string bound;
    if (const auto parameter = parameters_.find(value); parameter != parameters_.end()) {
      bound = fmt::format("parameter {}", parameter->second);
    } else if (value == "null" || value.starts_with(constant)) {
      u32 bits = 0;
      if (value != "null") std::from_chars(value.data() + constant.size(), value.data() + value.size(), bits);
      bound = fmt::format("bits {}", bits);
    } else {
      fail("a sampler that is neither a parameter of the kernel nor a constant",
           "the instructions of these GPUs name a sampler by a fixed number: read by each sampler in a "
           "branch of "
           "its own");
    }
    samplers_.emplace(value, number);
    notes_ += fmt::format("//@lockstep sampler {} {} {}\n", kernel_, number, bound);
    return number;
  }

  std::string texture_call(std::string_view coordinates, u32 resource, u32 sampler, u32 normalized) {
    std::string fractions;
    for (u32 i = 0; i < 4; ++i) fractions += fmt::format(", i32 {}", (normalized >> i) & 1);
    return fmt::format("call <4 x float> {}<4 x float> {}, i32 0, i32 0, i32 0, i32 {}, i32 {}{})", texture,
                       coordinates, resource, sampler, fractions);
  }

  // Whether the line was one of the library's calls; what takes its place is appended.
  bool change(std::string_view line, std::string& text) {
    const std::string_view place = place_of(line);
    const auto assignment = assignment_of(line);
    const std::string own = fmt::format("%lockstep.image.{}", count_);
    if (const auto call = arguments_of_call(line, store); call && call->size() == 3) {
      const u32 target = number_of(targets_, (*call)[0].value, "target", first_target, most_targets);
      text += fmt::format("  call void {}{}, {}, i32 {}){}\n", typed_store, (*call)[2].text(),
                          (*call)[1].text(), target, place);
      return true;
    }
    const auto sampled = arguments_of_call(line, sample), fetched = arguments_of_call(line, fetch);
    const auto& call = sampled ? sampled : fetched;
    if (!call || call->size() != (sampled ? 4u : 2u)) return false;
    ++count_;
    const u32 resource = number_of(images_, (*call)[0].value, "image", first_resource, most_images);
    const std::string result = assignment ? fmt::format("  {} = ", assignment->name) : "  ";
    if (fetched) {
      text += fmt::format("  {} = bitcast {} to <4 x float>{}\n", own, (*call)[1].text(), place);
      text += fmt::format("{}{}{}\n", result, texture_call(own, resource, fetch_sampler, 0), place);
      return true;
    }
    u32 normalized = 0;
    const std::string_view bits = (*call)[3].value;
    std::from_chars(bits.data(), bits.data() + bits.size(), normalized);
    text += fmt::format(
        "{}{}{}\n", result,
        texture_call((*call)[2].value, resource, sampler_number((*call)[1].value), normalized), place);
    return true;
  }

  const std::string& path_;
  std::string kernel_, notes_;
  std::map<std::string, u32, std::less<>> parameters_;  // by name: their place among all
  Numbers images_, samplers_, targets_;                 // of the kernel at hand
  u32 count_ = 0;
  std::optional<Diagnostic> error_;
};

}  // namespace

Expected<BoundImages> with_image_resources(std::string_view module, const std::string& path) {
  return Binder(path).bind(module);
}

}  // namespace lockstep::r600
