#include "compile/job.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compile/process.h"

namespace lockstep {
namespace {

std::string_view short_name(Tool tool) {
  switch (tool) {
    case Tool::clang:
      return "clang";
    case Tool::llvm_mc:
      return "the assembler";
    case Tool::lld:
      return "the linker";
    case Tool::opt:
      return "the optimiser";
    case Tool::objdump:
      return "the disassembler";
    case Tool::llc:
      return "LLVM's back end";
    case Tool::dwarfdump:
      return "the reader of line tables";
    case Tool::ocloc:
      return "Intel's compiler";
    case Tool::iga:
      return "Intel's disassembler";
  }
  return "the compiler";
}

u32 take_number_back(std::string_view& text) {
  std::size_t begin = text.size();
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(text[begin - 1]))) --begin;
  if (begin == text.size() || text.size() - begin > 9 || begin == 0 || text[begin - 1] != ':') return 0;
  const u32 value = static_cast<u32>(std::strtoul(std::string(text.substr(begin)).c_str(), nullptr, 10));
  text = text.substr(0, begin - 1);
  return value;
}

}  // namespace

Place first_error_place(std::string_view text) {
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string_view line = text.substr(from, end - from);
    from = end + 1;
    const std::size_t error = std::min(line.find(": error: "), line.find(": fatal error: "));
    if (error == std::string_view::npos) continue;
    std::string_view place = line.substr(0, error);
    const u32 last = take_number_back(place);
    if (last == 0) continue;
    const u32 before = take_number_back(place);
    if (place.empty()) continue;
    return before == 0 ? Place{std::string(place), last, 0} : Place{std::string(place), before, last};
  }
  // The linker: ">>> referenced by k.cl:3 (./k.cl:3)".
  constexpr std::string_view reference = ">>> referenced by ";
  if (const std::size_t at = text.find(reference); at != std::string_view::npos) {
    std::string_view line = text.substr(at, text.find('\n', at) - at);
    const std::size_t open = line.rfind('(');
    if (open == std::string_view::npos || !line.ends_with(')')) return {};
    std::string_view place = line.substr(open + 1, line.size() - open - 2);
    if (place.starts_with("./")) place.remove_prefix(2);
    if (const u32 number = take_number_back(place); number != 0) return {std::string(place), number, 0};
  }
  return {};
}

Expected<std::string> read_file(const std::string& path) {
  const auto failure = [&](std::string message) {
    return Diagnostic{"no-such-file", {path, 0, 0}, std::move(message), ""};
  };
  struct stat info{};
  const bool there = ::stat(path.c_str(), &info) == 0;
  if (there && S_ISDIR(info.st_mode)) return failure("this is a directory, not a file");
  if (there && !S_ISREG(info.st_mode)) return failure("this is a device, a pipe or a socket, not a file");
  std::ifstream in;
  if (there) in.open(path, std::ios::binary);
  if (!in.is_open()) return failure(fmt::format("cannot read the file: {}", std::strerror(errno)));
  std::string text(static_cast<std::size_t>(info.st_size), 0);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

Expected<std::string> CompileJob::run(Tool tool, const std::vector<std::string>& arguments,
                                      std::string_view input) {
  auto path = find_tool(tool);
  if (!path) return path.error();
  const auto elapsed_ms = static_cast<u64>(
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin_)
          .count());
  ProcessRequest process;
  process.arguments = {*path};
  // No options from configuration files, no copies of the source where clang crashes.
  if (tool == Tool::clang)
    process.arguments.insert(process.arguments.end(), {"--no-default-config", "-fno-crash-diagnostics"});
  process.arguments.insert(process.arguments.end(), arguments.begin(), arguments.end());
  if (scratch_ != nullptr) process.writable = scratch_->path();
  process.input = input;
  process.time_limit_ms = request_.time_limit_ms - std::min(request_.time_limit_ms, elapsed_ms);
  process.memory_limit_bytes = request_.memory_limit_bytes;
  process.output_limit_bytes = u64{512} << 20;
  auto run = run_process(process);
  if (!run) return run.error();
  const std::string_view name = short_name(tool);
  const Place place{request_.path, 0, 0};
  const bool memory = run->errors.find("out of memory") != std::string::npos ||
                      run->errors.find("bad_alloc") != std::string::npos ||
                      run->errors.find("Cannot allocate memory") != std::string::npos;
  if (!run->ok() && memory && run->end != ProcessResult::End::timed_out)
    return Diagnostic{
        "compile-out-of-memory", place,
        fmt::format("{} needed more than {} MiB of memory", name, request_.memory_limit_bytes >> 20),
        "make the kernel smaller, or raise the memory limit"};
  switch (run->end) {
    case ProcessResult::End::timed_out:
      return Diagnostic{"compile-timeout", place,
                        fmt::format("{} did not finish within the limit of {:.1f} s", name,
                                    static_cast<double>(request_.time_limit_ms) / 1000),
                        "make the kernel smaller, or lower the optimisation (-O 1)"};
    case ProcessResult::End::output_exceeded:
      return Diagnostic{"compile-output-too-long", place,
                        fmt::format("{} wrote more than {} MiB", name, process.output_limit_bytes >> 20), ""};
    case ProcessResult::End::file_too_long:
      return Diagnostic{
          "compile-output-too-long", place,
          fmt::format("{} wrote a file of more than {} MiB", name, process.file_limit_bytes >> 20),
          "make the kernel smaller"};
    case ProcessResult::End::signalled:
      return Diagnostic{"compile-crashed", place,
                        fmt::format("{} died of signal {} ({}){}{}", name, run->code, ::strsignal(run->code),
                                    run->errors.empty() ? "" : ":\n", run->errors),
                        "this is a fault of the compiler; another optimisation level may avoid it"};
    case ProcessResult::End::stopped:
      return Diagnostic{"stopped", place, fmt::format("{} was stopped", name), ""};
    case ProcessResult::End::unknown:
      return Diagnostic{"cannot-run", place,
                        fmt::format("the result of {} was lost: this process ignores SIGCHLD or waits for "
                                    "children that are not its own",
                                    name),
                        ""};
    case ProcessResult::End::exited:
      break;
  }
  if (run->code != 0) {
    // Intel's compiler says everything on its standard output.
    std::string message = log_ + run->errors + (tool == Tool::ocloc ? run->output : std::string());
    while (!message.empty() && message.back() == '\n') message.pop_back();
    if (message.empty()) message = fmt::format("{} failed with exit status {}", name, run->code);
    Place at = first_error_place(message);
    if (at.file.empty()) at = place;
    return Diagnostic{"compile-failed", at, message, ""};
  }
  log_ += run->errors;
  return std::move(run->output);
}

}  // namespace lockstep
