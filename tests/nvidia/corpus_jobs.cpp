// The corpus as jobs for runner.cpp: what the model computes on an NVIDIA target is what a real GPU is asked
// for.
//
//   corpus_jobs DIRECTORY [--target sm_90] [--optimise N] [WORD...]
//
// Each case becomes CASE.job with its PTX, its buffers' first contents and the model's results. Cases with
// images, printf or an offset of the index space are left out: CUDA has no call that would start them so.
#include <fmt/format.h>

#include <fstream>

#include "corpus_run.h"
#include "run/loader.h"

namespace lockstep::corpus {
namespace {

void write_file(const std::string& path, const void* data, std::size_t bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
}

std::string argument_text(const Argument& argument, const ArgumentValue& value) {
  if (argument.kind == ArgumentKind::buffer) return "@" + argument.name;
  if (argument.kind == ArgumentKind::local) return fmt::format("local:{}", value.local_bytes);
  std::string text = "x:";
  for (const u8 byte : value.bytes) text += fmt::format("{:02x}", byte);
  return text;
}

Status emit(const Case& test, const Target& target, u32 level, const std::string& folder) {
  const auto request = request_of(test, target, level);
  if (!request) return request.error();
  const auto compiled = compile(*request);
  if (!compiled) return compiled.error();
  const auto module = load_compiled(*compiled, target, test.path);
  if (!module) return module.error();
  const auto contents = initial_contents(test);
  DeviceMemory memory(u64{4} << 30);
  const auto buffers = Buffers::make(memory, target, test.arguments, contents);
  if (!buffers) return buffers.error();
  const std::string label = fmt::format("{}-O{}", test.name, level);
  std::string job = fmt::format("module {0}.ptx {0}\n", label), after;
  write_file(folder + "/" + label + ".ptx", compiled->ptx->ptx.data(), compiled->ptx->ptx.size());
  for (const Launch& step : test.launches) {
    after += fmt::format("launch {}", step.kernel);
    for (u32 i = 0; i < 3; ++i) after += fmt::format(" {}", step.global[i] / step.local[i]);
    for (u32 i = 0; i < 3; ++i) after += fmt::format(" {}", step.local[i]);
    for (const u32 a : step.arguments) after += " " + argument_text(test.arguments[a], buffers->values()[a]);
    after += "\n";
    if (const Status done = launch(step, **module, memory, *buffers); !done) return done;
  }
  for (std::size_t i = 0; i < test.arguments.size(); ++i) {
    const Argument& argument = test.arguments[i];
    if (argument.kind != ArgumentKind::buffer) continue;
    const std::string file = fmt::format("{}.{}", label, argument.name);
    write_file(fmt::format("{}/{}.in", folder, file), contents[i].data(), contents[i].size());
    job += fmt::format("buffer {} {} {}.in\n", argument.name, contents[i].size(), file);
    const auto result = buffers->read(memory, i);
    if (!result) return result.error();
    if (*result == contents[i]) continue;
    write_file(fmt::format("{}/{}.expected", folder, file), result->data(), result->size());
    after += fmt::format("expect {0} {1}.expected {1}\n", argument.name, file);
  }
  job += after;
  write_file(folder + "/" + label + ".job", job.data(), job.size());
  return Success{};
}

int jobs_main(std::vector<std::string> arguments) {
  std::string folder, target_name = "sm_90";
  u32 level = 3;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--target" && i + 1 < arguments.size()) {
      target_name = arguments[++i];
    } else if (arguments[i] == "--optimise" && i + 1 < arguments.size()) {
      level = static_cast<u32>(std::stoul(arguments[++i]));
    } else if (folder.empty()) {
      folder = arguments[i];
    } else {
      words.push_back(arguments[i]);
    }
  }
  const Target* target = find_target(target_name);
  if (folder.empty() || target == nullptr || target->isa != IsaFamily::ptx) {
    fmt::print(stderr, "usage: corpus_jobs DIRECTORY [--target sm_XX] [--optimise N] [WORD...]\n");
    return 2;
  }
  std::filesystem::create_directories(folder);
  u32 made = 0;
  for (const std::string& path : corpus_paths(words)) {
    const auto test = read_case(path);
    if (!test) {
      fmt::print(stderr, "{}\n", to_string(test.error()));
      return 1;
    }
    if (const std::string why = unsuitable(*test); !why.empty()) {
      fmt::print("left out {}: {}\n", test->name, why);
      continue;
    }
    const Status done = emit(*test, *target, level, folder);
    if (!done) {
      const std::string text = to_string(done.error());
      fmt::print("left out {}: {}\n", test->name, text.substr(0, text.find('\n')));
    } else {
      ++made;
    }
  }
  fmt::print("{} jobs\n", made);
  return made == 0 ? 1 : 0;
}

}  // namespace
}  // namespace lockstep::corpus

int main(int count, char** arguments) {
  return lockstep::corpus::jobs_main({arguments + 1, arguments + count});
}
