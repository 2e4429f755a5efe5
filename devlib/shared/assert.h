// The C library's assert; on AMD's GPUs it prints what failed before it calls __assert_fail, since the text has to be a constant where
// it is printed. Like the C library's, it counts anew (NDEBUG) each time that it is included.
#include_next <assert.h>

#if defined(__HIP__) && !defined(NDEBUG)
#include <stdio.h>
#undef assert
#define assert(...)                                                                                                          \
  ((__VA_ARGS__) ? (void)0                                                                                                   \
                 : ((void)printf("%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s' failed.\n", __FILE__,     \
                                 (unsigned int)__LINE__, __PRETTY_FUNCTION__, lockstep_place(0), lockstep_place(1),                    \
                                 lockstep_place(2), lockstep_place(3), lockstep_place(4), lockstep_place(5), #__VA_ARGS__),  \
                    __assert_fail(#__VA_ARGS__, __FILE__, __LINE__, __PRETTY_FUNCTION__)))
#endif
