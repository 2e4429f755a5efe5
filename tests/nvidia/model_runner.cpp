// Runs the jobs of runner.cpp on a model: the same file of commands gives the same lines, a launch's time in
// nanoseconds of modelled time. What is on the device stays between launches, as on hardware.
//
//   model_runner [--gpu h200] [--only WORD] JOB...     --only: launches whose label holds the word
//
// `time` launches twice and gives the second launch's time; hash, expect and free are passed over.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <chrono>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "compile/compile.h"
#include "exec/functional.h"
#include "machine/machine.h"
#include "run/loader.h"
#include "run/simulation.h"
#include "time/source/live.h"

namespace lockstep {
namespace {

[[noreturn]] void fail(const Diagnostic& diagnostic) {
  fmt::print(stderr, "{}\n", to_string(diagnostic));
  std::exit(1);
}

class ModelJob {
 public:
  ModelJob(const Machine& machine, std::string path, std::string only)
      : machine_(machine), path_(std::move(path)), only_(std::move(only)) {
    const auto slash = path_.rfind('/');
    if (slash != std::string::npos) folder_ = path_.substr(0, slash + 1);
    auto device = TimedDevice::make(machine);
    if (!device) fail(device.error());
    device_ = std::move(*device);
  }

  void run() {
    std::vector<std::string> lines;
    std::ifstream in(path_);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::istringstream words(lines[i]);
      std::string verb;
      if (!(words >> verb) || verb[0] == '#') continue;
      // A launch is wanted where the line that shows its result is.
      const bool shown =
          only_.empty() || (i + 1 < lines.size() && lines[i + 1].find(only_) != std::string::npos);
      obey(verb, words, lines[i].find(only_) != std::string::npos, shown);
    }
  }

 private:
  struct Buffer {
    u64 address = 0, bytes = 0;
  };

  void obey(const std::string& verb, std::istringstream& words, bool wanted, bool shown) {
    std::string name, file, label;
    if (verb == "module") {
      words >> file;
      CompileRequest request;
      request.path = folder_ + file;
      request.target = machine_.target;
      auto loaded = load_program(request);
      if (!loaded) fail(loaded.error());
      module_ = std::move(loaded->module);
    } else if (verb == "buffer") {
      u64 bytes = 0;
      words >> name >> bytes >> file;
      const auto address = memory_.allocate(bytes, 256, name);
      if (!address) fail(address.error());
      buffers_[name] = {*address, bytes};
      if (file == "index" || file == "hash" || file == "unit") {
        std::vector<u8> data(bytes);
        for (u32 i = 0; i < bytes / 4; ++i) {
          const u32 word = content(file, i);
          std::memcpy(&data[std::size_t{4} * i], &word, 4);
        }
        if (const Status written = memory_.write(*address, data); !written) fail(written.error());
      } else if (file != "zero") {
        std::ifstream in(folder_ + file, std::ios::binary);
        std::vector<u8> data((std::istreambuf_iterator<char>(in)), {});
        if (data.size() != bytes)
          fail({"input", {}, folder_ + file + " has other bytes than its buffer", ""});
        if (const Status written = memory_.write(*address, data); !written) fail(written.error());
      }
    } else if (verb == "ring") {
      u64 bytes = 0, stride = 0;
      words >> name >> bytes >> stride;
      pending_ring_ = [this, name, bytes, stride] { ring(buffers_[name], bytes, stride); };
    } else if (verb == "save" && wanted) {
      u64 bytes = 0;
      words >> name >> file >> bytes;
      std::vector<u8> data(bytes);
      if (const Status read = memory_.read(buffers_[name].address, data); !read) fail(read.error());
      std::ofstream out(folder_ + file, std::ios::binary | std::ios::app);
      out.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(bytes));
      if (!out) fail({"output", {}, "cannot write " + folder_ + file, ""});
    } else if (verb == "launch" && shown) {
      launch(words, "");
    } else if (verb == "time" && wanted) {
      u32 queued = 0;
      words >> label >> queued;
      launch(words, label);
    } else if (verb == "show" && wanted) {
      u64 count = 0;
      words >> name >> count >> label;
      std::vector<u8> data(count * 4);
      if (const Status read = memory_.read(buffers_[name].address, data); !read) fail(read.error());
      std::string text = label;
      for (u64 i = 0; i < count; ++i) {
        u32 word = 0;
        for (u32 b = 0; b < 4; ++b) word |= u32{data[4 * i + b]} << 8 * b;
        text += fmt::format(" {}", word);
      }
      fmt::print("{}\n", text);
      std::fflush(stdout);
    }
  }

  // As runner.cpp fills buffers.
  static u32 content(const std::string& kind, u32 i) {
    if (kind == "index") return i;
    u32 x = i * 2654435761u;
    x = (x ^ x >> 15) * 0x85ebca6bu;
    x ^= x >> 13;
    return kind == "hash" ? x : std::bit_cast<u32>(static_cast<float>(x >> 8) * 0x1p-24f);
  }

  void ring(const Buffer& to, u64 bytes, u64 stride) {
    const u64 places = bytes / stride;
    std::vector<u32> order(places);
    for (u64 i = 0; i < places; ++i) order[i] = static_cast<u32>(i);
    std::mt19937_64 random(1);
    for (u64 i = places; i > 2; --i) std::swap(order[i - 1], order[1 + random() % (i - 1)]);
    for (u64 i = 0; i < places; ++i) {
      const u64 next = order[(i + 1) % places] * stride;
      std::array<u8, 8> data{};
      for (u32 b = 0; b < 8; ++b) data[b] = static_cast<u8>(next >> 8 * b);
      if (const Status written = memory_.write(to.address + order[i] * stride, data); !written)
        fail(written.error());
    }
  }

  void launch(std::istringstream& words, const std::string& label) {
    if (pending_ring_) pending_ring_();
    pending_ring_ = nullptr;
    std::string kernel;
    std::array<u64, 3> grid{}, block{};
    words >> kernel >> grid[0] >> grid[1] >> grid[2] >> block[0] >> block[1] >> block[2];
    const auto program = find_kernel(*module_, kernel);
    if (!program) fail(program.error());
    NdRange range;
    range.dimensions = 3;
    for (u32 i = 0; i < 3; ++i) {
      range.global[i] = grid[i] * block[i];
      range.local[i] = static_cast<u32>(block[i]);
    }
    std::vector<ArgumentValue> values;
    for (std::string word; words >> word;) {
      ArgumentValue value;
      if (word[0] == '@') {
        const u64 address = buffers_.at(word.substr(1)).address;
        for (u32 b = 0; b < 8; ++b) value.bytes.push_back(static_cast<u8>(address >> 8 * b));
      } else if (word.starts_with("local:")) {
        value.local_bytes = std::stoull(word.substr(6));
      } else {
        for (std::size_t i = 2; i + 1 < word.size(); i += 2)
          value.bytes.push_back(static_cast<u8>(std::stoi(word.substr(i, 2), nullptr, 16)));
      }
      values.push_back(value);
    }
    u64 cycles = 0;
    for (u32 turn = 0; turn < (label.empty() ? 1u : 2u); ++turn) {
      const auto prepared = PreparedLaunch::make(memory_, *module_, **program, range, values, 16384);
      if (!prepared) fail(prepared.error());
      LiveFactory sources(**prepared);
      const auto begun = std::chrono::steady_clock::now();
      const auto result = device_->launch(timed_launch(**prepared), sources);
      if (!result) fail(result.error());
      cycles = result->cycles;
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
      std::vector<u64> served(result->levels.size());
      for (const auto& instruction : result->per_instruction) {
        for (std::size_t i = 0; i < served.size(); ++i) served[i] += instruction.served[i];
      }
      fmt::print(stderr, "# {} {}: {} cycles, {} wave-instructions in {:.2f} s, lines by level {}\n", kernel,
                 label, cycles, result->instructions, took.count(), fmt::join(served, " "));
    }
    if (label.empty()) return;
    fmt::print("{} ns {:.0f}\n", label,
               static_cast<double>(cycles) * 1e9 / static_cast<double>(run_clock_hz(machine_)));
    std::fflush(stdout);
  }

  const Machine& machine_;
  std::string path_, folder_, only_;
  std::unique_ptr<TimedDevice> device_;
  std::unique_ptr<Module> module_;
  DeviceMemory memory_{u64{16} << 30};
  std::map<std::string, Buffer> buffers_;
  std::function<void()> pending_ring_;
};

int runner_main(int count, char** words) {
  std::string gpu = "h200", only;
  std::vector<std::string> jobs;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--gpu" && i + 1 < count) {
      gpu = words[++i];
    } else if (word == "--only" && i + 1 < count) {
      only = words[++i];
    } else {
      jobs.push_back(word);
    }
  }
  const auto machine = load_machine(machine_directory(), gpu);
  if (!machine) fail(machine.error());
  for (const std::string& job : jobs) ModelJob(*machine, job, only).run();
  return jobs.empty() ? 2 : 0;
}

}  // namespace
}  // namespace lockstep

int main(int count, char** words) {
  return lockstep::runner_main(count, words);
}
