// Every computing PTX instruction, model against a real GPU.
//
//   ptx_operations                     compares the model with the recorded answers of the GPU (h200.txt)
//   ptx_operations --emit DIRECTORY    writes the inputs, a module for each instruction, and the job for
//   runner.cpp ptx_operations --differences DIRECTORY LABEL...   shows inputs, model's and GPU's results of
//   an instruction from
//                                      what the job saved there
//
// Exit code: 0 equal, 1 not equal, 2 wrong usage.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "nvidia/model.h"

namespace lockstep::nv {
namespace {

constexpr const char* target = "sm_90";

Status write_file(const std::string& path, const void* data, std::size_t bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  if (!out) return Diagnostic{"cannot-write", {}, "cannot write " + path, ""};
  return Success{};
}

Status emit(const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::string job;
  for (const char kind : input_kinds) {
    const std::vector<u64> words = inputs_of(kind);
    const std::string name = fmt::format("inputs-{}.bin", kind);
    if (const Status done = write_file(folder + "/" + name, words.data(), words.size() * 8); !done)
      return done;
    job += fmt::format("buffer {} {} {}\n", kind, words.size() * 8, name);
  }
  for (const Operation& op : operations()) {
    const std::string text = module_text({&op, 1}, target);
    if (const Status done = write_file(folder + "/" + op.kernel + ".ptx", text.data(), text.size()); !done)
      return done;
    job += fmt::format(
        "module {0}.ptx {1}\nbuffer out {2} zero\nlaunch {0} {3} 1 1 {4} 1 1 @{5} @out\nhash out {1}\n"
        "save out {0}.out {6}\n",
        op.kernel, op.label, operation_items * op.words * 8, operation_items / group_items, group_items,
        op.inputs, op.approximate ? operation_items * 8 : 2560 * op.words * 8);
  }
  return write_file(folder + "/operations.job", job.data(), job.size());
}

struct Answer {
  std::string hash;  // empty: the GPU's assembler refuses the instruction
};

Expected<std::map<std::string, Answer>> read_answers(const std::string& path) {
  std::ifstream in(path);
  if (!in) return Diagnostic{"no-such-file", {}, "cannot read " + path, ""};
  std::map<std::string, Answer> answers;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string label, what;
    words >> label >> what;
    answers[label].hash = what.starts_with("refused") ? "" : what;
  }
  return answers;
}

Expected<LoadedProgram> load_all(const std::vector<Operation>& all) {
  return load_ptx(module_text(all, target), target);
}

int compare() {
  const std::vector<Operation> all = operations();
  const auto answers = read_answers(LOCKSTEP_SOURCE_DIR "/tests/nvidia/h200.txt");
  if (!answers) {
    fmt::print(stderr, "{}\n", to_string(answers.error()));
    return 2;
  }
  const auto loaded = load_all(all);
  if (!loaded) {
    fmt::print(stderr, "{}\n", to_string(loaded.error()));
    return 1;
  }
  std::map<char, std::vector<u64>> inputs;
  for (const char kind : input_kinds) inputs[kind] = inputs_of(kind);
  u32 equal = 0, different = 0, unasked = 0, approximate = 0;
  for (const Operation& op : all) {
    const auto answer = answers->find(op.label);
    if (answer == answers->end() || answer->second.hash.empty()) {
      ++unasked;
      continue;
    }
    if (op.approximate) {
      ++approximate;
      continue;
    }
    const auto out = run_operation(*loaded->module, op, inputs[op.inputs]);
    if (!out) {
      fmt::print("FAILED {}: {}\n", op.label, to_string(out.error()));
      ++different;
      continue;
    }
    const std::string hash = fmt::format("{:016x}", hash_of(*out));
    if (hash == answer->second.hash) {
      ++equal;
    } else {
      fmt::print("FAILED {}: the GPU's results have hash {}, the model's {}\n", op.label, answer->second.hash,
                 hash);
      ++different;
    }
  }
  fmt::print("{} passed, {} failed, {} skipped\n", equal, different, unasked + approximate);
  return different == 0 && equal != 0 ? 0 : 1;
}

int differences(const std::string& folder, const std::vector<std::string>& labels) {
  const std::vector<Operation> all = operations();
  const auto loaded = load_all(all);
  if (!loaded) {
    fmt::print(stderr, "{}\n", to_string(loaded.error()));
    return 2;
  }
  for (const Operation& op : all) {
    if (!labels.empty() && std::find(labels.begin(), labels.end(), op.label) == labels.end()) continue;
    std::ifstream in(folder + "/" + op.kernel + ".out", std::ios::binary);
    if (!in) continue;
    std::vector<u64> device(u64{operation_items} * op.words);
    in.read(reinterpret_cast<char*>(device.data()), static_cast<std::streamsize>(device.size() * 8));
    device.resize(static_cast<std::size_t>(in.gcount()) / 8);
    const std::vector<u64> inputs = inputs_of(op.inputs);
    const auto out = run_operation(*loaded->module, op, inputs);
    if (!out) {
      fmt::print("{}: {}\n", op.label, to_string(out.error()));
      continue;
    }
    u32 count = 0;
    for (std::size_t i = 0; i < device.size(); ++i) {
      if (device[i] == (*out)[i]) continue;
      if (count++ >= 4) continue;
      const std::size_t item = i / op.words;
      fmt::print("{} item {}: a {:x} b {:x} c {:x} d {:x}: GPU {:x}, model {:x}\n", op.label, item,
                 inputs[4 * item], inputs[4 * item + 1], inputs[4 * item + 2], inputs[4 * item + 3],
                 device[i], (*out)[i]);
    }
    if (count != 0) fmt::print("{}: {} of {} words differ\n", op.label, count, device.size());
  }
  return 0;
}

}  // namespace
}  // namespace lockstep::nv

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  if (arguments.empty()) return lockstep::nv::compare();
  if (arguments[0] == "--emit" && arguments.size() == 2) {
    const auto done = lockstep::nv::emit(arguments[1]);
    if (!done) fmt::print(stderr, "{}\n", to_string(done.error()));
    return done ? 0 : 1;
  }
  if (arguments[0] == "--differences" && arguments.size() >= 2)
    return lockstep::nv::differences(arguments[1], {arguments.begin() + 2, arguments.end()});
  fmt::print(stderr, "usage: ptx_operations [--emit DIRECTORY | --differences DIRECTORY [LABEL...]]\n");
  return 2;
}
