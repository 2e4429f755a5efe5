// How much shared memory each kernel of a module takes, and that what it reaches lies there. The sizes are
// those of NVIDIA's assembler for this text (ptxas -v, sm_75: a 33200, b 2112, c none).
#include "functional_launch.h"
#include "run/simulation.h"

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

// Two kernels whose shared memory fits a group each, and not together.
TEST(PtxShared, KernelsAreNotChargedForEachOther) {
  const Expected<Machine> machine = load_machine(machine_directory(), "gtx1080");
  ASSERT_TRUE(machine.ok()) << to_string(machine.error());
  FunctionalLaunch launch(request_of(R"(.version 8.0
.target sm_61
.address_size 64
.shared .align 4 .b8 of_a[30720];
.shared .align 4 .b8 of_b[30720];
.visible .entry a(.param .u64 out)
{
  .reg .u64 %d;
  .reg .u32 %r;
  ld.param.u64 %d, [out];
  st.shared.u32 [of_a+30716], 7;
  ld.shared.u32 %r, [of_a+30716];
  st.global.u32 [%d], %r;
  mov.u32 %r, %total_smem_size;
  st.global.u32 [%d+4], %r;
  ret;
}
.visible .entry b(.param .u64 out)
{
  .reg .u64 %d;
  .reg .u32 %r;
  ld.param.u64 %d, [out];
  st.shared.u32 [of_b+30716], 9;
  ld.shared.u32 %r, [of_b+30716];
  st.global.u32 [%d], %r;
  mov.u32 %r, %total_smem_size;
  st.global.u32 [%d+4], %r;
  ret;
}
)"));
  ASSERT_TRUE(launch.loaded());
  for (const auto& [kernel, stored] : {std::pair("a", 7u), std::pair("b", 9u)}) {
    SCOPED_TRACE(kernel);
    EXPECT_EQ(bytes_of(launch, kernel), 30720u);
    DeviceMemory memory;
    const u64 out = *memory.allocate(256, 256, "out");
    ArgumentValue value;
    value.bytes.resize(8);
    std::memcpy(value.bytes.data(), &out, 8);
    NdRange range;
    range.global = {64, 1, 1};
    range.local = {32, 1, 1};
    SimulationOptions options;
    options.timed = false;
    // Refused where a group wants more than the 48 KiB that it can have.
    const Expected<RunData> run =
        execute(memory, *machine, launch.module(), **find_kernel(launch.module(), kernel), range,
                std::span(&value, 1), options);
    ASSERT_TRUE(run.ok()) << to_string(run.error());
    ASSERT_FALSE(run->failed) << to_string(*run->failed);
    EXPECT_EQ(run->local_bytes, 30720u);
    EXPECT_EQ(run->occupancy.local_bytes_allocated, 30720u);
    // Of 96 KiB.
    EXPECT_EQ(run->occupancy.groups_per_cu, 3u);
    EXPECT_EQ(run->occupancy.limiter, "local memory");
    std::array<u32, 2> got{};
    ASSERT_TRUE(memory.read(out, {reinterpret_cast<u8*>(got.data()), sizeof(got)}).ok());
    EXPECT_EQ(got, (std::array<u32, 2>{stored, 30720}));
  }
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
