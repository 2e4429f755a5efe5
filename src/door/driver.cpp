// liblockstep_opencl.so, which ICD loaders open in every OpenCL program of a system: nothing but this file.
// What does the work is another library, loaded when a program asks for the platform and the host's processor
// can run it.
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "door/host.h"

namespace {

using Platforms = cl_int (*)(cl_uint, cl_platform_id*, cl_uint*);
using Function = void* (*)(const char*);

Platforms platforms = nullptr;
Function function = nullptr;
pthread_once_t opened = PTHREAD_ONCE_INIT;

// The path of a library beside this one, links resolved. False when it cannot be told.
bool find_beside(const char* name, char (&path)[PATH_MAX]) {
  Dl_info self;
  if (dladdr(reinterpret_cast<void*>(&find_beside), &self) == 0 || self.dli_fname == nullptr ||
      realpath(self.dli_fname, path) == nullptr)
    return false;
  char* const slash = strrchr(path, '/');
  if (slash == nullptr || static_cast<size_t>(slash + 1 - path) + strlen(name) >= sizeof path) return false;
  strcpy(slash + 1, name);
  return true;
}

void open_driver() {
  if (!lockstep_host_is_able()) {
    fprintf(stderr,
            "lockstep: this build is for processors of %s (AVX2, BMI2, FMA), which this host's is not; no "
            "device is shown\n",
            lockstep_host_level());
    return;
  }
  char path[PATH_MAX];
  // It stays for the process's life: threads run in it, and exit handlers point into it.
  void* const driver = find_beside("liblockstep_driver.so", path)
                           ? dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)
                           : nullptr;
  if (driver == nullptr) {
    const char* const why = dlerror();
    fprintf(stderr, "lockstep: %s; no device is shown\n",
            why != nullptr ? why : "liblockstep_driver.so is not beside liblockstep_opencl.so");
    return;
  }
  function = reinterpret_cast<Function>(dlsym(driver, "lockstep_driver_function"));
  platforms = reinterpret_cast<Platforms>(dlsym(driver, "lockstep_driver_platforms"));
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] cl_int clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* found,
                                                             cl_uint* num_platforms);
[[gnu::visibility("default")]] void* clGetExtensionFunctionAddress(const char* name);

cl_int clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id* found, cl_uint* num_platforms) {
  pthread_once(&opened, open_driver);
  if (platforms != nullptr) return platforms(num_entries, found, num_platforms);
  if (num_platforms != nullptr) *num_platforms = 0;
  return CL_PLATFORM_NOT_FOUND_KHR;
}

void* clGetExtensionFunctionAddress(const char* name) {
  if (name != nullptr && strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
    return reinterpret_cast<void*>(clIcdGetPlatformIDsKHR);
  pthread_once(&opened, open_driver);
  return function != nullptr ? function(name) : nullptr;
}
}
