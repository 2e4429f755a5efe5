// What a program's host part calls of the HIP or CUDA runtime, as declarations only: so that a file with device and host
// code is read to its end. Only the device code is compiled; nothing here is ever called.
// Included once for each of the two: LOCKSTEP_API(name) gives the names (hipMalloc, cudaMalloc), LOCKSTEP_HIP_API is defined
// for HIP.
#include <stddef.h>

enum LOCKSTEP_API(Error_t) {
  LOCKSTEP_API(Success) = 0,
  LOCKSTEP_API(ErrorInvalidValue) = 1,
#if defined(LOCKSTEP_HIP_API)
  hipErrorOutOfMemory = 2,
  hipErrorMemoryAllocation = 2,
#else
  cudaErrorMemoryAllocation = 2,
#endif
  LOCKSTEP_API(ErrorInvalidConfiguration) = 9,
  LOCKSTEP_API(ErrorInvalidSymbol) = 13,
  LOCKSTEP_API(ErrorNoDevice) = 100,
  LOCKSTEP_API(ErrorInvalidDevice) = 101,
  LOCKSTEP_API(ErrorNotReady) = 600,
  LOCKSTEP_API(ErrorLaunchFailure) = 719,
  LOCKSTEP_API(ErrorNotSupported) = 801,
  LOCKSTEP_API(ErrorUnknown) = 999
};
enum LOCKSTEP_API(MemcpyKind) {
  LOCKSTEP_API(MemcpyHostToHost) = 0,
  LOCKSTEP_API(MemcpyHostToDevice) = 1,
  LOCKSTEP_API(MemcpyDeviceToHost) = 2,
  LOCKSTEP_API(MemcpyDeviceToDevice) = 3,
  LOCKSTEP_API(MemcpyDefault) = 4
};
enum LOCKSTEP_API(FuncCache_t) {
  LOCKSTEP_API(FuncCachePreferNone) = 0,
  LOCKSTEP_API(FuncCachePreferShared) = 1,
  LOCKSTEP_API(FuncCachePreferL1) = 2,
  LOCKSTEP_API(FuncCachePreferEqual) = 3
};
enum LOCKSTEP_API(FuncAttribute) {
  LOCKSTEP_API(FuncAttributeMaxDynamicSharedMemorySize) = 8,
  LOCKSTEP_API(FuncAttributePreferredSharedMemoryCarveout) = 9
};
enum LOCKSTEP_API(DeviceAttribute_t) : int {};

struct LOCKSTEP_DEVICE_PROPERTIES {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, memPitch, sharedMemPerMultiprocessor, sharedMemPerBlockOptin;
  int regsPerBlock, regsPerMultiprocessor, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  int clockRate, memoryClockRate, memoryBusWidth, major, minor, multiProcessorCount, l2CacheSize;
  int maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor, computeMode, concurrentKernels, ECCEnabled, integrated;
  int canMapHostMemory, unifiedAddressing, managedMemory, cooperativeLaunch, asyncEngineCount, isMultiGpuBoard;
  int pciBusID, pciDeviceID, pciDomainID;
  char gcnArchName[256];
};

typedef struct lockstep_stream* LOCKSTEP_API(Stream_t);
typedef struct lockstep_event* LOCKSTEP_API(Event_t);

extern "C" {
LOCKSTEP_API(Error_t) LOCKSTEP_API(GetLastError)(void);
LOCKSTEP_API(Error_t) LOCKSTEP_API(PeekAtLastError)(void);
const char* LOCKSTEP_API(GetErrorString)(LOCKSTEP_API(Error_t) error);
const char* LOCKSTEP_API(GetErrorName)(LOCKSTEP_API(Error_t) error);
LOCKSTEP_API(Error_t) LOCKSTEP_API(GetDeviceCount)(int* count);
LOCKSTEP_API(Error_t) LOCKSTEP_API(GetDevice)(int* device);
LOCKSTEP_API(Error_t) LOCKSTEP_API(SetDevice)(int device);
LOCKSTEP_API(Error_t) LOCKSTEP_API(SetDeviceFlags)(unsigned int flags);
LOCKSTEP_API(Error_t) LOCKSTEP_API(GetDeviceProperties)(struct LOCKSTEP_DEVICE_PROPERTIES* properties, int device);
LOCKSTEP_API(Error_t) LOCKSTEP_API(DeviceGetAttribute)(int* value, LOCKSTEP_API(DeviceAttribute_t) what, int device);
LOCKSTEP_API(Error_t) LOCKSTEP_API(DeviceSynchronize)(void);
LOCKSTEP_API(Error_t) LOCKSTEP_API(DeviceReset)(void);
LOCKSTEP_API(Error_t) LOCKSTEP_API(DeviceSetCacheConfig)(LOCKSTEP_API(FuncCache_t) config);
LOCKSTEP_API(Error_t) LOCKSTEP_API(DriverGetVersion)(int* version);
LOCKSTEP_API(Error_t) LOCKSTEP_API(RuntimeGetVersion)(int* version);
LOCKSTEP_API(Error_t) LOCKSTEP_API(MemGetInfo)(size_t* free, size_t* total);
LOCKSTEP_API(Error_t) LOCKSTEP_API(Malloc)(void** pointer, size_t bytes);
LOCKSTEP_API(Error_t) LOCKSTEP_API(MallocPitch)(void** pointer, size_t* pitch, size_t width, size_t height);
LOCKSTEP_API(Error_t) LOCKSTEP_API(Free)(void* pointer);
LOCKSTEP_API(Error_t) LOCKSTEP_API(HostRegister)(void* pointer, size_t bytes, unsigned int flags);
LOCKSTEP_API(Error_t) LOCKSTEP_API(HostUnregister)(void* pointer);
LOCKSTEP_API(Error_t) LOCKSTEP_API(HostGetDevicePointer)(void** device, void* host, unsigned int flags);
LOCKSTEP_API(Error_t)
LOCKSTEP_API(Memcpy)(void* to, const void* from, size_t bytes, LOCKSTEP_API(MemcpyKind) kind);
LOCKSTEP_API(Error_t)
LOCKSTEP_API(MemcpyAsync)(void* to, const void* from, size_t bytes, LOCKSTEP_API(MemcpyKind) kind,
                          LOCKSTEP_API(Stream_t) stream = 0);
LOCKSTEP_API(Error_t)
LOCKSTEP_API(Memcpy2D)(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                       LOCKSTEP_API(MemcpyKind) kind);
LOCKSTEP_API(Error_t) LOCKSTEP_API(Memset)(void* pointer, int value, size_t bytes);
LOCKSTEP_API(Error_t)
LOCKSTEP_API(MemsetAsync)(void* pointer, int value, size_t bytes, LOCKSTEP_API(Stream_t) stream = 0);
LOCKSTEP_API(Error_t) LOCKSTEP_API(StreamCreate)(LOCKSTEP_API(Stream_t)* stream);
LOCKSTEP_API(Error_t) LOCKSTEP_API(StreamCreateWithFlags)(LOCKSTEP_API(Stream_t)* stream, unsigned int flags);
LOCKSTEP_API(Error_t) LOCKSTEP_API(StreamDestroy)(LOCKSTEP_API(Stream_t) stream);
LOCKSTEP_API(Error_t) LOCKSTEP_API(StreamSynchronize)(LOCKSTEP_API(Stream_t) stream);
LOCKSTEP_API(Error_t) LOCKSTEP_API(StreamQuery)(LOCKSTEP_API(Stream_t) stream);
LOCKSTEP_API(Error_t)
LOCKSTEP_API(StreamWaitEvent)(LOCKSTEP_API(Stream_t) stream, LOCKSTEP_API(Event_t) event, unsigned int flags = 0);
LOCKSTEP_API(Error_t) LOCKSTEP_API(EventCreate)(LOCKSTEP_API(Event_t)* event);
LOCKSTEP_API(Error_t) LOCKSTEP_API(EventCreateWithFlags)(LOCKSTEP_API(Event_t)* event, unsigned int flags);
LOCKSTEP_API(Error_t) LOCKSTEP_API(EventRecord)(LOCKSTEP_API(Event_t) event, LOCKSTEP_API(Stream_t) stream = 0);
LOCKSTEP_API(Error_t) LOCKSTEP_API(EventSynchronize)(LOCKSTEP_API(Event_t) event);
LOCKSTEP_API(Error_t) LOCKSTEP_API(EventQuery)(LOCKSTEP_API(Event_t) event);
LOCKSTEP_API(Error_t)
LOCKSTEP_API(EventElapsedTime)(float* milliseconds, LOCKSTEP_API(Event_t) begin, LOCKSTEP_API(Event_t) end);
LOCKSTEP_API(Error_t) LOCKSTEP_API(EventDestroy)(LOCKSTEP_API(Event_t) event);
LOCKSTEP_API(Error_t) LOCKSTEP_API(ProfilerStart)(void);
LOCKSTEP_API(Error_t) LOCKSTEP_API(ProfilerStop)(void);
LOCKSTEP_API(Error_t)
LOCKSTEP_API(LaunchKernel)(const void* kernel, dim3 groups, dim3 items, void** arguments, size_t local_bytes = 0,
                           LOCKSTEP_API(Stream_t) stream = 0);
LOCKSTEP_API(Error_t)
LOCKSTEP_API(LaunchCooperativeKernel)(const void* kernel, dim3 groups, dim3 items, void** arguments,
                                      unsigned int local_bytes = 0, LOCKSTEP_API(Stream_t) stream = 0);
#if defined(LOCKSTEP_HIP_API)
hipError_t hipHostMalloc(void** pointer, size_t bytes, unsigned int flags = 0);
hipError_t hipHostFree(void* pointer);
hipError_t hipMallocManaged(void** pointer, size_t bytes, unsigned int flags = 1);
hipError_t hipMallocHost(void** pointer, size_t bytes);
hipError_t hipFreeHost(void* pointer);
hipError_t hipMemcpyHtoD(void* to, void* from, size_t bytes);
hipError_t hipMemcpyDtoH(void* to, void* from, size_t bytes);
hipError_t hipInit(unsigned int flags);
#else
cudaError_t cudaMallocHost(void** pointer, size_t bytes, unsigned int flags = 0);
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags = 1);
cudaError_t cudaThreadSynchronize(void);
#endif
}

// The runtimes' C++ forms, which take pointers and kernels of any type.
template <class T>
LOCKSTEP_API(Error_t) LOCKSTEP_API(Malloc)(T** pointer, size_t bytes);
template <class T>
LOCKSTEP_API(Error_t) LOCKSTEP_API(MallocPitch)(T** pointer, size_t* pitch, size_t width, size_t height);
template <class T>
LOCKSTEP_API(Error_t) LOCKSTEP_API(MallocManaged)(T** pointer, size_t bytes, unsigned int flags = 1);
template <class T>
LOCKSTEP_API(Error_t) LOCKSTEP_API(MallocHost)(T** pointer, size_t bytes, unsigned int flags = 0);
#if defined(LOCKSTEP_HIP_API)
template <class T>
hipError_t hipHostMalloc(T** pointer, size_t bytes, unsigned int flags = 0);
#define HIP_SYMBOL(symbol) symbol
#else
template <class T>
cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags);
#endif
template <class T>
LOCKSTEP_API(Error_t)
LOCKSTEP_API(MemcpyToSymbol)(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                             LOCKSTEP_API(MemcpyKind) kind = LOCKSTEP_API(MemcpyHostToDevice));
template <class T>
LOCKSTEP_API(Error_t)
LOCKSTEP_API(MemcpyFromSymbol)(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                               LOCKSTEP_API(MemcpyKind) kind = LOCKSTEP_API(MemcpyDeviceToHost));
template <class T>
LOCKSTEP_API(Error_t) LOCKSTEP_API(GetSymbolAddress)(void** pointer, const T& symbol);
template <class T>
LOCKSTEP_API(Error_t) LOCKSTEP_API(GetSymbolSize)(size_t* bytes, const T& symbol);
template <class F>
LOCKSTEP_API(Error_t) LOCKSTEP_API(FuncSetAttribute)(F kernel, LOCKSTEP_API(FuncAttribute) what, int value);
template <class F>
LOCKSTEP_API(Error_t) LOCKSTEP_API(FuncSetCacheConfig)(F kernel, LOCKSTEP_API(FuncCache_t) config);
template <class F>
LOCKSTEP_API(Error_t)
LOCKSTEP_API(OccupancyMaxActiveBlocksPerMultiprocessor)(int* groups, F kernel, int items, size_t local_bytes);
template <class F>
LOCKSTEP_API(Error_t)
LOCKSTEP_API(OccupancyMaxPotentialBlockSize)(int* groups, int* items, F kernel, size_t local_bytes = 0, int limit = 0);
template <class F>
LOCKSTEP_API(Error_t)
LOCKSTEP_API(LaunchKernel)(F* kernel, dim3 groups, dim3 items, void** arguments, size_t local_bytes = 0,
                           LOCKSTEP_API(Stream_t) stream = 0);

#if defined(LOCKSTEP_HIP_API)
enum { hipHostMallocDefault = 0, hipHostMallocPortable = 1, hipHostMallocMapped = 2, hipMemAttachGlobal = 1 };
enum { hipStreamDefault = 0, hipStreamNonBlocking = 1, hipEventDefault = 0, hipEventDisableTiming = 2 };
typedef void* hipDeviceptr_t;
typedef int hipDevice_t;
#define hipLaunchKernelGGL(kernel, groups, items, local_bytes, stream, ...) \
  kernel<<<(groups), (items), (local_bytes), (stream)>>>(__VA_ARGS__)
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#else
enum { cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2, cudaMemAttachGlobal = 1 };
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1, cudaEventDefault = 0, cudaEventDisableTiming = 2 };
typedef cudaError_t cudaError;
typedef LOCKSTEP_API(FuncCache_t) cudaFuncCache;
#endif
