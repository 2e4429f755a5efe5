// What is read from and changed in LLVM's IR on the way to AMD's VLIW GPUs.
#include "compile/r600.h"

#include <gtest/gtest.h>

#include <sstream>

#include "compile/compile.h"
#include "compile/r600_assembly.h"
#include "compile/r600_images.h"
#include "compile/r600_narrow.h"
#include "compile/r600_printf.h"
#include "compile/r600_refused.h"
#include "compile/r600_repairs.h"

namespace lockstep {
namespace {

using namespace r600;

TEST(R600Notes, ParametersLieAsTheBackEndLaysThem) {
  const auto notes = parameter_notes(
      "%struct.S = type { i8, <4 x float>, i16, [14 x i8] }\n"
      "define i32 @helper(i32 %x) {\n"
      "define dso_local amdgpu_kernel void @k(i8 noundef signext %c, %struct.S %s, ptr addrspace(1) "
      "nocapture noundef align 4 %o, "
      "ptr addrspace(3) noundef align 16 %l, i64 noundef %n, <3 x i8> noundef %u) #0 !reqd_work_group_size "
      "!7 {\n"
      "!7 = !{i32 8, i32 4, i32 1}\n");
  ASSERT_TRUE(notes.ok());
  EXPECT_EQ(*notes,
            "//@lockstep kernel k\n"
            "//@lockstep parameter k value 0 1 1\n"
            "//@lockstep parameter k value 16 48 16\n"
            "//@lockstep parameter k global 64 4 4\n"
            "//@lockstep parameter k local 68 4 16\n"
            "//@lockstep parameter k value 72 8 8\n"
            "//@lockstep parameter k value 80 4 4\n"
            "//@lockstep required_group_size k 8 4 1\n");
  EXPECT_FALSE(parameter_notes("define amdgpu_kernel void @k(target(\"x\") %c) {\n").ok());
}

TEST(R600Module, FunctionsAreToBeInlined) {
  const std::string kernel = "define amdgpu_kernel void @k(i32 %x) #0 {\n";
  EXPECT_EQ(with_inlined_functions(kernel), kernel);
  EXPECT_EQ(with_inlined_functions("define internal i32 @f(i32 %x) local_unnamed_addr #1 {\n" + kernel +
                                   "attributes #1 = { noinline optnone nounwind }\n"),
            "define internal i32 @f(i32 %x) local_unnamed_addr alwaysinline #1 {\n" + kernel +
                "attributes #1 = { nounwind }\n");
}

TEST(R600Module, SignedLongsBecomeFloatsByTheirMagnitude) {
  const std::string narrow = "  %f = sitofp i32 %x to float\n";
  EXPECT_EQ(with_repaired_conversions(narrow), narrow);
  EXPECT_EQ(with_repaired_conversions("  %f = sitofp i64 %x to float, !dbg !3\n"),
            "  %lockstep.0.sign = ashr i64 %x, 63\n"
            "  %lockstep.0.sum = add i64 %x, %lockstep.0.sign\n"
            "  %lockstep.0.size = xor i64 %lockstep.0.sum, %lockstep.0.sign\n"
            "  %lockstep.0.plus = uitofp i64 %lockstep.0.size to float\n"
            "  %lockstep.0.minus = fneg float %lockstep.0.plus\n"
            "  %lockstep.0.below = icmp slt i64 %x, 0\n"
            "  %f = select i1 %lockstep.0.below, float %lockstep.0.minus, float %lockstep.0.plus, !dbg !3\n");
  EXPECT_NE(with_repaired_conversions("  %f = sitofp <2 x i64> %x to <2 x float>\n")
                .find("ashr <2 x i64> %x, <i64 63, i64 63>"),
            std::string::npos);
}

const std::string begin = "define amdgpu_kernel void @k(ptr addrspace(1) %p, i32 %v) {\n";

TEST(R600Module, ClassesAreStretchesOfBits) {
  const std::string made = with_integer_classes(
      begin + "  %x = call <2 x i1> @llvm.is.fpclass.v2f32(<2 x float> %f, i32 3), !dbg !4\n}\n");
  // Both halves of the NaNs, each whole.
  EXPECT_NE(made.find("sub <2 x i32> %lockstep.class.0.bits, <i32 2139095041, i32 2139095041>, !dbg !4\n"),
            std::string::npos);
  EXPECT_NE(made.find("sub <2 x i32> %lockstep.class.0.bits, <i32 -8388607, i32 -8388607>"),
            std::string::npos);
  EXPECT_EQ(made.find("fpclass"), std::string::npos);
  const std::string far = begin + "  %a = fneg float %f\n  %c = fcmp ueq float %a, 0x7FF0000000000000\n}\n";
  EXPECT_EQ(with_integer_classes(far), far);
  const std::string near =
      begin + "  %a = call float @llvm.fabs.f32(float %f)\n  %c = fcmp ueq float %a, 0x7FF0000000000000\n}\n";
  EXPECT_EQ(with_integer_classes(near).find("fcmp"), std::string::npos);
}

TEST(R600Module, BytesComeAsOneParameter) {
  EXPECT_EQ(
      with_whole_parameters("define amdgpu_kernel void @k(i32 %v, <4 x i8> noundef %c, <2 x i8> %d) "
                            "{\nentry:\n  ret void\n}\n"),
      "define amdgpu_kernel void @k(i32 %v, i32 noundef %c.whole, i16 %d.whole) {\nentry:\n"
      "  %c = bitcast i32 %c.whole to <4 x i8>\n  %d = bitcast i16 %d.whole to <2 x i8>\n  ret void\n}\n");
}

TEST(R600Module, DividendsKeepTheirSign) {
  const std::string positive = begin + "  %x = zext i8 %c to i32\n  %r = urem i32 %x, %v\n}\n";
  EXPECT_EQ(with_whole_dividends(positive), positive);
  const std::string constant = begin + "  %x = sext i8 %c to i32\n  %r = urem i32 %x, 7\n}\n";
  EXPECT_EQ(with_whole_dividends(constant), constant);
  const std::string made =
      with_whole_dividends(begin + "  %x = sext i8 %c to i32\n  %r = urem i32 %x, %v, !dbg !3\n}\n");
  EXPECT_NE(made.find("  %lockstep.dividend.0.whole = xor i32 %x, %lockstep.dividend.0.zero, !dbg !3\n"
                      "  %r = urem i32 %lockstep.dividend.0.whole, %v, !dbg !3\n"),
            std::string::npos);
  EXPECT_NE(made.find("declare i32 @llvm.r600.read.ngroups.x()"), std::string::npos);
}

TEST(R600Module, AtomicsWhoseResultIsUsedReturnIt) {
  const std::string unused =
      begin + "  %o = atomicrmw add ptr addrspace(1) %p, i32 %v monotonic, align 4\n}\n";
  EXPECT_EQ(with_returned_values(unused, 0xE0000000), unused);
  const std::string local = begin +
                            "  %o = atomicrmw add ptr addrspace(3) %l, i32 %v monotonic, align 4\n"
                            "  %s = add i32 %o, 1\n}\n";
  EXPECT_EQ(with_returned_values(local, 0xE0000000), local);
  const std::string made = with_returned_values(
      begin +
          "  %o = atomicrmw volatile umax ptr addrspace(1) %p, i32 %v monotonic, align 4, !dbg !3\n"
          "  %s = add i32 %o, 1\n}\n",
      0xE0000000);
  EXPECT_EQ(made.find("atomicrmw"), std::string::npos);
  const std::string call =
      "call void @llvm.r600.rat.store.typed(<4 x i32> %lockstep.atomic.0.xy, "
      "<4 x i32> %lockstep.atomic.0.index, i32 ";
  const std::size_t at = made.find(call);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(name_of_store(static_cast<u32>(std::stoul(made.substr(at + call.size())))),
            "ATOMIC_MAX_UINT_RTN");
  EXPECT_NE(made.find("%o = load volatile i32, ptr addrspace(1) inttoptr (i32 -536870912 to"),
            std::string::npos);
  EXPECT_NE(made.find("declare void @llvm.r600.rat.store.typed("), std::string::npos);
  EXPECT_EQ(name_of_store(0), "");
}

TEST(R600Module, VariablesHaveTheirPlaceInMemory) {
  const PrivateMemory made = with_private_memory(
      "declare void @llvm.memcpy.p5.p1.i32(ptr addrspace(5), ptr addrspace(1), i32, i1)\n"
      "declare void @llvm.memcpy.p1.p1.i32(ptr addrspace(1), ptr addrspace(1), i32, i1)\n" +
          begin +
          "  %a = alloca [3 x i16], align 2, addrspace(5)\n"
          "  %b = alloca { i8, <3 x float> }, align 16, addrspace(5)\n"
          "  call void @llvm.lifetime.start.p5(i64 6, ptr addrspace(5) %a)\n"
          "  call void @llvm.memcpy.p5.p1.i32(ptr addrspace(5) %a, ptr addrspace(1) %p, i32 6, i1 "
          "false)\n}\n",
      0x1000, 16);
  EXPECT_EQ(made.module,
            "declare void @llvm.memcpy.p1.p1.i32(ptr addrspace(1), ptr addrspace(1), i32, i1)\n" + begin +
                "  %a = inttoptr i32 4112 to ptr addrspace(1)\n"
                "  %b = inttoptr i32 4128 to ptr addrspace(1)\n"
                "  call void @llvm.memcpy.p1.p1.i32(ptr addrspace(1) %a, ptr addrspace(1) %p, i32 6, i1 "
                "false)\n}\n");
  EXPECT_EQ(made.bytes, (std::map<std::string, u64>{{"k", 64}}));
}

TEST(R600Module, NarrowVectorsAreShiftsAndSelections) {
  const std::string wide = begin +
                           "  %a = bitcast <4 x float> %f to <4 x i32>\n  %b = bitcast <2 x i8> %c to "
                           "<2 x i8>\n  %d = extractelement <4 x i8> %e, i64 1\n}\n";
  EXPECT_EQ(with_narrow_vectors(wide), wide);
  const std::string cast =
      with_narrow_vectors(begin + "  %a = bitcast <4 x i8> %f to <2 x i16>, !dbg !3\n}\n");
  EXPECT_NE(cast.find("shl i32 %lockstep.narrow.0.5, 8, !dbg !3\n"), std::string::npos) << cast;
  EXPECT_NE(cast.find("  %a = insertelement <2 x i16> "), std::string::npos);
  EXPECT_EQ(cast.find("bitcast"), std::string::npos);
  const std::string put = with_narrow_vectors(begin + "  %a = insertelement <2 x i8> %f, i8 %c, i32 %i\n}\n");
  EXPECT_NE(put.find("icmp eq i32 %i, 1\n"), std::string::npos);
  EXPECT_EQ(put.find("i32 %i\n"), std::string::npos);
}

TEST(R600Module, NarrowStoresToVariablesAreSeen) {
  EXPECT_TRUE(stores_narrow_variables("  store i8 %c, ptr addrspace(5) %o, align 16\n"));
  EXPECT_TRUE(stores_narrow_variables("  store volatile <4 x i16> %c, ptr addrspace(5) %o, align 8\n"));
  EXPECT_FALSE(
      stores_narrow_variables("  store i32 %c, ptr addrspace(5) %o\n  store i8 %c, ptr addrspace(1) %p\n"));
  const auto copy = [](const std::string& bytes) {
    return stores_narrow_variables(
        "  call void @llvm.memcpy.p5.p1.i32(ptr addrspace(5) align 4 %o, ptr addrspace(1) %p, i32 " + bytes +
        ", i1 false)\n");
  };
  EXPECT_TRUE(copy("6"));
  EXPECT_TRUE(copy("%n"));
  EXPECT_FALSE(copy("64"));
}

TEST(R600Module, NumbersInVectorsAreComputed) {
  const std::string call = "  %t = tail call noundef range(i32 0, 1024) i32 @llvm.r600.read.tidig.x()\n";
  const std::string plain = begin + call + "  %b = insertelement <4 x i32> %a, i32 %v, i64 1\n}\n";
  const std::string computed =
      "  %lockstep.id.0 = tail call noundef i32 @llvm.r600.read.tidig.x()\n"
      "  %t = and i32 %lockstep.id.0, 2147483647\n";
  EXPECT_EQ(with_computed_ids(plain, false), plain);
  EXPECT_NE(with_computed_ids(plain, true).find(computed), std::string::npos);
  const std::string vector =
      begin + call + "  %a = insertelement <4 x i32> zeroinitializer, i32 %t, i64 0\n}\n";
  EXPECT_NE(with_computed_ids(vector, false).find(computed), std::string::npos);
}

TEST(R600Module, EndsAreMarkedAndNamed) {
  const std::vector<std::string> kernels{"k"};
  const std::string made = with_marked_ends(begin + "  ret void\n}\n", kernels);
  EXPECT_NE(made.find("i32 31)\n  ret void\n"), std::string::npos);
  EXPECT_EQ(finished_text("\tMEM_RAT STORE_TYPED RAT(31) T0, T0, 1    ; encoding: [0x00]\n"
                          "\tMEM_RAT STORE_TYPED RAT(44) T5, T1       ; encoding: [0x00]\n"
                          "\tMEM_RAT STORE_TYPED RAT(32) T5, T1, 0    ; encoding: [0x00]\n"),
            "\tNOP\n\tMEM_RAT ATOMIC_CMPXCHG_INT_RTN T5, T1.X\n\tMEM_RAT ATOMIC_ADD_RTN T5, T1.X\n");
}

TEST(R600Module, LongerVectorsAreMadeOfElements) {
  const std::string shorter =
      begin + "  %a = shufflevector <4 x float> %f, <4 x float> poison, <2 x i32> <i32 0, i32 1>\n}\n";
  EXPECT_EQ(with_separate_elements(shorter), shorter);
  const std::string made = with_separate_elements(
      begin +
      "  %a = shufflevector <2 x float> %f, <2 x float> %g, <4 x i32> <i32 0, i32 3, i32 poison, i32 1>, "
      "!dbg !4\n}\n");
  EXPECT_EQ(made.find("shufflevector"), std::string::npos);
  EXPECT_NE(made.find(".1 = extractelement <2 x float> %g, i32 1, !dbg !4\n"), std::string::npos);
  EXPECT_NE(made.find("or i32 %lockstep.apart.0.1.bits, %lockstep.apart.0.zero"), std::string::npos);
  EXPECT_EQ(made.find("i32 2, !dbg"), std::string::npos) << "what is poison stays it";
}

const std::string looking =
    "define amdgpu_kernel void @k(i32 %n, ptr addrspace(4) %a, ptr addrspace(4) noundef %s, ptr addrspace(4) "
    "%b) {\n";

TEST(R600Images, ReadsAndWritesNameTheirResources) {
  const auto bound = with_image_resources(
      looking +
          "  %x = tail call <4 x float> @__lockstep_image_sample(ptr addrspace(4) noundef %a, ptr "
          "addrspace(4) noundef "
          "nonnull inttoptr (i32 20 to ptr addrspace(4)), <4 x float> noundef %c, i32 noundef 3) #5, !dbg "
          "!9\n"
          "  %y = call <4 x float> @__lockstep_image_sample(ptr addrspace(4) %a, ptr addrspace(4) %s, <4 x "
          "float> "
          "<float 0.0, float 1.0, float 0.0, float 0.0>, i32 0)\n"
          "  %z = call <4 x float> @__lockstep_image_fetch(ptr addrspace(4) %b, <4 x i32> noundef %d)\n"
          "  call void @__lockstep_image_store(ptr addrspace(4) %b, <4 x i32> %d, <4 x i32> %v)\n}\n",
      "k.cl");
  ASSERT_TRUE(bound.ok());
  EXPECT_EQ(bound->notes,
            "//@lockstep image k 4 1\n//@lockstep sampler k 0 bits 20\n//@lockstep sampler k 1 parameter 2\n"
            "//@lockstep image k 5 3\n//@lockstep target k 1 3\n");
  const std::string zeros = "i32 0, i32 0, i32 0, ";
  const auto has = [&](const std::string& text) { return bound->module.find(text) != std::string::npos; };
  EXPECT_TRUE(has("  %x = call <4 x float> @llvm.r600.tex(<4 x float> %c, " + zeros +
                  "i32 4, i32 0, i32 1, i32 1, i32 0, i32 0), !dbg !9\n"));
  EXPECT_TRUE(has("<float 0.0, float 1.0, float 0.0, float 0.0>, " + zeros + "i32 4, i32 1, i32 0, i32 0,"));
  EXPECT_TRUE(has("%lockstep.image.2 = bitcast <4 x i32> %d to <4 x float>\n"));
  EXPECT_TRUE(has("  %z = call <4 x float> @llvm.r600.tex(<4 x float> %lockstep.image.2, " + zeros +
                  "i32 5, i32 31, i32 0,"));
  EXPECT_TRUE(has("  call void @llvm.r600.rat.store.typed(<4 x i32> %v, <4 x i32> %d, i32 1)\n"));
  EXPECT_EQ(finished_text("\t  TEX_SAMPLE T1.XYZW, T0.XYZW RID:5 SID:31 CT:UUUU ; encoding: [0x00]\n"),
            "\t  TEX_LD T1.XYZW, T0.XYZW RID:5 SID:0 CT:UUUU\n");
}

TEST(R600Images, WhatHasNoFixedNumberIsRefused) {
  const auto refused = [](const std::string& image, const std::string& sampler) {
    const auto bound =
        with_image_resources(looking + "  %x = call <4 x float> @__lockstep_image_sample(ptr addrspace(4) " +
                                 image + ", ptr addrspace(4) " + sampler + ", <4 x float> %c, i32 0)\n}\n",
                             "k.cl");
    return bound ? "" : bound.error().message;
  };
  EXPECT_EQ(refused("%a", "null"), "");
  EXPECT_EQ(refused("%either", "%s"), "k.cl: error: kernel 'k': an image that is no parameter of the kernel");
  EXPECT_EQ(refused("%a", "%either"),
            "k.cl: error: kernel 'k': a sampler that is neither a parameter of the kernel nor a constant");
}

TEST(R600Module, WhatCannotBecomeAProgramIsRefusedByName) {
  const std::string places =
      "!1 = !DIFile(filename: \"k.cl\", directory: \".\")\n"
      "!5 = distinct !DISubprogram(name: \"k\", scope: !1, file: !1, line: 2)\n"
      "!7 = !DILocation(line: 3, column: 11, scope: !5)\n";
  const auto with = [&](const std::string& line) {
    return refused(
        "@counter = dso_local addrspace(1) global i32 5, align 4\n"
        "@counter.table = internal addrspace(2) constant [2 x i32] [i32 1, i32 2]\n"
        "define amdgpu_kernel void @k() {\n" +
            line + "\n  ret void\n}\n" + places,
        "main.cl");
  };
  const auto assembly = with("  call void asm sideeffect \"MOV T0.X, 1.0\", \"\"() #3, !dbg !7, !srcloc !9");
  ASSERT_TRUE(assembly.has_value());
  EXPECT_EQ(assembly->message, "k.cl:3:11: error: inline assembly ('MOV T0.X, 1.0')");
  EXPECT_EQ(assembly->place, (Place{"k.cl", 3, 11}));
  const auto operands = with("  %x = call i32 asm \"\", \"=r,0\"(i32 3) #3");
  ASSERT_TRUE(operands.has_value());
  EXPECT_EQ(operands->message, "main.cl: error: inline assembly with operands");
  const auto variable = with("  %v = load i32, ptr addrspace(1) @counter, align 4, !dbg !7");
  ASSERT_TRUE(variable.has_value());
  EXPECT_EQ(variable->message, "k.cl:3:11: error: the variable 'counter' of the program in global memory");
  const auto outside = refused("module asm \".globl foo\"\n", "main.cl");
  ASSERT_TRUE(outside.has_value());
  EXPECT_EQ(outside->message, "main.cl: error: assembly outside of functions (\".globl foo\")");
  // Barriers for the compiler, comments, tables of constants, and strings that speak of assembly.
  for (const char* line :
       {"  call void asm sideeffect \"\", \"~{memory}\"() #3",
        "  call void asm sideeffect \"; a comment\\0A\", \"\"()",
        "  %v = load i32, ptr addrspace(2) @counter.table, align 4", "  call void @f(ptr @\"call asm \")"})
    EXPECT_FALSE(with(line).has_value()) << line;
}

TEST(R600Printf, CallsBecomeRecords) {
  const std::string texts =
      "@.str = private unnamed_addr addrspace(4) constant [9 x i8] c\"%d:%s %c\\0A\\00\", align 1\n"
      "@.str.1 = private unnamed_addr addrspace(4) constant [5 x i8] c\"four\\00\", align 1\n";
  const std::string call =
      "  %r = tail call i32 (ptr addrspace(4), ...) @printf(ptr addrspace(4) noundef @.str, <2 x i16> "
      "noundef %v, ptr "
      "addrspace(4) noundef ";
  const auto printed = with_printf(texts + begin + call + "@.str.1, i32 %c) #8, !dbg !5\n}\n", "k.cl");
  ASSERT_TRUE(printed.ok());
  EXPECT_EQ(printed->notes, "//@lockstep printf \"1:3:8:8:4:%d\\72%s %c\\n\"\n");
  const auto has = [&](const std::string& text) { return printed->module.find(text) != std::string::npos; };
  EXPECT_TRUE(has("  %r = call i32 @lockstep.printf.0(<2 x i16> %v, i32 %c), !dbg !5\n"));
  EXPECT_TRUE(has("define internal i32 @lockstep.printf.0(<2 x i16> %a0, i32 %a2) {\n"));
  EXPECT_TRUE(has("sext i16 %a0.1 to i32\n"));
  EXPECT_TRUE(has("store i32 1920298854, ptr addrspace(1) %to12, align 4\n")) << "the letters of 'four'";
  EXPECT_TRUE(has("atomicrmw add ptr addrspace(1) %buffer, i32 24 monotonic\n"));
  const auto refused = with_printf(texts + begin + call + "%which, i32 %c)\n}\n", "k.cl");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "k.cl: error: printf in 'k': a text for %s that is no literal");
}

TEST(R600Assembly, WhatIsNoProgramIsFound) {
  const std::string begin =
      "\t.globl\tk  ; -- Begin function k\nk:\n\tALU 0, @2, KC0[], KC1[] ; encoding: [0]\n";
  const std::string clause = "\tALU clause starting at 2:  ; encoding: []\n";
  const std::string packet =
      "\t  MOV * T0.W, literal.x,  ; encoding: [0]\n\t1(0.0), 2(0.0) ; encoding: [0]\n";
  const std::string literals = "\t@t, 3(0.0) ; encoding: [A]\n  ;   fixup A - offset: 0\n";
  const std::string end = "  ; -- End function\n";
  EXPECT_FALSE(malformed(begin + clause + packet + literals + packet + end, "k.cl"));
  const auto many = malformed(begin + clause + packet + literals + literals + end, "k.cl");
  ASSERT_TRUE(many);
  EXPECT_NE(many->message.find("four literals in kernel 'k'"), std::string::npos);
  const auto outside = malformed(begin + packet + end, "k.cl");
  ASSERT_TRUE(outside);
  EXPECT_NE(outside->message.find("outside of any clause"), std::string::npos);
}

// Notes of variables among the instructions would end clauses and packets.
TEST(R600Compile, LinesChangeNoInstruction) {
  const auto operations = [](bool lines) {
    CompileRequest request;
    request.path = "k.cl";
    request.source =
        "__kernel void k(__global float4* x, float a) {\n  const int i = get_global_id(0);\n"
        "  float4 v = x[i];\n  for (int n = 0; n < 5; ++n) v = v * a + x[i + n];\n  x[i] = v;\n}\n";
    request.target = find_target("cypress");
    request.line_table = lines;
    request.use_cache = false;
    const auto compiled = compile(request);
    std::vector<std::string> found;
    if (!compiled.ok() || !compiled->ptx) {
      ADD_FAILURE() << (compiled.ok() ? "no text" : to_string(compiled.error()));
      return found;
    }
    std::istringstream text(compiled->ptx->ptx);
    for (std::string line; std::getline(text, line);) {
      line = line.substr(0, line.find(';'));
      const std::size_t begin = line.find_first_not_of(" \t");
      if (begin == std::string::npos || line[begin] == '.' || line.starts_with("//")) continue;
      found.push_back(line.substr(begin, line.find_last_not_of(" \t") + 1 - begin));
    }
    return found;
  };
  const auto with = operations(true);
  EXPECT_GT(with.size(), 10u);
  // All but labels in front of lines.
  EXPECT_EQ(with, operations(false));
}

}  // namespace
}  // namespace lockstep
