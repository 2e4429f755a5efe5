// Runs jobs on a real NVIDIA GPU through its driver alone (libcuda, opened at run time): the witness for the
// modelled machines. It needs neither CUDA's headers nor Lockstep, so that it can be copied to a machine that
// has a GPU and built there:
//
//   g++ -std=c++20 -O1 runner.cpp -o runner -ldl
//   ./runner JOB...                  prints results; files are named relative to each job's folder
//
// A job is text, a command a line:
//   module FILE LABEL                PTX or a cubin; later launches take its kernels. When the driver refuses
//   it, this
//                                    prints "LABEL refused: WHY" and skips everything up to the next module
//   buffer NAME BYTES WHAT           device memory: zero, index (each 32-bit word its index), hash (32 mixed
//   bits),
//                                    unit (floats from 0 to 1), or a file's bytes
//   launch KERNEL GX GY GZ BX BY BZ ARG...   groups, then work-items of a group. ARG is @NAME (a buffer's
//   address),
//                                    x:HEX (a value's bytes, lowest first) or local:BYTES (dynamic shared
//                                    memory)
//   hash NAME LABEL                  prints "LABEL fnv1a64-of-the-buffer"
//   save NAME FILE BYTES             appends the buffer's first bytes to FILE
//   expect NAME FILE LABEL           prints "LABEL equal", or how many bytes differ and the first
//   ring NAME BYTES STRIDE     the buffer's first BYTES as one random ring of places STRIDE apart, each a
//                              64-bit offset of the next one
//   show NAME COUNT LABEL      prints "LABEL" and the buffer's first 32-bit words
//   time LABEL COUNT KERNEL ...  launches, COUNT queued behind each other, five times after one to warm up:
//                              prints "LABEL ns" and each time divided by COUNT. With --graphs the launches
//                              are nodes of a CUDA graph, one behind the other, which the host need not
//                              queue: what COUNT more nodes take, divided by COUNT. With --ranges the third
//                              time's launches are a range of the profiler (ncu --replay-mode app-range)
//   free NAME
// Exit code: 0, or 1 with a message when the driver or a line fails; a launch that faults ends the program.
#include <dlfcn.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Result = int;
using Device = int;
using Pointer = unsigned long long;
struct Driver {
  Result (*init)(unsigned);
  Result (*device)(Device*, int);
  Result (*name)(char*, int, Device);
  Result (*attribute)(int*, int, Device);
  Result (*context)(void**, unsigned, Device);
  Result (*load)(void**, const void*, unsigned, int*, void**);
  Result (*unload)(void*);
  Result (*function)(void**, void*, const char*);
  Result (*function_attribute)(int*, int, void*);
  Result (*set_function_attribute)(void*, int, int);
  Result (*allocate)(Pointer*, std::size_t);
  Result (*release)(Pointer);
  Result (*to_device)(Pointer, const void*, std::size_t);
  Result (*to_host)(void*, Pointer, std::size_t);
  Result (*clear)(Pointer, unsigned char, std::size_t);
  Result (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                   void**);
  Result (*synchronise)();
  Result (*make_event)(void**, unsigned);
  Result (*record)(void*, void*);
  Result (*await)(void*);
  Result (*elapsed)(float*, void*, void*);
  Result (*make_stream)(void**, unsigned);
  Result (*begin_capture)(void*, int);
  Result (*end_capture)(void*, void**);
  Result (*instantiate)(void**, void*, unsigned long long);
  Result (*launch_graph)(void*, void*);
  Result (*begin_range)();
  Result (*end_range)();
  Result (*error)(Result, const char**);
};
Driver cuda;
bool graphs = false, ranges = false;

[[noreturn]] void fail(const std::string& text) {
  std::fprintf(stderr, "runner: %s\n", text.c_str());
  std::exit(1);
}

void check(Result result, const std::string& what) {
  if (result == 0) return;
  const char* text = nullptr;
  cuda.error(result, &text);
  fail(what + ": " + (text ? text : "error " + std::to_string(result)));
}

template <class F>
void find(void* library, F& function, const char* name) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (function == nullptr) fail(std::string("libcuda has no ") + name);
}

void open_driver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == nullptr) fail("there is no libcuda.so.1: this machine has no NVIDIA driver");
  find(library, cuda.init, "cuInit");
  find(library, cuda.device, "cuDeviceGet");
  find(library, cuda.name, "cuDeviceGetName");
  find(library, cuda.attribute, "cuDeviceGetAttribute");
  find(library, cuda.context, "cuCtxCreate_v2");
  find(library, cuda.load, "cuModuleLoadDataEx");
  find(library, cuda.unload, "cuModuleUnload");
  find(library, cuda.function, "cuModuleGetFunction");
  find(library, cuda.function_attribute, "cuFuncGetAttribute");
  find(library, cuda.set_function_attribute, "cuFuncSetAttribute");
  find(library, cuda.allocate, "cuMemAlloc_v2");
  find(library, cuda.release, "cuMemFree_v2");
  find(library, cuda.to_device, "cuMemcpyHtoD_v2");
  find(library, cuda.to_host, "cuMemcpyDtoH_v2");
  find(library, cuda.clear, "cuMemsetD8_v2");
  find(library, cuda.launch, "cuLaunchKernel");
  find(library, cuda.synchronise, "cuCtxSynchronize");
  find(library, cuda.make_event, "cuEventCreate");
  find(library, cuda.record, "cuEventRecord");
  find(library, cuda.await, "cuEventSynchronize");
  find(library, cuda.elapsed, "cuEventElapsedTime");
  find(library, cuda.make_stream, "cuStreamCreate");
  find(library, cuda.begin_capture, "cuStreamBeginCapture_v2");
  find(library, cuda.end_capture, "cuStreamEndCapture");
  find(library, cuda.instantiate, "cuGraphInstantiateWithFlags");
  find(library, cuda.launch_graph, "cuGraphLaunch");
  find(library, cuda.begin_range, "cuProfilerStart");
  find(library, cuda.end_range, "cuProfilerStop");
  find(library, cuda.error, "cuGetErrorString");
  check(cuda.init(0), "cuInit");
}

std::vector<char> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Buffer {
  Pointer address = 0;
  std::size_t bytes = 0;
};

class Job {
 public:
  explicit Job(std::string path, int reserved_shared)
      : path_(std::move(path)), reserved_shared_(reserved_shared) {
    const auto slash = path_.rfind('/');
    if (slash != std::string::npos) folder_ = path_.substr(0, slash + 1);
  }
  ~Job() {
    for (const auto& [name, buffer] : buffers_) cuda.release(buffer.address);
    if (module_ != nullptr) cuda.unload(module_);
  }

  void run() {
    std::ifstream in(path_);
    if (!in) fail("cannot read " + path_);
    for (std::string line; std::getline(in, line);) {
      ++line_;
      std::istringstream words(line);
      std::string verb;
      if (!(words >> verb) || verb[0] == '#') continue;
      obey(verb, words);
      if (words.fail()) fail(place() + "the line lacks a word: " + line);
    }
  }

 private:
  std::string place() const { return path_ + ":" + std::to_string(line_) + ": "; }

  Buffer& buffer(const std::string& name) {
    const auto found = buffers_.find(name);
    if (found == buffers_.end()) fail(place() + "no buffer " + name);
    return found->second;
  }

  std::vector<char> contents(const Buffer& buffer, std::size_t bytes) {
    std::vector<char> data(bytes);
    check(cuda.to_host(data.data(), buffer.address, bytes), place() + "cuMemcpyDtoH");
    return data;
  }

  void obey(const std::string& verb, std::istringstream& words) {
    std::string name, file, label;
    if (verb == "module") {
      words >> file >> label;
      skipping_ = false;
      std::vector<char> image = read_file(folder_ + file);
      image.push_back('\0');
      if (module_ != nullptr) cuda.unload(module_);
      module_ = nullptr;
      static char log[65536];
      log[0] = '\0';
      int options[] = {5, 6};  // the error log's buffer, its size
      void* values[] = {log, reinterpret_cast<void*>(std::uintptr_t{sizeof log})};
      const Result result = cuda.load(&module_, image.data(), 2, options, values);
      if (result != 0) {
        skipping_ = true;
        const std::string why = log;
        std::printf("%s refused: error %d %s\n", label.c_str(), result,
                    why.substr(0, why.find('\n')).c_str());
      }
    } else if (skipping_) {
      words.ignore(1 << 20);
      words.clear();
    } else if (verb == "buffer") {
      std::size_t bytes = 0;
      words >> name >> bytes >> file;
      Buffer& made = buffers_[name];
      if (made.address != 0) check(cuda.release(made.address), place() + "cuMemFree");
      made.bytes = bytes;
      check(cuda.allocate(&made.address, bytes), place() + "cuMemAlloc");
      if (file == "zero") {
        check(cuda.clear(made.address, 0, bytes), place() + "cuMemset");
      } else if (file == "index" || file == "hash" || file == "unit") {
        std::vector<std::uint32_t> data(bytes / 4);
        for (std::uint32_t i = 0; i < data.size(); ++i) data[i] = content(file, i);
        check(cuda.to_device(made.address, data.data(), bytes), place() + "cuMemcpyHtoD");
      } else {
        const auto data = read_file(folder_ + file);
        if (data.size() != bytes) fail(place() + file + " has " + std::to_string(data.size()) + " bytes");
        check(cuda.to_device(made.address, data.data(), bytes), place() + "cuMemcpyHtoD");
      }
    } else if (verb == "launch") {
      launch(words, "", 1);
    } else if (verb == "time") {
      unsigned queued = 1;
      words >> label >> queued;
      launch(words, label, queued);
    } else if (verb == "ring") {
      std::size_t bytes = 0, stride = 0;
      words >> name >> bytes >> stride;
      ring(buffer(name), bytes, stride);
    } else if (verb == "show") {
      std::size_t count = 0;
      words >> name >> count >> label;
      const auto data = contents(buffer(name), count * 4);
      std::printf("%s", label.c_str());
      for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t word = 0;
        for (std::size_t b = 0; b < 4; ++b)
          word |= std::uint32_t{static_cast<unsigned char>(data[4 * i + b])} << 8 * b;
        std::printf(" %u", word);
      }
      std::printf("\n");
    } else if (verb == "hash") {
      words >> name >> label;
      std::uint64_t hash = 0xcbf29ce484222325u;
      for (const char c : contents(buffer(name), buffer(name).bytes)) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
      }
      std::printf("%s %016llx\n", label.c_str(), static_cast<unsigned long long>(hash));
    } else if (verb == "save") {
      std::size_t bytes = 0;
      words >> name >> file >> bytes;
      const auto data = contents(buffer(name), bytes);
      std::ofstream out(folder_ + file, std::ios::binary | std::ios::app);
      out.write(data.data(), static_cast<std::streamsize>(data.size()));
      if (!out) fail(place() + "cannot write " + file);
    } else if (verb == "expect") {
      words >> name >> file >> label;
      expect(contents(buffer(name), buffer(name).bytes), read_file(folder_ + file), label);
    } else if (verb == "free") {
      words >> name;
      check(cuda.release(buffer(name).address), place() + "cuMemFree");
      buffers_.erase(name);
    } else {
      fail(place() + "no such command: " + verb);
    }
  }

  static std::uint32_t content(const std::string& kind, std::uint32_t i) {
    if (kind == "index") return i;
    std::uint32_t x = i * 2654435761u;
    x = (x ^ x >> 15) * 0x85ebca6bu;
    x ^= x >> 13;
    if (kind == "hash") return x;
    const float unit = static_cast<float>(x >> 8) * 0x1p-24f;
    std::memcpy(&x, &unit, 4);
    return x;
  }

  static void expect(const std::vector<char>& actual, const std::vector<char>& expected,
                     const std::string& label) {
    std::size_t different = actual.size() != expected.size(), first = 0;
    for (std::size_t i = 0; i < actual.size() && i < expected.size(); ++i) {
      if (actual[i] != expected[i] && different++ == 0) first = i;
    }
    if (different == 0) {
      std::printf("%s equal\n", label.c_str());
    } else {
      std::uint64_t here = 0, there = 0;
      const std::size_t at = first / 8 * 8;
      for (std::size_t i = at; i < at + 8 && i < actual.size() && i < expected.size(); ++i) {
        here |= std::uint64_t{static_cast<unsigned char>(actual[i])} << 8 * (i - at);
        there |= std::uint64_t{static_cast<unsigned char>(expected[i])} << 8 * (i - at);
      }
      std::printf("%s differs: %zu of %zu bytes, first at %zu: device %016llx, expected %016llx\n",
                  label.c_str(), different, actual.size(), first, static_cast<unsigned long long>(here),
                  static_cast<unsigned long long>(there));
    }
  }

  static void ring(const Buffer& to, std::size_t bytes, std::size_t stride) {
    const std::size_t places = bytes / stride;
    std::vector<std::uint32_t> order(places);
    for (std::size_t i = 0; i < places; ++i) order[i] = static_cast<std::uint32_t>(i);
    std::mt19937_64 random(1);
    for (std::size_t i = places; i > 2; --i) std::swap(order[i - 1], order[1 + random() % (i - 1)]);
    std::vector<char> data(bytes);
    for (std::size_t i = 0; i < places; ++i) {
      const std::uint64_t next = order[(i + 1) % places] * std::uint64_t{stride};
      for (std::size_t b = 0; b < 8; ++b) data[order[i] * stride + b] = static_cast<char>(next >> 8 * b);
    }
    check(cuda.to_device(to.address, data.data(), bytes), "ring: cuMemcpyHtoD");
  }

  // `queued` launches; with a label they are timed.
  void launch(std::istringstream& words, const std::string& label, unsigned queued) {
    std::string kernel;
    unsigned grid[3], block[3];
    words >> kernel >> grid[0] >> grid[1] >> grid[2] >> block[0] >> block[1] >> block[2];
    void* function = nullptr;
    check(cuda.function(&function, module_, kernel.c_str()), place() + "no kernel " + kernel);
    int static_shared = 0;
    check(cuda.function_attribute(&static_shared, 1, function), place() + "cuFuncGetAttribute");
    // Dynamic shared memory begins after the driver's own part and the kernel's variables.
    unsigned shared = (static_cast<unsigned>(static_shared) + 15) / 16 * 16;
    const unsigned dynamic_begin = shared;
    std::vector<std::vector<char>> values;
    for (std::string word; words >> word;) {
      std::vector<char> value;
      if (word[0] == '@') {
        const Pointer address = buffer(word.substr(1)).address;
        value.assign(reinterpret_cast<const char*>(&address), reinterpret_cast<const char*>(&address) + 8);
      } else if (word.rfind("x:", 0) == 0) {
        for (std::size_t i = 2; i + 1 < word.size(); i += 2) {
          value.push_back(static_cast<char>(std::stoi(word.substr(i, 2), nullptr, 16)));
        }
      } else if (word.rfind("local:", 0) == 0) {
        const Pointer address = shared + static_cast<unsigned>(reserved_shared_);
        shared += (static_cast<unsigned>(std::stoul(word.substr(6))) + 15) / 16 * 16;
        value.assign(reinterpret_cast<const char*>(&address), reinterpret_cast<const char*>(&address) + 8);
      } else {
        fail(place() + "no such argument: " + word);
      }
      value.resize(value.size() + 8);
      values.push_back(value);
    }
    words.clear();
    std::vector<void*> pointers;
    for (auto& value : values) pointers.push_back(value.data());
    if (shared > 48 * 1024)
      cuda.set_function_attribute(function, 8, static_cast<int>(shared - dynamic_begin));
    void* stream = nullptr;
    if (graphs) check(cuda.make_stream(&stream, 1), "cuStreamCreate");
    const auto once = [&] {
      check(cuda.launch(function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                        shared - dynamic_begin, stream, pointers.data(), nullptr),
            place() + "launch of " + kernel);
    };
    once();
    check(cuda.synchronise(), place() + kernel);
    if (label.empty()) return;
    void *begin = nullptr, *end = nullptr;
    check(cuda.make_event(&begin, 0), "cuEventCreate");
    check(cuda.make_event(&end, 0), "cuEventCreate");
    // Nanoseconds of what is put into the stream.
    const auto measured = [&](const auto& work) {
      check(cuda.record(begin, stream), "cuEventRecord");
      work();
      check(cuda.record(end, stream), "cuEventRecord");
      check(cuda.await(end), place() + kernel);
      float milliseconds = 0;
      check(cuda.elapsed(&milliseconds, begin, end), "cuEventElapsedTime");
      return static_cast<double>(milliseconds) * 1e6;
    };
    const auto graph_of = [&](unsigned launches) {
      void *graph = nullptr, *ready = nullptr;
      check(cuda.begin_capture(stream, 2), "cuStreamBeginCapture");
      for (unsigned i = 0; i < launches; ++i) once();
      check(cuda.end_capture(stream, &graph), "cuStreamEndCapture");
      check(cuda.instantiate(&ready, graph, 0), "cuGraphInstantiate");
      check(cuda.launch_graph(ready, stream), place() + kernel);
      check(cuda.synchronise(), place() + kernel);
      return ready;
    };
    void *few = graphs ? graph_of(queued) : nullptr, *many = graphs ? graph_of(2 * queued) : nullptr;
    std::printf("%s ns", label.c_str());
    for (int run = 0; run < 5; ++run) {
      double took = 0;
      const bool profiled = ranges && run == 2;
      if (profiled) check(cuda.begin_range(), "cuProfilerStart");
      if (graphs) {
        took = measured([&] { check(cuda.launch_graph(many, stream), "cuGraphLaunch"); }) -
               measured([&] { check(cuda.launch_graph(few, stream), "cuGraphLaunch"); });
      } else {
        took = measured([&] {
          for (unsigned i = 0; i < queued; ++i) once();
        });
      }
      if (profiled) check(cuda.end_range(), "cuProfilerStop");
      std::printf(" %.0f", took / queued);
    }
    std::printf("\n");
  }

  std::string path_, folder_;
  int reserved_shared_;
  int line_ = 0;
  void* module_ = nullptr;
  bool skipping_ = false;
  std::map<std::string, Buffer> buffers_;
};

}  // namespace

int main(int count, char** words) {
  for (; count > 1 && std::string(words[1]).rfind("--", 0) == 0; ++words, --count) {
    const std::string option = words[1];
    if (option == "--graphs") {
      graphs = true;
    } else if (option == "--ranges") {
      ranges = true;
    } else {
      fail("no such option: " + option);
    }
  }
  if (count < 2) fail("usage: runner [--graphs] [--ranges] JOB...");
  open_driver();
  Device device = 0;
  check(cuda.device(&device, 0), "cuDeviceGet");
  char name[256] = {};
  check(cuda.name(name, sizeof name, device), "cuDeviceGetName");
  int major = 0, minor = 0, reserved = 0;
  check(cuda.attribute(&major, 75, device), "compute capability");
  check(cuda.attribute(&minor, 76, device), "compute capability");
  cuda.attribute(&reserved, 111, device);  // shared memory that the driver keeps; older drivers know none
  void* context = nullptr;
  check(cuda.context(&context, 0, device), "cuCtxCreate");
  std::printf("# %s sm_%d%d\n", name, major, minor);
  for (int i = 1; i < count; ++i) {
    Job(words[i], reserved).run();
    std::fflush(stdout);
  }
  return 0;
}
