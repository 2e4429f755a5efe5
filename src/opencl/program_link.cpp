// OpenCL 3.0, chapter 5.8.3: separate compilation and linking. What lies between is LLVM bitcode.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compile/bitcode.h"
#include "compile/build_options.h"
#include "opencl/program.h"

using namespace lockstep;
using namespace lockstep::opencl;

namespace {

constexpr std::array<std::string_view, 8> link_options = {"-create-library",
                                                          "-enable-link-options",
                                                          "-cl-denorms-are-zero",
                                                          "-cl-no-signed-zeros",
                                                          "-cl-unsafe-math-optimizations",
                                                          "-cl-finite-math-only",
                                                          "-cl-fast-relaxed-math",
                                                          "-cl-no-subgroup-ifp"};

cl_int compile_for_device(const std::string& source, const std::string& options,
                          const std::vector<Header>& headers, Build& build) {
  build.options = options;
  build.log.clear();
  build.executable.reset();
  build.binary.clear();
  build.type = CL_PROGRAM_BINARY_TYPE_NONE;
  build.status = CL_BUILD_ERROR;
  auto words = split_build_options(options);
  if (!words) {
    build.log = to_string(words.error());
    return CL_INVALID_COMPILER_OPTIONS;
  }
  const bool argument_info = std::find(words->begin(), words->end(), "-cl-kernel-arg-info") != words->end();
  CompileRequest request = compile_request(build, std::move(*words));
  request.source = source;
  request.language = SourceLanguage::opencl_c;
  const Expected<Bitcode> made = compile_to_bitcode(request, headers);
  if (!made) {
    build.log = log_of(made.error());
    return names_bad_option(made.error()) ? CL_INVALID_COMPILER_OPTIONS : CL_COMPILE_PROGRAM_FAILURE;
  }
  build.log = made->log;
  build.type = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
  build.binary = make_binary(build, argument_info, made->bytes);
  build.status = CL_BUILD_SUCCESS;
  return CL_SUCCESS;
}

struct LinkOptions {
  std::vector<std::string> words;
  std::string note;  // for the log: what has no effect
};

// OpenCL 3.0, 5.8.7; those of other vendors' compilers as for building. Error: "bad-option".
Expected<LinkOptions> check_link_options(const std::string& text) {
  LinkOptions checked;
  auto words = split_build_options(text);
  if (!words) return words.error();
  std::vector<std::string> others;
  for (const std::string& word : *words) {
    const bool known = std::find(link_options.begin(), link_options.end(), word) != link_options.end();
    (known ? checked.words : others).push_back(word);
  }
  auto rest = check_build_options(others, SourceLanguage::bitcode, source_name);
  if (!rest) return rest.error();
  if (!rest->accepted.empty())
    return Diagnostic{"bad-option",
                      {source_name, 0, 0},
                      fmt::format("{} is no option for linking", rest->accepted.front()),
                      "give it when compiling"};
  checked.note = ignored_options_note(rest->ignored);
  return checked;
}

// Links the inputs' bitcode for build.device.
cl_int link_for_device(const std::vector<std::string>& modules, std::vector<std::string> options,
                       bool argument_info, Build& build) {
  build.status = CL_BUILD_ERROR;
  const bool library = std::find(options.begin(), options.end(), "-create-library") != options.end();
  std::erase_if(options, [](const std::string& word) {
    return word == "-create-library" || word == "-enable-link-options" || word == "-cl-no-subgroup-ifp";
  });
  CompileRequest request = compile_request(build, std::move(options));
  const Expected<Bitcode> linked = link_bitcode(request, modules);
  if (!linked) {
    build.log = log_of(linked.error());
    return CL_LINK_PROGRAM_FAILURE;
  }
  if (library) {
    build.type = CL_PROGRAM_BINARY_TYPE_LIBRARY;
    build.binary = make_binary(build, argument_info, linked->bytes);
  } else {
    request.source = linked->bytes;
    request.language = SourceLanguage::bitcode;
    const Expected<CompileResult> compiled = compile(request);
    if (!compiled) {
      build.log = log_of(compiled.error());
      return CL_LINK_PROGRAM_FAILURE;
    }
    if (adopt(*compiled, argument_info, build) != CL_SUCCESS) return CL_LINK_PROGRAM_FAILURE;
  }
  build.status = CL_BUILD_SUCCESS;
  return CL_SUCCESS;
}

// The errors of clLinkProgram that are found before linking begins.
cl_int check_link(cl_context context, cl_uint num_devices, const cl_device_id* devices, cl_uint num_inputs,
                  const cl_program* inputs, bool callback_fits) {
  if (!valid(context)) return CL_INVALID_CONTEXT;
  if ((num_devices == 0) != (devices == nullptr) || num_inputs == 0 || inputs == nullptr || !callback_fits)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < num_inputs; ++i) {
    if (!valid(inputs[i])) return CL_INVALID_PROGRAM;
  }
  for (cl_uint i = 0; i < num_devices; ++i) {
    if (!valid(devices[i]) ||
        std::find(context->devices.begin(), context->devices.end(), devices[i]) == context->devices.end())
      return CL_INVALID_DEVICE;
  }
  return CL_SUCCESS;
}

}  // namespace

cl_int clCompileProgram(cl_program program, cl_uint num_devices, const cl_device_id* devices,
                        const char* options, cl_uint num_headers, const cl_program* headers,
                        const char** names, void(CL_CALLBACK* notify)(cl_program, void*), void* user_data) {
  const cl_int code = guarded([&]() -> cl_int {
    if (!valid(program)) return CL_INVALID_PROGRAM;
    if ((num_devices == 0) != (devices == nullptr) || (notify == nullptr && user_data != nullptr) ||
        (num_headers == 0) != (headers == nullptr) || (num_headers == 0) != (names == nullptr))
      return CL_INVALID_VALUE;
    std::vector<Header> texts;
    for (cl_uint i = 0; i < num_headers; ++i) {
      if (!valid(headers[i])) return CL_INVALID_PROGRAM;
      if (names[i] == nullptr) return CL_INVALID_VALUE;
      texts.push_back({names[i], headers[i]->source});
    }
    const Ref<_cl_program> use(program);
    const std::lock_guard lock(program->mutex);
    if (!program->from_source || program->kernels != 0) return CL_INVALID_OPERATION;
    cl_int result = CL_SUCCESS;
    for (cl_uint i = 0; i < num_devices; ++i) {
      if (!valid(devices[i]) || program->build_for(devices[i]) == nullptr) return CL_INVALID_DEVICE;
    }
    for (Build& build : program->builds) {
      if (devices != nullptr &&
          std::find(devices, devices + num_devices, build.device) == devices + num_devices)
        continue;
      const cl_int done =
          compile_for_device(program->source, options != nullptr ? options : "", texts, build);
      if (result == CL_SUCCESS) result = done;
    }
    return result;
  });
  if (notify != nullptr && (code == CL_SUCCESS || code == CL_COMPILE_PROGRAM_FAILURE)) {
    notify(program, user_data);
    return CL_SUCCESS;
  }
  return code;
}

// A program is returned whenever linking began: its log says why it failed.
cl_program clLinkProgram(cl_context context, cl_uint num_devices, const cl_device_id* devices,
                         const char* options, cl_uint num_inputs, const cl_program* inputs,
                         void(CL_CALLBACK* notify)(cl_program, void*), void* user_data, cl_int* errcode_ret) {
  cl_program made = nullptr;
  cl_int code = guarded([&]() -> cl_int {
    if (const cl_int wrong = check_link(context, num_devices, devices, num_inputs, inputs,
                                        notify != nullptr || user_data == nullptr);
        wrong != CL_SUCCESS)
      return wrong;
    const std::string text = options != nullptr ? options : "";
    const auto checked = check_link_options(text);
    if (!checked) {
      // There is no program yet whose log could say it.
      if (context->notify) context->notify(to_string(checked.error()).c_str());
      return CL_INVALID_LINKER_OPTIONS;
    }
    const std::vector<cl_device_id> all =
        devices != nullptr ? std::vector<cl_device_id>(devices, devices + num_devices) : context->devices;
    auto program = std::make_unique<_cl_program>();
    program->context = context;
    cl_int result = CL_SUCCESS;
    for (const cl_device_id device : all) {
      Build build;
      build.device = device;
      build.options = text;
      std::vector<std::string> modules;
      for (cl_uint i = 0; i < num_inputs; ++i) {
        const std::lock_guard lock(inputs[i]->mutex);
        const Build* input = inputs[i]->build_for(device);
        const auto bitcode = input != nullptr ? bitcode_of(*input) : std::nullopt;
        if (bitcode) modules.push_back(*bitcode);
      }
      // Every input has a compiled object or library for the device, or none has.
      if (modules.empty()) continue;
      if (modules.size() != num_inputs) return CL_INVALID_OPERATION;
      const cl_int done = link_for_device(modules, checked->words, true, build);
      build.log.insert(0, checked->note);
      if (result == CL_SUCCESS) result = done;
      program->builds.push_back(std::move(build));
    }
    if (program->builds.empty()) return CL_INVALID_OPERATION;
    made = program.release();
    return result;
  });
  if (notify != nullptr && made != nullptr) {
    notify(made, user_data);
    code = CL_SUCCESS;
  }
  if (errcode_ret != nullptr) *errcode_ret = code;
  return made;
}
