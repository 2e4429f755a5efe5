// CUDA's functions on the two or four parts of a word, which HIP has not and whose PTX (vadd4 and the like) is not modelled:
// their use is an error with the user's line. For AMD they are templates, so that a program can bring its own.
#pragma once

#define LOCKSTEP_UNAVAILABLE                                                                                   \
  __attribute__((unavailable("SIMD-in-a-word functions are not modelled, and HIP has none: write it with the " \
                             "bytes, as uchar4, or with shifts and masks")))
#if defined(__HIP__)
#define LOCKSTEP_ONE(name) \
  template <class T>       \
  __device__ LOCKSTEP_UNAVAILABLE unsigned int name(T);
#define LOCKSTEP_TWO(name)    \
  template <class T, class U> \
  __device__ LOCKSTEP_UNAVAILABLE unsigned int name(T, U);
#else
#define LOCKSTEP_ONE(name) static __device__ LOCKSTEP_UNAVAILABLE unsigned int name(unsigned int);
#define LOCKSTEP_TWO(name) static __device__ LOCKSTEP_UNAVAILABLE unsigned int name(unsigned int, unsigned int);
#endif
LOCKSTEP_ONE(__vabs2) LOCKSTEP_ONE(__vabs4) LOCKSTEP_ONE(__vabsss2) LOCKSTEP_ONE(__vabsss4)
LOCKSTEP_ONE(__vneg2) LOCKSTEP_ONE(__vneg4) LOCKSTEP_ONE(__vnegss2) LOCKSTEP_ONE(__vnegss4)
LOCKSTEP_TWO(__vabsdiffs2) LOCKSTEP_TWO(__vabsdiffs4) LOCKSTEP_TWO(__vabsdiffu2) LOCKSTEP_TWO(__vabsdiffu4)
LOCKSTEP_TWO(__vadd2) LOCKSTEP_TWO(__vadd4) LOCKSTEP_TWO(__vaddss2) LOCKSTEP_TWO(__vaddss4)
LOCKSTEP_TWO(__vaddus2) LOCKSTEP_TWO(__vaddus4) LOCKSTEP_TWO(__vavgs2) LOCKSTEP_TWO(__vavgs4)
LOCKSTEP_TWO(__vavgu2) LOCKSTEP_TWO(__vavgu4) LOCKSTEP_TWO(__vcmpeq2) LOCKSTEP_TWO(__vcmpeq4)
LOCKSTEP_TWO(__vcmpges2) LOCKSTEP_TWO(__vcmpges4) LOCKSTEP_TWO(__vcmpgeu2) LOCKSTEP_TWO(__vcmpgeu4)
LOCKSTEP_TWO(__vcmpgts2) LOCKSTEP_TWO(__vcmpgts4) LOCKSTEP_TWO(__vcmpgtu2) LOCKSTEP_TWO(__vcmpgtu4)
LOCKSTEP_TWO(__vcmples2) LOCKSTEP_TWO(__vcmples4) LOCKSTEP_TWO(__vcmpleu2) LOCKSTEP_TWO(__vcmpleu4)
LOCKSTEP_TWO(__vcmplts2) LOCKSTEP_TWO(__vcmplts4) LOCKSTEP_TWO(__vcmpltu2) LOCKSTEP_TWO(__vcmpltu4)
LOCKSTEP_TWO(__vcmpne2) LOCKSTEP_TWO(__vcmpne4) LOCKSTEP_TWO(__vhaddu2) LOCKSTEP_TWO(__vhaddu4)
LOCKSTEP_TWO(__vmaxs2) LOCKSTEP_TWO(__vmaxs4) LOCKSTEP_TWO(__vmaxu2) LOCKSTEP_TWO(__vmaxu4)
LOCKSTEP_TWO(__vmins2) LOCKSTEP_TWO(__vmins4) LOCKSTEP_TWO(__vminu2) LOCKSTEP_TWO(__vminu4)
LOCKSTEP_TWO(__vsads2) LOCKSTEP_TWO(__vsads4) LOCKSTEP_TWO(__vsadu2) LOCKSTEP_TWO(__vsadu4)
LOCKSTEP_TWO(__vseteq2) LOCKSTEP_TWO(__vseteq4) LOCKSTEP_TWO(__vsetges2) LOCKSTEP_TWO(__vsetges4)
LOCKSTEP_TWO(__vsetgeu2) LOCKSTEP_TWO(__vsetgeu4) LOCKSTEP_TWO(__vsetgts2) LOCKSTEP_TWO(__vsetgts4)
LOCKSTEP_TWO(__vsetgtu2) LOCKSTEP_TWO(__vsetgtu4) LOCKSTEP_TWO(__vsetles2) LOCKSTEP_TWO(__vsetles4)
LOCKSTEP_TWO(__vsetleu2) LOCKSTEP_TWO(__vsetleu4) LOCKSTEP_TWO(__vsetlts2) LOCKSTEP_TWO(__vsetlts4)
LOCKSTEP_TWO(__vsetltu2) LOCKSTEP_TWO(__vsetltu4) LOCKSTEP_TWO(__vsetne2) LOCKSTEP_TWO(__vsetne4)
LOCKSTEP_TWO(__vsub2) LOCKSTEP_TWO(__vsub4) LOCKSTEP_TWO(__vsubss2) LOCKSTEP_TWO(__vsubss4)
LOCKSTEP_TWO(__vsubus2) LOCKSTEP_TWO(__vsubus4)
#undef LOCKSTEP_TWO
#undef LOCKSTEP_ONE
#undef LOCKSTEP_UNAVAILABLE
