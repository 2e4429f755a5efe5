// Eight kernels on whatever OpenCL driver the loader shows first: what one launch of each costs in wall and
// in processor time, after one that does not count, with the result compared to the host's own computation.
// bench/versus_peers.py runs it on Oclgrind, PoCL and Lockstep.
//
//   versus_peers [--seconds S] [KERNEL...]   repeats each for about S seconds (0: once); prints JSON lines
#include <CL/cl.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

constexpr const char* source = R"CL(
__kernel void vector_add(__global const float* a, __global const float* b, __global float* c) {
  size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}

__kernel void sgemm_naive(__global const float* a, __global const float* b, __global float* c, uint n) {
  uint x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (uint k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

#define TILE 16
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void sgemm_tiled(__global const float* a, __global const float* b, __global float* c, uint n) {
  __local float left[TILE][TILE], right[TILE][TILE];
  uint x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  float sum = 0.0f;
  for (uint t = 0; t < n; t += TILE) {
    left[ly][lx] = a[y * n + t + lx];
    right[ly][lx] = b[(t + ly) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < TILE; ++k) sum += left[ly][k] * right[k][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void transpose(__global const float* in, __global float* out, uint n) {
  __local float tile[TILE][TILE + 1];
  uint lx = get_local_id(0), ly = get_local_id(1), gx = get_group_id(0) * TILE, gy = get_group_id(1) * TILE;
  tile[ly][lx] = in[(gy + ly) * n + gx + lx];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(gx + ly) * n + gy + lx] = tile[lx][ly];
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void reduction(__global const uint* in, __global uint* out) {
  __local uint part[256];
  uint l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  for (uint step = 128; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) part[l] += part[l + step];
  }
  if (l == 0) out[get_group_id(0)] = part[0];
}

__kernel void mandelbrot(__global uint* out, uint n, uint limit) {
  uint px = get_global_id(0), py = get_global_id(1);
  float cx = -2.0f + 3.0f * px / n, cy = -1.5f + 3.0f * py / n, x = 0.0f, y = 0.0f;
  uint i = 0;
  while (i < limit && x * x + y * y < 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++i;
  }
  out[py * n + px] = i;
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void histogram(__global const uchar* in, __global uint* out, uint each) {
  __local uint bins[256];
  uint l = get_local_id(0);
  bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint begin = get_group_id(0) * 256 * each;
  for (uint i = 0; i < each; ++i) atomic_inc(&bins[in[begin + i * 256 + l]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&out[l], bins[l]);
}

__kernel void nbody(__global const float4* bodies, __global float4* out, uint n) {
  uint i = get_global_id(0);
  float4 own = bodies[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (uint j = 0; j < n; ++j) {
    float4 other = bodies[j];
    float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
    float inverse = native_rsqrt(dx * dx + dy * dy + dz * dz + 0.01f);
    float force = other.w * inverse * inverse * inverse;
    ax += dx * force;
    ay += dy * force;
    az += dz * force;
  }
  out[i] = (float4)(ax, ay, az, 0.0f);
}
)CL";

[[noreturn]] void fail(const std::string& what, cl_int code) {
  std::fprintf(stderr, "%s: error %d\n", what.c_str(), code);
  std::exit(1);
}

void check(const std::string& what, cl_int code) {
  if (code != CL_SUCCESS) fail(what, code);
}

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Driver {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;
  std::string name;
};

Driver open_driver() {
  Driver driver;
  cl_platform_id platform = nullptr;
  check("clGetPlatformIDs", clGetPlatformIDs(1, &platform, nullptr));
  char name[256] = {};
  check("clGetPlatformInfo", clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr));
  driver.name = name;
  check("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &driver.device, nullptr));
  cl_int code = CL_SUCCESS;
  driver.context = clCreateContext(nullptr, 1, &driver.device, nullptr, nullptr, &code);
  check("clCreateContext", code);
  driver.queue = clCreateCommandQueue(driver.context, driver.device, 0, &code);
  check("clCreateCommandQueue", code);
  const char* text = source;
  driver.program = clCreateProgramWithSource(driver.context, 1, &text, nullptr, &code);
  check("clCreateProgramWithSource", code);
  check("clBuildProgram", clBuildProgram(driver.program, 1, &driver.device, "", nullptr, nullptr));
  return driver;
}

// One kernel: its range, its arguments in order, and what its result must be.
struct Work {
  std::string name;
  std::vector<size_t> global, local;
  std::vector<std::vector<char>> buffers;  // the last one is the result
  std::vector<cl_uint> values;             // behind the buffers
  std::function<bool(const std::vector<char>&)> right;
};

template <class T>
std::vector<char> bytes_of(const std::vector<T>& values) {
  std::vector<char> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
std::vector<T> values_of(const std::vector<char>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::vector<float> random_floats(size_t count, unsigned seed) {
  std::vector<float> values(count);
  unsigned state = seed;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) * 0x1p-24f - 0.5f;
  }
  return values;
}

bool near(double got, double expected, double tolerance) {
  return std::fabs(got - expected) <= tolerance * std::max(1.0, std::fabs(expected));
}

Work vector_add() {
  constexpr size_t n = 1 << 20;
  const auto a = random_floats(n, 1), b = random_floats(n, 2);
  return {"vector_add",
          {n},
          {256},
          {bytes_of(a), bytes_of(b), std::vector<char>(n * 4)},
          {},
          [a, b](const std::vector<char>& result) {
            const auto c = values_of<float>(result);
            for (size_t i = 0; i < c.size(); ++i)
              if (c[i] != a[i] + b[i]) return false;
            return true;
          }};
}

Work sgemm(const char* name) {
  constexpr size_t n = 192;
  const auto a = random_floats(n * n, 3), b = random_floats(n * n, 4);
  return {name,
          {n, n},
          {16, 16},
          {bytes_of(a), bytes_of(b), std::vector<char>(n * n * 4)},
          {n},
          [a, b](const std::vector<char>& result) {
            const auto c = values_of<float>(result);
            for (size_t y = 0; y < n; ++y) {
              for (size_t x = 0; x < n; ++x) {
                double sum = 0;
                for (size_t k = 0; k < n; ++k) sum += double{a[y * n + k]} * b[k * n + x];
                if (!near(c[y * n + x], sum, 1e-4)) return false;
              }
            }
            return true;
          }};
}

Work transpose() {
  constexpr size_t n = 1024;
  const auto in = random_floats(n * n, 5);
  return {"transpose",
          {n, n},
          {16, 16},
          {bytes_of(in), std::vector<char>(n * n * 4)},
          {n},
          [in](const std::vector<char>& result) {
            const auto out = values_of<float>(result);
            for (size_t y = 0; y < n; ++y)
              for (size_t x = 0; x < n; ++x)
                if (out[x * n + y] != in[y * n + x]) return false;
            return true;
          }};
}

Work reduction() {
  constexpr size_t n = 1 << 20;
  std::vector<cl_uint> in(n);
  for (size_t i = 0; i < n; ++i) in[i] = static_cast<cl_uint>(i * 2654435761u);
  return {"reduction",
          {n},
          {256},
          {bytes_of(in), std::vector<char>(n / 256 * 4)},
          {},
          [in](const std::vector<char>& result) {
            const auto out = values_of<cl_uint>(result);
            for (size_t g = 0; g < out.size(); ++g) {
              cl_uint sum = 0;
              for (size_t i = 0; i < 256; ++i) sum += in[g * 256 + i];
              if (out[g] != sum) return false;
            }
            return true;
          }};
}

Work mandelbrot() {
  constexpr cl_uint n = 256, limit = 256;
  return {"mandelbrot",
          {n, n},
          {16, 16},
          {std::vector<char>(n * n * 4)},
          {n, limit},
          [](const std::vector<char>& result) {
            // Points near the set's edge differ with a contracted multiplication: a few may.
            const auto out = values_of<cl_uint>(result);
            size_t other = 0;
            for (cl_uint py = 0; py < n; ++py) {
              for (cl_uint px = 0; px < n; ++px) {
                const float cx = -2.0f + 3.0f * static_cast<float>(px) / static_cast<float>(n);
                const float cy = -1.5f + 3.0f * static_cast<float>(py) / static_cast<float>(n);
                float x = 0, y = 0;
                cl_uint i = 0;
                while (i < limit && x * x + y * y < 4.0f) {
                  const float t = x * x - y * y + cx;
                  y = 2.0f * x * y + cy;
                  x = t;
                  ++i;
                }
                other += out[py * n + px] != i;
              }
            }
            return other < n * n / 50;
          }};
}

Work histogram() {
  constexpr cl_uint n = 1 << 20, each = 16;
  std::vector<unsigned char> in(n);
  unsigned state = 7;
  for (unsigned char& value : in) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<unsigned char>(state >> 24);
  }
  return {"histogram",
          {n / each},
          {256},
          {bytes_of(in), std::vector<char>(256 * 4)},
          {each},
          [in](const std::vector<char>& result) {
            std::vector<cl_uint> bins(256);
            for (const unsigned char value : in) ++bins[value];
            return values_of<cl_uint>(result) == bins;
          }};
}

Work nbody() {
  constexpr cl_uint n = 2048;
  const auto bodies = random_floats(n * 4, 8);
  return {"nbody",
          {n},
          {64},
          {bytes_of(bodies), std::vector<char>(n * 16)},
          {n},
          [bodies](const std::vector<char>& result) {
            const auto out = values_of<float>(result);
            for (size_t i = 0; i < n; i += 37) {
              double sums[3] = {}, most = 0;
              for (size_t j = 0; j < n; ++j) {
                double square = 0.01, difference[3];
                for (int k = 0; k < 3; ++k) {
                  difference[k] = double{bodies[j * 4 + k]} - bodies[i * 4 + k];
                  square += difference[k] * difference[k];
                }
                const double force = bodies[j * 4 + 3] / (square * std::sqrt(square));
                for (int k = 0; k < 3; ++k) sums[k] += difference[k] * force;
                most += std::fabs(force);
              }
              for (int k = 0; k < 3; ++k)
                if (std::fabs(out[i * 4 + k] - sums[k]) > 1e-4 * most) return false;
            }
            return true;
          }};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void measure(const Driver& driver, const Work& work, double seconds) {
  cl_int code = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel(driver.program, work.name.c_str(), &code);
  check(work.name, code);
  cl_uint index = 0;
  std::vector<cl_mem> memories;
  for (const auto& bytes : work.buffers) {
    cl_mem memory = clCreateBuffer(driver.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes.size(),
                                   const_cast<char*>(bytes.data()), &code);
    check(work.name + ": clCreateBuffer", code);
    check(work.name + ": clSetKernelArg", clSetKernelArg(kernel, index++, sizeof memory, &memory));
    memories.push_back(memory);
  }
  for (const cl_uint& value : work.values)
    check(work.name + ": clSetKernelArg", clSetKernelArg(kernel, index++, sizeof value, &value));
  const auto launch = [&] {
    check(work.name,
          clEnqueueNDRangeKernel(driver.queue, kernel, static_cast<cl_uint>(work.global.size()), nullptr,
                                 work.global.data(), work.local.data(), 0, nullptr, nullptr));
    check(work.name + ": clFinish", clFinish(driver.queue));
  };
  // The first launch is for the result, and for what drivers make then.
  const double first = seconds_of(CLOCK_MONOTONIC), first_processor = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  launch();
  std::vector<double> walls{seconds_of(CLOCK_MONOTONIC) - first};
  std::vector<double> processors{seconds_of(CLOCK_PROCESS_CPUTIME_ID) - first_processor};
  std::vector<char> result(work.buffers.back().size());
  check(work.name + ": read", clEnqueueReadBuffer(driver.queue, memories.back(), CL_TRUE, 0, result.size(),
                                                  result.data(), 0, nullptr, nullptr));
  const bool right = work.right(result);
  if (walls[0] < seconds) {
    walls.clear();
    processors.clear();
    const double begun = seconds_of(CLOCK_MONOTONIC);
    do {
      const double wall = seconds_of(CLOCK_MONOTONIC), processor = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
      launch();
      walls.push_back(seconds_of(CLOCK_MONOTONIC) - wall);
      processors.push_back(seconds_of(CLOCK_PROCESS_CPUTIME_ID) - processor);
    } while (seconds_of(CLOCK_MONOTONIC) - begun < seconds);
  }
  std::printf(
      "{\"driver\": \"%s\", \"kernel\": \"%s\", \"wall_s\": %.9f, \"processor_s\": %.9f, \"launches\": %zu, "
      "\"right\": %s}\n",
      driver.name.c_str(), work.name.c_str(), median(walls), median(processors), walls.size(),
      right ? "true" : "false");
  std::fflush(stdout);
  for (cl_mem memory : memories) clReleaseMemObject(memory);
  clReleaseKernel(kernel);
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 1;
  std::vector<std::string> chosen;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
      seconds = std::atof(argv[++i]);
    else
      chosen.emplace_back(argv[i]);
  }
  const Driver driver = open_driver();
  for (const Work& work : {vector_add(), sgemm("sgemm_naive"), sgemm("sgemm_tiled"), transpose(), reduction(),
                           mandelbrot(), histogram(), nbody()}) {
    if (chosen.empty() || std::find(chosen.begin(), chosen.end(), work.name) != chosen.end())
      measure(driver, work, seconds);
  }
}
