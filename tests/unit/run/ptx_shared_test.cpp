// How much shared memory each kernel of a module takes, and that what it reaches lies there. The sizes are
// those of NVIDIA's assembler for this text (ptxas -v, sm_75: a 33200, b 2112, c none).
#include "functional_launch.h"

namespace lockstep {
namespace {

constexpr const char* three_kernels = R"(.version 8.0
.target sm_61
.address_size 64
.shared .align 4 .b8 unused[1000];
.shared .align 4 .b8 both[2000];
.shared .align 4 .b8 only_a[30000];
.extern .shared .align 16 .b8 dynamic[];
// Adds what lies in `both` and at the beginning of `dynamic`.
.func sum(.param .u64 p)
{
  .reg .u64 %d;
  .reg .u32 %r, %s;
  .shared .b8 own[100];
  ld.param.u64 %d, [p];
  ld.shared.u32 %r, [both];
  ld.shared.u32 %s, [dynamic];
  add.u32 %r, %r, %s;
  st.global.u32 [%d], %r;
  ret;
}
.visible .entry a(.param .u64 out)
{
  .reg .u64 %d, %e;
  .reg .u32 %r;
  .shared .align 4 .b8 named[400];
  .shared .align 4 .b8 unnamed[700];
  st.shared.u32 [only_a+29996], 16;
  st.shared.u32 [named+396], 8;
  st.shared.u32 [both], 1;
  st.shared.u32 [dynamic], 2;
  ld.param.u64 %d, [out];
  ld.shared.u32 %r, [only_a+29996];
  st.global.u32 [%d+4], %r;
  ld.shared.u32 %r, [named+396];
  st.global.u32 [%d+8], %r;
  { .param .u64 p; st.param.u64 [p], %d; call sum, (p); }
  ret;
}
.visible .entry b(.param .u64 out)
{
  .reg .u64 %d, %e;
  .reg .u32 %s;
  ld.param.u64 %d, [out];
  st.shared.u32 [both], 32;
  mov.u64 %e, dynamic;
  st.shared.u32 [%e], 64;
  mov.u32 %s, dynamic;
  st.global.u32 [%d+4], %s;
  mov.u32 %s, %total_smem_size;
  st.global.u32 [%d+8], %s;
  { .param .u64 p; st.param.u64 [p], %d; call sum, (p); }
  ret;
}
.visible .entry c(.param .u64 out)
{
  ret;
}
)";

CompileRequest request_of(const std::string& text) {
  CompileRequest request;
  request.path = "shared.ptx";
  request.source = text;
  request.language = SourceLanguage::ptx;
  request.target = find_target("sm_61");
  return request;
}

u32 bytes_of(const FunctionalLaunch& launch, const char* kernel) {
  return (*find_kernel(launch.module(), kernel))->needs.local_bytes;
}

TEST(PtxShared, EachKernelTakesWhatItReaches) {
  const FunctionalLaunch launch(request_of(three_kernels));
  ASSERT_TRUE(launch.loaded());
  EXPECT_EQ(bytes_of(launch, "a"), 33200u);
  EXPECT_EQ(bytes_of(launch, "b"), 2112u);
  EXPECT_EQ(bytes_of(launch, "c"), 0u);
}

TEST(PtxShared, DynamicMemoryBeginsBehindTheKernelsOwn) {
  FunctionalLaunch launch(request_of(three_kernels));
  ASSERT_TRUE(launch.loaded());
  const u64 out = launch.buffer(std::vector<u32>(3));
  launch.pass(out);
  ASSERT_TRUE(launch.run("a", 1, 1, 16));
  EXPECT_EQ(launch.read<u32>(out, 3), (std::vector<u32>{3, 16, 8}));
  launch.pass(out);
  ASSERT_TRUE(launch.run("b", 1, 1, 16));
  EXPECT_EQ(launch.read<u32>(out, 3), (std::vector<u32>{96, 2112, 2128}));
}

// A function that is called through a pointer may be any whose address somebody takes.
TEST(PtxShared, PointersToFunctionsReachWhatTheseName) {
  const FunctionalLaunch launch(request_of(R"(.version 8.0
.target sm_61
.address_size 64
.shared .align 4 .b8 far[512];
.func one()
{
  st.shared.u32 [far], 1;
  ret;
}
.global .align 8 .u64 table[1] = {one};
.visible .entry indirect()
{
  .reg .u64 %f;
  ld.global.u64 %f, [table];
  shape: .callprototype _ ();
  call %f, (), shape;
  ret;
}
.visible .entry none()
{
  ret;
}
)"));
  ASSERT_TRUE(launch.loaded());
  EXPECT_EQ(bytes_of(launch, "indirect"), 512u);
  EXPECT_EQ(bytes_of(launch, "none"), 0u);
}

}  // namespace
}  // namespace lockstep
