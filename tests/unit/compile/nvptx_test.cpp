#include "compile/nvptx.h"

#include <gtest/gtest.h>

#include "compile/clang_options.h"
#include "compile/nvptx_constants.h"
#include "compile/nvptx_pairs.h"
#include "compile/nvptx_rotate.h"

namespace lockstep {
namespace {

TEST(SourceNotes, ComeFromMetadataOrFromTheParametersThemselves) {
  const std::string module =
      "define dso_local spir_kernel void @scale(ptr addrspace(1) %0, <4 x i32> noundef %1) #0 "
      "!kernel_arg_type !7 "
      "!kernel_arg_name !6 {\n}\n"
      "define internal float @helper(float %x) {\n}\n"
      "define dso_local void @_Z3sumPKd(ptr nocapture noundef readonly %x, ptr byval({ i32, double }) align "
      "8 %\"a b\", i32 "
      "%0, <2 x float> %v.coerce) {\n}\n"
      "!1 = !{ptr @scale, !\"kernel\", i32 1}\n"
      "!2 = !{ptr @_Z3sumPKd, !\"kernel\", i32 1}\n"
      "!6 = !{!\"x\", !\"by\"}\n"
      "!7 = !{!\"float*\", !\"unsigned int __attribute__((ext_vector_type(4)))\"}\n";
  EXPECT_EQ(source_notes(module),
            "//@lockstep argument scale x float*\n"
            "//@lockstep argument scale by unsigned int __attribute__((ext_vector_type(4)))\n"
            "//@lockstep argument _Z3sumPKd x\n"
            "//@lockstep argument _Z3sumPKd parameter1\n"
            "//@lockstep argument _Z3sumPKd parameter2\n"
            "//@lockstep argument _Z3sumPKd v\n");
}

// Variables in global memory that nothing changes: what kernels can change and constant memory are not among
// them.
TEST(SourceNotes, NameTheTables) {
  EXPECT_EQ(source_notes(
                "@__cudart_i2opi_f = internal unnamed_addr addrspace(1) constant [6 x i32] [i32 1], align 4\n"
                "@table = internal addrspace(4) constant [1 x i32] [i32 7], align 4\n"
                "@counter = dso_local local_unnamed_addr addrspace(1) global i32 5, align 4\n"
                "@words = dso_local addrspace(1) global [12 x i8] c\" a constant \", align 1\n"
                "@f.list.1 = internal constant [2 x i32] zeroinitializer\n"
                "  %x = add i32 1, 2 ; @no = constant \n"),
            "//@lockstep constant __cudart_i2opi_f\n//@lockstep constant f_$_list_$_1\n");
}

// Qualifiers and attributes, as clang writes them for OpenCL C.
TEST(SourceNotes, SayWhatPtxHasNoPlaceFor) {
  const std::string module =
      "define dso_local spir_kernel void @f(ptr addrspace(1) %0, ptr addrspace(1) %1) #0 "
      "!kernel_arg_access_qual !8 !kernel_arg_type !9 !kernel_arg_type_qual !11 !kernel_arg_name !12 "
      "!vec_type_hint !27 !work_group_size_hint !28 {\n}\n"
      "define dso_local spir_kernel void @g() #0 !vec_type_hint !29 !reqd_work_group_size !13 {\n}\n"
      "!nvvm.annotations = !{!0, !1}\n"
      "!0 = !{ptr @f, !\"kernel\", i32 1}\n!1 = !{ptr @g, !\"kernel\", i32 1}\n"
      "!8 = !{!\"none\", !\"write_only\"}\n!9 = !{!\"float*\", !\"image2d_t\"}\n"
      "!11 = !{!\"restrict const\", !\"\"}\n!12 = !{!\"a\", !\"to\"}\n"
      "!13 = !{i32 8, i32 4, i32 2}\n!27 = !{<4 x float> undef, i32 0}\n!28 = !{i32 16, i32 1, i32 3}\n"
      "!29 = !{i16 undef, i32 0}\n";
  EXPECT_EQ(source_notes(module),
            "//@lockstep argument f a float*\n//@lockstep argument f to image2d_t\n"
            "//@lockstep qualifiers f none restrict const\n//@lockstep qualifiers f write_only\n"
            "//@lockstep work_group_size_hint f 16 1 3\n//@lockstep vec_type_hint f float4\n"
            "//@lockstep vec_type_hint g ushort\n");
  const std::string changed = with_required_sizes(module);
  EXPECT_NE(changed.find("!{!1000000000, !1000000001, !1000000002, !0, !1}"), std::string::npos) << changed;
  EXPECT_NE(changed.find("!1000000002 = !{ptr @g, !\"reqntidz\", i32 2}"), std::string::npos) << changed;
}

// Vectors of three get their padding where variables are given values, and nowhere else.
TEST(PaddedConstants, OfVectorsOfThree) {
  const std::string types =
      "%struct.s = type { i8, <3 x i16> }\n%union.u = type { %struct.s }\n"
      "%struct.plain = type { <2 x i8> }\n";
  const std::string code =
      "define void @f(<3 x i8> %x) {\n  store <3 x i8> <i8 1, i8 2, i8 3>, ptr %p\n"
      "  %q = getelementptr %struct.s, ptr @s, i64 1\n}\n";
  EXPECT_EQ(with_padded_constants(
                types +
                "@t = constant [2 x <3 x i8>] [<3 x i8> <i8 1, i8 2, i8 3>, <3 x i8> "
                "zeroinitializer], align 4\n"
                "@s = addrspace(4) constant %union.u { %struct.s { i8 1, <3 x i16> <i16 1, i16 2, "
                "i16 3> } }\n"
                "@plain = constant %struct.plain zeroinitializer\n"
                "@text = constant [9 x i8] c\"<3 x i8>\\00\"\n" +
                code),
            types +
                "@t = constant [2 x <4 x i8>] [<4 x i8> <i8 1, i8 2, i8 3, i8 zeroinitializer>, <4 x i8> "
                "zeroinitializer], align 4\n"
                "@s = addrspace(4) constant { { i8, <4 x i16> } } { { i8, <4 x i16> } { i8 1, <4 x i16> <i16 "
                "1, i16 "
                "2, i16 3, i16 zeroinitializer> } }\n"
                "@plain = constant %struct.plain zeroinitializer\n"
                "@text = constant [9 x i8] c\"<3 x i8>\\00\"\n" +
                code);
}

// Parameters, results, arguments and constants become words; values keep their names, and intrinsics their
// types.
TEST(PairsAsWords, AreParametersAndResults) {
  EXPECT_EQ(pairs_as_words("define void @f(<2 x i16> %a) {\n}\n"), "define void @f(<2 x i16> %a) {\n}\n");
  const std::string module =
      "define dso_local <2 x i8> @f(<2 x i8> noundef %a, i32 %ab, <2 x i8> %1) #0 {\n"
      "entry:\n"
      "  %call = tail call fastcc <2 x i8> @f(<2 x i8> noundef %a, i32 %ab, <2 x i8> <i8 1, i8 2>) #3, !dbg "
      "!7\n"
      "  %3 = call <2 x i8> @llvm.umax.v2i8(<2 x i8> %call, <2 x i8> %1)\n"
      "  ret <2 x i8> %3, !dbg !8\n"
      "}\n"
      "declare void @g(<2 x i8> noundef)\n"
      "define void @h(i32 %a) {\n"
      "  call void @g(<2 x i8> noundef zeroinitializer)\n"
      "  ret void\n"
      "}\n";
  EXPECT_EQ(
      pairs_as_words(module),
      "define dso_local i16 @f(i16 noundef %a, i32 %ab, i16 %1) #0 {\n"
      "entry:\n"
      "  %lockstep.pair.0 = bitcast i16 %a to <2 x i8>\n"
      "  %lockstep.pair.1 = bitcast i16 %1 to <2 x i8>\n"
      "  %lockstep.pair.2 = bitcast <2 x i8> %lockstep.pair.0 to i16\n"
      "  %lockstep.pair.3 = bitcast <2 x i8> <i8 1, i8 2> to i16\n"
      "  %lockstep.pair.4 = tail call fastcc i16 @f(i16 %lockstep.pair.2, i32 %ab, i16 %lockstep.pair.3) #3, "
      "!dbg !7\n"
      "  %call = bitcast i16 %lockstep.pair.4 to <2 x i8>\n"
      "  %3 = call <2 x i8> @llvm.umax.v2i8(<2 x i8> %call, <2 x i8> %lockstep.pair.1)\n"
      "  %lockstep.pair.5 = bitcast <2 x i8> %3 to i16\n"
      "  ret i16 %lockstep.pair.5, !dbg !8\n"
      "}\n"
      "declare void @g(i16 noundef)\n"
      "define void @h(i32 %a) {\n"
      "  %lockstep.pair.6 = bitcast <2 x i8> zeroinitializer to i16\n"
      "  call void @g(i16 %lockstep.pair.6)\n"
      "  ret void\n"
      "}\n");
}

// As LLVM 19 writes a rotation by a register before sm_32. Other uses of the names stay.
TEST(WholeRotations, TakeTheAmountModulo32) {
  const std::string head = "\t{\n\t.reg .b32 %lhs;\n\t.reg .b32 %rhs;\n\t.reg .b32 %amt2;\n";
  const std::string tail = "\tshr.b32 \t%rhs, %r3, %amt2;\n\tadd.u32 \t%r4, %lhs, %rhs;\n\t}\n";
  const std::string other = head + "\tshl.b32 \t%lhs, %r3, %r1;\n\tsub.s32 \t%amt2, 32, %r2;\n" + tail;
  EXPECT_EQ(
      with_whole_rotations(head + "\tshl.b32 \t%lhs, %r3, %r1;\n\tsub.s32 \t%amt2, 32, %r1;\n" + tail +
                           other),
      head + "\tand.b32 \t%amt2, %r1, 31;\n\tshl.b32 \t%lhs, %r3, %amt2;\n\tsub.s32 \t%amt2, 32, %amt2;\n" +
          tail + other);
}

TEST(ClangOptions, OfHipAndCuda) {
  CompileRequest request;
  request.path = "k.hip";
  request.target = find_target("gfx900");
  request.options = {"-ffast-math"};
  const auto options = clang_options(request, SourceLanguage::hip);
  ASSERT_TRUE(options.ok());
  EXPECT_TRUE(options->finite_math);
  EXPECT_TRUE(options->unsafe_math);
  EXPECT_TRUE(options->correctly_rounded_divide_sqrt);
  for (const std::string& word : options->arguments) EXPECT_FALSE(word.starts_with("-cl")) << word;
  for (const char* refused : {"--offload-arch=gfx906", "-fgpu-rdc", "--cuda-gpu-arch=sm_70"}) {
    request.options = {refused};
    EXPECT_EQ(clang_options(request, SourceLanguage::hip).error().code, "bad-option") << refused;
  }
}

}  // namespace
}  // namespace lockstep
