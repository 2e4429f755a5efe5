#include "base/host_memory.h"

#include <malloc.h>
#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <cstdlib>

namespace lockstep {

#if defined(__GLIBC__)

void keep_freed_memory() {
  constexpr int own_mapping = 32 << 20;  // mallopt(3): M_MMAP_THRESHOLD's largest value
  mallopt(M_MMAP_THRESHOLD, own_mapping);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 4 << 20);
  // The heap's next pieces: nothing is touched here, so that nothing is taken yet.
  constexpr std::size_t piece = own_mapping - (1 << 20);
  constexpr std::uintptr_t large_page = std::uintptr_t{1} << 21;
  std::array<void*, 3> pieces;
  for (void*& one : pieces) {
    one = std::malloc(piece);
    if (one == nullptr) continue;
    const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(one) + large_page - 1) & ~(large_page - 1);
    const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(one) + piece) & ~(large_page - 1);
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  }
  for (void* const one : pieces) std::free(one);
}

#else

void keep_freed_memory() {}

#endif

}  // namespace lockstep
