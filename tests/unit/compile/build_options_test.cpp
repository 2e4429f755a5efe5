#include "compile/build_options.h"

#include "compile/bitcode.h"
#include "compile/compile.h"
#include "scratch.h"

namespace lockstep {
namespace {

using Words = std::vector<std::string>;

Expected<BuildOptions> check(std::string_view text, SourceLanguage language = SourceLanguage::opencl_c) {
  const auto words = split_build_options(text);
  if (!words) return words.error();
  return check_build_options(*words, language, "k.cl");
}

TEST(BuildOptions, SplitAsAShellWould) {
  EXPECT_EQ(*split_build_options("  -DA=1\t-I  dir\n"), (Words{"-DA=1", "-I", "dir"}));
  EXPECT_EQ(*split_build_options(R"(-D NAME="a b" -DS=\"x\" '-D' 'Q="1\2"' "")"),
            (Words{"-D", "NAME=a b", "-DS=\"x\"", "-D", "Q=\"1\\2\"", ""}));
  EXPECT_TRUE(split_build_options("")->empty());
  EXPECT_EQ(split_build_options("-D \"x").error().code, "bad-option");
}

TEST(BuildOptions, WhatIsNotListedIsRefusedByName) {
  const char* const refused[] = {
      // Code that clang would load.
      "-fpass-plugin=/tmp/evil.so", "-fplugin=/tmp/evil.so", "-fplugin-arg-evil-x", "-Xclang -load",
      "-Xclang -load -Xclang /tmp/evil.so", "-Xclang -plugin -Xclang evil", "-Xclang -add-plugin",
      "-mllvm -load=/tmp/evil.so", "-load", "-B/tmp", "--prefix=/tmp", "-fuse-ld=/tmp/ld", "-ccc-install-dir",
      "-no-integrated-cpp", "-fno-integrated-as", "-fno-integrated-cc1", "-fembed-offload-object=/tmp/x",
      // More options, from files.
      "--config=/tmp/evil.cfg", "--config /tmp/evil.cfg", "--config-user-dir=/tmp", "@/tmp/evil.rsp",
      "--vfsoverlay=/tmp/x", "-ivfsoverlay /tmp/x",
      // Files that clang would write.
      "-o /tmp/x", "-o/tmp/x", "-MD", "-MMD", "-MF/tmp/x", "-MJ/tmp/x", "-M", "-Wp,-MD,/tmp/x",
      "-Wl,-o,/tmp/x", "-Wa,-o,/tmp/x", "-Xpreprocessor -MD", "-Xassembler x", "-Xlinker x",
      "-dependency-file /tmp/x", "-fmodules", "-fmodules-cache-path=/tmp", "-fcrash-diagnostics-dir=/tmp",
      "-ftime-trace", "-ftime-trace=/tmp/x", "-fproc-stat-report=/tmp/x", "-fsave-optimization-record",
      "-foptimization-record-file=/tmp/x", "-fprofile-generate=/tmp", "-fprofile-instr-generate=/tmp/x",
      "-ftest-coverage", "--coverage", "-fdump-record-layouts", "-gsplit-dwarf", "-save-stats=cwd",
      "-serialize-diagnostics /tmp/x", "--serialize-diagnostics=/tmp/x", "-emit-pch",
      "-index-store-path /tmp", "-mllvm -info-output-file=/tmp/x", "-mllvm -pass-remarks-output=/tmp/x",
      "-mllvm -stats", "-mllvm -amdgpu-module-splitting-log-dirs=/tmp",
      "-Xclang -header-include-file -Xclang /tmp/x", "-Xclang -opt-record-file -Xclang /tmp/x",
      "-Xclang -o -Xclang /tmp/x",
      // Other inputs, other outputs.
      "file.c", "-x c", "-E", "-S", "-c", "-fsyntax-only", "-emit-llvm", "-###", "-v", "--version", "--help",
      "-target x86_64", "--target=x86_64", "-mcpu=gfx906", "-march=x", "-mcode-object-version=4", "-m32",
      "-Xopenmp-target x", "-Xarch_device x", "-fopenmp", "-fsanitize=address", "-fgpu-rdc",
      "--offload-arch=gfx906", "--cuda-gpu-arch=sm_70", "--cuda-host-only", "--sysroot=/tmp",
      "-isysroot /tmp", "-resource-dir /tmp", "-nostdinc", "-include -pch /tmp/x", "-include-pch /tmp/x",
      "-I -", "-fprofile-use=/tmp/x", "-cl-no-such-option", "-fno-such-option", "-fexceptions",
      "-cl-std=/tmp", "-ferror-limit=/tmp/x", "-W/tmp/x"};
  for (const char* text : refused) {
    const auto checked = check(text);
    ASSERT_FALSE(checked.ok()) << text;
    EXPECT_EQ(checked.error().code, "bad-option") << text;
    const std::string first = split_build_options(text)->front();
    EXPECT_NE(checked.error().message.find(first), std::string::npos) << text;
  }
  for (const char* text : {"-D", "-I", "-U", "-include", "-Xclang", "-mllvm", "-D ''", "-include \"\""})
    EXPECT_NE(check(text).error().message.find("needs a value"), std::string::npos) << text;
  EXPECT_EQ(check("-cl-mad-enabel").error().hint, "did you mean -cl-mad-enable?");
}

TEST(BuildOptions, AValueIsOneWordWithItsOption) {
  EXPECT_EQ(check("-D A=1 -DB -U C -I dir -I @dir -include @x.h -isystem s -iquote q")->accepted,
            (Words{"-DA=1", "-DB", "-UC", "-Idir", "-I@dir", "-include@x.h", "-isystems", "-iquoteq"}));
  EXPECT_EQ(check("-I \"\" -w")->accepted, (Words{"-w"}));
  EXPECT_EQ(check("-Xclang -fdenormal-fp-math-f32=ieee -mllvm -inline-threshold=5")->accepted,
            (Words{"-Xclang", "-fdenormal-fp-math-f32=ieee", "-mllvm", "-inline-threshold=5"}));
  EXPECT_TRUE(check("-fexceptions -std=c++17", SourceLanguage::hip).ok());
}

// What the applications of docs/applications.md and others give to clBuildProgram, as their sources do.
TEST(BuildOptions, ApplicationsOptionsAreAccepted) {
  const char* const accepted[] = {
      // clBLAST, clFFT, PyOpenCL, OpenCV, OpenMM, ffmpeg
      "-cl-std=CL1.1 -cl-mad-enable", "-cl-std=CL2.0 -DUSE_CL_MAD=1 -cl-fast-relaxed-math", "-I. -Werror",
      "-I /usr/lib/python3/dist-packages/pyopencl/cl",
      "-D AMD_DEVICE -D DOUBLE_SUPPORT -D T=float -D noconvert -D convertToWT=noconvert",
      "-D \"REF(type,name)=__global type * name\" -cl-mad-enable -DWORK_GROUP_SIZE=64 "
      "-DSYNC_WARPS=mem_fence()",
      // hashcat
      "-D KERNEL_STATIC -D INCLUDE_PATH=\"/usr/share/hashcat/OpenCL/\" -I /usr/share/hashcat/OpenCL/ -D "
      "XM2S(x)=#x "
      "-D M2S(x)=XM2S(x) -cl-std=CL1.2 -w -D VENDOR_ID=1 -D DGST_R0=0 -D HAS_VADD3 -D KERN_TYPE=0 -D _unroll",
      // darktable, clpeak, piglit
      "-w -cl-fast-relaxed-math -DAMD=1 -I\"/usr/share/darktable/kernels\"",
      "-cl-mad-enable -DMAX_WG=256 -DNVIDIA_SM_20=1 -cl-nv-verbose", "-DISFLOAT -cl-mad-enable",
      "-cl-single-precision-constant -cl-denorms-are-zero -cl-opt-disable -cl-strict-aliasing "
      "-cl-no-signed-zeros -cl-unsafe-math-optimizations -cl-finite-math-only -w -Werror -D NAME=VALUE",
      "-cl-kernel-arg-info -cl-std=CL1.2 -cl-uniform-work-group-size -cl-fp32-correctly-rounded-divide-sqrt",
      // Others, for vendors' compilers.
      "-fno-bin-amdil -fno-bin-source -fno-bin-llvmir -fbin-exe -save-temps", "-save-temps=/tmp/all -O5",
      "-cl-nv-maxrregcount=32 -cl-nv-opt-level=2", "-cl-nv-maxrregcount 64 -cl-nv-arch sm_70 -DX",
      "-cl-intel-greater-than-4GB-buffer-required -cl-no-subgroup-ifp -g", "-fno-alias -fuse-native=sin,cos",
      "-O2 -Wall -Wno-unused-function -Werror=return-type -ffp-contract=off -g -mwavefrontsize64"};
  for (const char* text : accepted) {
    const auto checked = check(text);
    EXPECT_TRUE(checked.ok()) << text << ": " << (checked.ok() ? "" : checked.error().message);
  }
  EXPECT_EQ(check("-cl-nv-maxrregcount 64 -DX -save-temps=/tmp/all")->ignored,
            (Words{"-cl-nv-maxrregcount 64", "-save-temps=/tmp/all"}));
}

class CompiledOptions : public ScratchTest {
 protected:
  CompileRequest request(std::string_view options, const std::string& source) const {
    CompileRequest made;
    made.path = "k.cl";
    made.source = source;
    made.language = SourceLanguage::opencl_c;
    made.target = find_target("gfx900");
    made.options = *split_build_options(options);
    return made;
  }
  static constexpr const char* plain = "__kernel void k(__global int* p) { p[0] = 1; }\n";
};

TEST_F(CompiledOptions, IgnoredOnesAreSaidInTheLog) {
  const CompileRequest made = request("-cl-nv-verbose -fno-bin-source -cl-nv-maxrregcount 32", plain);
  const std::string note =
      "note: no effect here, options of other compilers: -cl-nv-verbose -fno-bin-source -cl-nv-maxrregcount "
      "32\n";
  for (const bool cached : {false, true}) {
    const auto compiled = compile(made);
    ASSERT_TRUE(compiled.ok());
    EXPECT_EQ(compiled->from_cache, cached);
    EXPECT_EQ(compiled->log(), note);
  }
  EXPECT_EQ(compile_to_bitcode(made, {})->log, note);
}

// Every accepted word is one that the compiler knows.
TEST_F(CompiledOptions, ClangTakesWhatIsAccepted) {
  for (const char* text :
       {"-cl-single-precision-constant -cl-denorms-are-zero -cl-strict-aliasing -cl-mad-enable "
        "-cl-no-signed-zeros -cl-unsafe-math-optimizations -cl-finite-math-only -cl-fast-relaxed-math "
        "-cl-uniform-work-group-size -cl-fp32-correctly-rounded-divide-sqrt -cl-ext=-cl_khr_fp16",
        "-w -pedantic -Wall -Wno-unused-function -Rpass=inline -Os -ffp-contract=off -fno-math-errno "
        "-fno-signed-zeros -fassociative-math -freciprocal-math -fno-trapping-math -fhonor-nans",
        "-funroll-loops -fno-vectorize -fno-slp-vectorize -finline-functions -fno-builtin -fno-builtin-sin "
        "-fno-strict-aliasing -fwrapv -fno-jump-tables -ferror-limit=3 -fbracket-depth=512 -Ofast",
        "-Xclang -fdenormal-fp-math-f32=ieee -Xclang -ffloat16-excess-precision=none -mllvm "
        "-inline-threshold=9 "
        "-mllvm -amdgpu-early-inline-all=true -mllvm -amdgpu-function-calls=true -mllvm -unroll-threshold=9",
        "-mcumode -munsafe-fp-atomics -std=cl1.2 -fdenormal-fp-math=ieee"}) {
    const auto compiled = compile(request(text, plain));
    EXPECT_TRUE(compiled.ok()) << text << ": " << (compiled.ok() ? "" : compiled.error().message);
  }
}

// A word that begins with @ would be read as a file of further options.
TEST_F(CompiledOptions, NoFileOfOptionsIsRead) {
  const std::string file = write("options", "-DHOSTILE=1");
  const std::string source = std::string("#ifdef HOSTILE\n#error hostile\n#endif\n") + plain;
  for (const std::string& text : {"-I @" + file, "-isystem @" + file, "-D A -I@" + file}) {
    const auto compiled = compile(request(text, source));
    EXPECT_TRUE(compiled.ok()) << text << ": " << (compiled.ok() ? "" : compiled.error().message);
  }
}

TEST_F(CompiledOptions, TheEnvironmentChangesNothing) {
  write("header.h", "");
  const std::string source =
      std::string("#if defined HOSTILE || __has_include(<header.h>)\n#error hostile\n#endif\n") + plain;
  ::setenv("CCC_OVERRIDE_OPTIONS", "+-DHOSTILE", 1);
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
    ::setenv(name, directory.c_str(), 1);
  const auto compiled = compile(request("", source));
  for (const char* name : {"CCC_OVERRIDE_OPTIONS", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
    ::unsetenv(name);
  EXPECT_TRUE(compiled.ok()) << compiled.error().message;
}

}  // namespace
}  // namespace lockstep
