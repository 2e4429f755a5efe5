// A libcuda.so.1 for `lockstep dissect --backend cuda`: two GPUs whose launches take 10 ns for each step of
// the suite's kernels, so that what the suite measures is known. FAKE_CUDA names what goes wrong: "no-gpu",
// "refuse" (modules), "fault" (launches).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {

enum : int { good = 0, out_of_memory = 2, no_gpu = 100, bad_ptx = 218, not_found = 500, fault = 719 };

struct Function {
  std::string name;
  bool rounds_last = false;  // whether the last parameter is a word: how often the kernel repeats its steps
  std::size_t parameters = 0;
};
struct Module {
  std::map<std::string, Function> functions;
};

std::map<unsigned long long, std::vector<char>> memory;
unsigned long long next_address = 1 << 20;
double now_ns = 0;  // of all streams

bool asked(const char* what) {
  const char* const text = std::getenv("FAKE_CUDA");
  return text && std::strcmp(text, what) == 0;
}

// The entries of a PTX text and what their parameters are.
void read_entries(const std::string& ptx, Module& module) {
  constexpr char word[] = ".entry ";
  for (std::size_t at = ptx.find(word); at != std::string::npos; at = ptx.find(word, at + 1)) {
    const std::size_t open = ptx.find('(', at), close = ptx.find("\n)", at);
    Function function;
    function.name = ptx.substr(at + sizeof word - 1, open - at - sizeof word + 1);
    for (std::size_t p = ptx.find(".param ", open); p < close; p = ptx.find(".param ", p + 1)) {
      ++function.parameters;
      function.rounds_last = ptx.compare(p, 11, ".param .u32") == 0;
    }
    module.functions.emplace(function.name, function);
  }
}

}  // namespace

extern "C" {
int cuInit(unsigned) {
  return asked("no-gpu") ? no_gpu : good;
}
int cuDriverGetVersion(int* version) {
  *version = 12040;
  return good;
}
int cuDeviceGetCount(int* count) {
  *count = 2;
  return good;
}
int cuDeviceGet(int* device, int number) {
  *device = number;
  return good;
}
int cuDeviceGetName(char* name, int bytes, int device) {
  std::snprintf(name, static_cast<std::size_t>(bytes), device == 0 ? "Fake V100" : "Fake H100");
  return good;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = std::size_t{1} << 28;
  return good;
}
int cuDeviceGetAttribute(int* value, int which, int device) {
  // Of the CUDA Driver API's CUdevice_attribute: threads of a block, lanes, kHz, multiprocessors, L2,
  // capability, shared memory.
  const std::map<int, int> known = {{1, 1024}, {10, 32},      {13, 1000000},
                                    {16, 4},   {38, 1 << 20}, {75, device == 0 ? 7 : 9},
                                    {76, 0},   {97, 98304}};
  const auto found = known.find(which);
  *value = found == known.end() ? 0 : found->second;
  return found == known.end() ? 1 : good;
}
int cuCtxCreate_v2(void** context, unsigned, int) {
  *context = &memory;
  return good;
}
int cuCtxDestroy_v2(void*) {
  memory.clear();
  return good;
}
int cuModuleLoadDataEx(void** module, const char* ptx, unsigned count, int* options, void** values) {
  if (asked("refuse")) {
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] == 5) std::strcpy(static_cast<char*>(values[i]), "ptxas fatal: not today\n");
    }
    return bad_ptx;
  }
  auto* const made = new Module;  // as long as the process
  read_entries(ptx, *made);
  *module = made;
  return good;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  auto& functions = static_cast<Module*>(module)->functions;
  const auto found = functions.find(name);
  if (found == functions.end()) return not_found;
  *function = &found->second;
  return good;
}
int cuFuncGetAttribute(int* value, int, void*) {
  *value = 20;
  return good;
}
int cuFuncSetAttribute(void*, int, int) {
  return good;
}
int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
  if (bytes > std::size_t{1} << 28) return out_of_memory;
  *address = next_address;
  memory[next_address].resize(bytes);
  next_address += bytes + 4096;
  return good;
}
int cuMemFree_v2(unsigned long long address) {
  return memory.erase(address) ? good : 1;
}
int cuMemsetD8_v2(unsigned long long address, unsigned char value, std::size_t bytes) {
  std::fill_n(memory.at(address).begin(), bytes, static_cast<char>(value));
  return good;
}
int cuMemcpyDtoH_v2(void* host, unsigned long long address, std::size_t bytes) {
  std::memcpy(host, memory.at(address).data(), bytes);
  return good;
}
int cuMemcpyHtoDAsync_v2(unsigned long long address, const void* host, std::size_t bytes, void*) {
  std::memcpy(memory.at(address).data(), host, bytes);
  now_ns += static_cast<double>(bytes) / 16;
  return good;
}
int cuLaunchKernel(void* function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void*, void** parameters, void**) {
  if (asked("fault")) return fault;
  const auto& kernel = *static_cast<Function*>(function);
  std::uint32_t rounds = 0;
  if (kernel.rounds_last) std::memcpy(&rounds, parameters[kernel.parameters - 1], sizeof rounds);
  const double steps = kernel.name.ends_with("_long") ? 48 : 16;
  now_ns += 3000 + 10.0 * rounds * steps;
  return good;
}
int cuStreamCreate(void** stream, unsigned) {
  *stream = &now_ns;
  return good;
}
int cuCtxSynchronize() {
  return good;
}
int cuEventCreate(void** event, unsigned) {
  *event = new double(0);  // as long as the process
  return good;
}
int cuEventRecord(double* event, void*) {
  *event = now_ns;
  return good;
}
int cuEventSynchronize(void*) {
  return good;
}
int cuEventElapsedTime(float* milliseconds, const double* first, const double* last) {
  *milliseconds = static_cast<float>((*last - *first) * 1e-6);
  return good;
}
int cuGetErrorName(int code, const char** name) {
  *name = code == fault       ? "CUDA_ERROR_LAUNCH_FAILED"
          : code == no_gpu    ? "CUDA_ERROR_NO_DEVICE"
          : code == bad_ptx   ? "CUDA_ERROR_INVALID_PTX"
          : code == not_found ? "CUDA_ERROR_NOT_FOUND"
                              : nullptr;
  return *name ? good : 1;
}
}
