// Runs the rows, and holds them against specification.txt: every function and every code that the
// specification names has a row or a reason why it cannot be provoked.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "table.h"

namespace conformance {
namespace {

constexpr const char* source =
    "__kernel void write_ids(__global int* a) { a[get_global_id(0)] = (int)get_global_id(0); }\n"
    "__kernel __attribute__((reqd_work_group_size(4, 1, 1))) void fixed(__global int* a) { a[0] = 1; }\n"
    "__kernel void use_local(__global int* a, __local int* t, float by) { t[0] = 1; a[0] = t[0] + (int)by; "
    "}\n";
constexpr const char* image_source =
    "__kernel void sample(__read_only image2d_t i, sampler_t s, __global float4* o) {\n"
    "  o[0] = read_imagef(i, s, (float2)(0.5f, 0.5f)); }\n";

cl_program build(World& w, const std::string& text) {
  const char* string = text.c_str();
  const cl_program program = clCreateProgramWithSource(w.context, 1, &string, nullptr, nullptr);
  clBuildProgram(program, 1, &w.device, "-cl-kernel-arg-info", nullptr, nullptr);
  return program;
}

cl_mem image(cl_context context, cl_mem_flags flags, cl_channel_type type = CL_UNSIGNED_INT8) {
  const cl_image_format format{CL_R, type};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = 8;
  desc.image_height = 4;
  return clCreateImage(context, flags, &format, &desc, nullptr, nullptr);
}

bool has_sub_groups(cl_device_id device) {
  cl_uint most = 0;
  clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof(most), &most, nullptr);
  return most != 0;
}

bool has_shared_memory(cl_device_id device) {
  cl_device_svm_capabilities able = 0;
  clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(able), &able, nullptr);
  return able != 0;
}

World& world() {
  static World the_world;
  return the_world;
}

const std::vector<std::pair<cl_int, const char*>>& names() {
  static const std::vector<std::pair<cl_int, const char*>> list = {
      {CL_SUCCESS, "SUCCESS"},
      {CL_DEVICE_NOT_FOUND, "DEVICE_NOT_FOUND"},
      {CL_MEM_OBJECT_ALLOCATION_FAILURE, "MEM_OBJECT_ALLOCATION_FAILURE"},
      {CL_OUT_OF_RESOURCES, "OUT_OF_RESOURCES"},
      {CL_OUT_OF_HOST_MEMORY, "OUT_OF_HOST_MEMORY"},
      {CL_PROFILING_INFO_NOT_AVAILABLE, "PROFILING_INFO_NOT_AVAILABLE"},
      {CL_MEM_COPY_OVERLAP, "MEM_COPY_OVERLAP"},
      {CL_IMAGE_FORMAT_MISMATCH, "IMAGE_FORMAT_MISMATCH"},
      {CL_IMAGE_FORMAT_NOT_SUPPORTED, "IMAGE_FORMAT_NOT_SUPPORTED"},
      {CL_BUILD_PROGRAM_FAILURE, "BUILD_PROGRAM_FAILURE"},
      {CL_MISALIGNED_SUB_BUFFER_OFFSET, "MISALIGNED_SUB_BUFFER_OFFSET"},
      {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
      {CL_COMPILE_PROGRAM_FAILURE, "COMPILE_PROGRAM_FAILURE"},
      {CL_LINK_PROGRAM_FAILURE, "LINK_PROGRAM_FAILURE"},
      {CL_KERNEL_ARG_INFO_NOT_AVAILABLE, "KERNEL_ARG_INFO_NOT_AVAILABLE"},
      {CL_INVALID_VALUE, "INVALID_VALUE"},
      {CL_INVALID_DEVICE_TYPE, "INVALID_DEVICE_TYPE"},
      {CL_INVALID_PLATFORM, "INVALID_PLATFORM"},
      {CL_INVALID_DEVICE, "INVALID_DEVICE"},
      {CL_INVALID_CONTEXT, "INVALID_CONTEXT"},
      {CL_INVALID_QUEUE_PROPERTIES, "INVALID_QUEUE_PROPERTIES"},
      {CL_INVALID_COMMAND_QUEUE, "INVALID_COMMAND_QUEUE"},
      {CL_INVALID_HOST_PTR, "INVALID_HOST_PTR"},
      {CL_INVALID_MEM_OBJECT, "INVALID_MEM_OBJECT"},
      {CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "INVALID_IMAGE_FORMAT_DESCRIPTOR"},
      {CL_INVALID_IMAGE_SIZE, "INVALID_IMAGE_SIZE"},
      {CL_INVALID_SAMPLER, "INVALID_SAMPLER"},
      {CL_INVALID_BINARY, "INVALID_BINARY"},
      {CL_INVALID_BUILD_OPTIONS, "INVALID_BUILD_OPTIONS"},
      {CL_INVALID_PROGRAM, "INVALID_PROGRAM"},
      {CL_INVALID_PROGRAM_EXECUTABLE, "INVALID_PROGRAM_EXECUTABLE"},
      {CL_INVALID_KERNEL_NAME, "INVALID_KERNEL_NAME"},
      {CL_INVALID_KERNEL, "INVALID_KERNEL"},
      {CL_INVALID_ARG_INDEX, "INVALID_ARG_INDEX"},
      {CL_INVALID_ARG_VALUE, "INVALID_ARG_VALUE"},
      {CL_INVALID_ARG_SIZE, "INVALID_ARG_SIZE"},
      {CL_INVALID_KERNEL_ARGS, "INVALID_KERNEL_ARGS"},
      {CL_INVALID_WORK_DIMENSION, "INVALID_WORK_DIMENSION"},
      {CL_INVALID_WORK_GROUP_SIZE, "INVALID_WORK_GROUP_SIZE"},
      {CL_INVALID_WORK_ITEM_SIZE, "INVALID_WORK_ITEM_SIZE"},
      {CL_INVALID_GLOBAL_OFFSET, "INVALID_GLOBAL_OFFSET"},
      {CL_INVALID_EVENT_WAIT_LIST, "INVALID_EVENT_WAIT_LIST"},
      {CL_INVALID_EVENT, "INVALID_EVENT"},
      {CL_INVALID_OPERATION, "INVALID_OPERATION"},
      {CL_INVALID_BUFFER_SIZE, "INVALID_BUFFER_SIZE"},
      {CL_INVALID_GLOBAL_WORK_SIZE, "INVALID_GLOBAL_WORK_SIZE"},
      {CL_INVALID_PROPERTY, "INVALID_PROPERTY"},
      {CL_INVALID_IMAGE_DESCRIPTOR, "INVALID_IMAGE_DESCRIPTOR"},
      {CL_INVALID_COMPILER_OPTIONS, "INVALID_COMPILER_OPTIONS"},
      {CL_INVALID_LINKER_OPTIONS, "INVALID_LINKER_OPTIONS"},
  };
  return list;
}

Rows all_rows() {
  Rows rows;
  for (const Rows& part : {platform_rows(), queue_rows(), buffer_rows(), image_rows(), optional_rows(),
                           program_rows(), kernel_rows(), event_rows()})
    rows.insert(rows.end(), part.begin(), part.end());
  return rows;
}

class ErrorTableRow : public ::testing::TestWithParam<Row> {};

TEST_P(ErrorTableRow, GivesItsCode) {
  World& w = world();
  ASSERT_NE(w.context, nullptr);
  switch (GetParam().needs) {
    case Needs::nothing:
      break;
    case Needs::images:
      if (!w.images) GTEST_SKIP() << "no images";
      break;
    case Needs::no_images:
      if (w.images) GTEST_SKIP() << "has images";
      break;
    case Needs::sub_groups:
      if (!has_sub_groups(w.device)) GTEST_SKIP() << "no sub-groups";
      break;
    case Needs::no_sub_groups:
      if (has_sub_groups(w.device)) GTEST_SKIP() << "has sub-groups";
      break;
    case Needs::no_shared_memory:
      if (has_shared_memory(w.device)) GTEST_SKIP() << "has shared virtual memory";
      break;
  }
  EXPECT_EQ(code_name(GetParam().call(w)), code_name(GetParam().code));
}

INSTANTIATE_TEST_SUITE_P(All, ErrorTableRow, ::testing::ValuesIn(all_rows()), [](const auto& info) {
  return std::string(info.param.function) + "_" + code_name(info.param.code) + "_" +
         std::to_string(info.index);
});

// A line is "function: CODE CODE(reason) ..."; gives the codes without a reason.
std::map<std::string, std::set<std::string>> specification() {
  std::map<std::string, std::set<std::string>> table;
  std::ifstream file(CONFORMANCE_SPECIFICATION);
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t colon = line.find(':');
    if (line.starts_with("#") || line.starts_with("[") || colon == std::string::npos) continue;
    std::set<std::string>& codes = table[line.substr(0, colon)];
    std::istringstream words(line.substr(colon + 1));
    std::string word;
    while (words >> word) {
      const bool reasoned = word.find('(') != std::string::npos;
      if (!reasoned) {
        codes.insert(word);
        continue;
      }
      while (word.find(')') == std::string::npos && words >> word) continue;
    }
  }
  return table;
}

TEST(ErrorTable, IsComplete) {
  const auto demanded = specification();
  ASSERT_GE(demanded.size(), 110u) << CONFORMANCE_SPECIFICATION;
  std::map<std::string, std::set<std::string>> present;
  for (const Row& row : all_rows()) present[row.function].insert(code_name(row.code));
  std::size_t codes = 0;
  for (const auto& [function, list] : demanded) {
    for (const std::string& code : list) {
      EXPECT_TRUE(present[function].contains(code)) << function << " has no row for CL_" << code;
      ++codes;
    }
    const auto& rows = present[function];
    // What every device refuses has no success.
    const bool refused = list.contains("INVALID_OPERATION") || function == "clCreateSubDevices" ||
                         function == "clGetPipeInfo" || function == "clCreateProgramWithBuiltInKernels";
    EXPECT_TRUE(refused || rows.contains("SUCCESS")) << function << " has no row for its success";
  }
  for (const auto& [function, list] : present) {
    const auto known = demanded.find(function);
    ASSERT_NE(known, demanded.end()) << function;
    for (const std::string& code : list)
      EXPECT_TRUE(code == "SUCCESS" || known->second.contains(code)) << function << ": CL_" << code;
  }
  RecordProperty("functions", static_cast<int>(demanded.size()));
  RecordProperty("codes", static_cast<int>(codes));
  std::printf("%zu functions, %zu error codes with a row, %zu rows\n", demanded.size(), codes,
              all_rows().size());
}

}  // namespace

std::string code_name(cl_int code) {
  for (const auto& [value, name] : names()) {
    if (value == code) return name;
  }
  return "code " + std::to_string(code);
}

void add_enqueue(Rows& rows, const char* function, bool blocks, const Enqueue& call, Needs needs) {
  rows.push_back({function, CL_SUCCESS, [=](World& w) { return call(w, w.queue, 1, &w.complete); }, needs});
  rows.push_back({function, CL_SUCCESS, [=](World& w) { return call(w, w.queue, 0, nullptr); }, needs});
  rows.push_back(
      {function, CL_INVALID_COMMAND_QUEUE, [=](World& w) { return call(w, nullptr, 0, nullptr); }, needs});
  rows.push_back(
      {function, CL_INVALID_EVENT_WAIT_LIST, [=](World& w) { return call(w, w.queue, 1, nullptr); }, needs});
  rows.push_back({function, CL_INVALID_EVENT_WAIT_LIST,
                  [=](World& w) {
                    const cl_event none = nullptr;
                    return call(w, w.queue, 1, &none);
                  },
                  needs});
  rows.push_back(
      {function, CL_INVALID_CONTEXT, [=](World& w) { return call(w, w.queue, 1, &w.foreign_event); }, needs});
  if (blocks) {
    rows.push_back({function, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                    [=](World& w) { return call(w, w.queue, 1, &w.failed); }, needs});
  }
}

World::World() {
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS) return;
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
  context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  elsewhere = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  foreign_queue = clCreateCommandQueueWithProperties(elsewhere, device, nullptr, nullptr);
  const cl_queue_properties profiling[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  profiled = clCreateCommandQueueWithProperties(context, device, profiling, nullptr);
  memory = clCreateBuffer(context, 0, 4096, nullptr, nullptr);
  other = clCreateBuffer(context, 0, 4096, nullptr, nullptr);
  foreign = clCreateBuffer(elsewhere, 0, 4096, nullptr, nullptr);
  unread = clCreateBuffer(context, CL_MEM_HOST_WRITE_ONLY, 4096, nullptr, nullptr);
  unwritten = clCreateBuffer(context, CL_MEM_HOST_READ_ONLY, 4096, nullptr, nullptr);
  complete = clCreateUserEvent(context, nullptr);
  failed = clCreateUserEvent(context, nullptr);
  foreign_event = clCreateUserEvent(elsewhere, nullptr);
  clSetUserEventStatus(complete, CL_COMPLETE);
  clSetUserEventStatus(failed, -1);
  clSetUserEventStatus(foreign_event, CL_COMPLETE);
  clEnqueueFillBuffer(profiled, other, host, 4, 0, 64, 0, nullptr, &command);
  clFinish(profiled);
  cl_bool present = CL_FALSE;
  clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof(present), &present, nullptr);
  images = present == CL_TRUE;
  program = build(*this, std::string(source) + (images ? image_source : ""));
  const char* text = source;
  unbuilt = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
  kernel = clCreateKernel(program, "write_ids", nullptr);
  unset = clCreateKernel(program, "write_ids", nullptr);
  fixed = clCreateKernel(program, "fixed", nullptr);
  local = clCreateKernel(program, "use_local", nullptr);
  clSetKernelArg(kernel, 0, sizeof(memory), &memory);
  clSetKernelArg(fixed, 0, sizeof(memory), &memory);
  if (!images) return;
  sampling = clCreateKernel(program, "sample", nullptr);
  image = conformance::image(context, 0);
  other_image = conformance::image(context, 0);
  foreign_image = conformance::image(elsewhere, 0);
  unread_image = conformance::image(context, CL_MEM_HOST_WRITE_ONLY);
  unwritten_image = conformance::image(context, CL_MEM_HOST_READ_ONLY);
  signed_image = conformance::image(context, 0, CL_SIGNED_INT8);
  sampler = clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, nullptr);
}

World::~World() {
  clFinish(queue);
  for (const cl_event each : {complete, failed, foreign_event, command}) clReleaseEvent(each);
  for (const cl_kernel each : {kernel, unset, fixed, local}) clReleaseKernel(each);
  for (const cl_program each : {program, unbuilt}) clReleaseProgram(each);
  for (const cl_mem each : {memory, other, foreign, unread, unwritten}) clReleaseMemObject(each);
  if (images) {
    clReleaseKernel(sampling);
    clReleaseSampler(sampler);
    for (const cl_mem each : {image, other_image, foreign_image, unread_image, unwritten_image, signed_image})
      clReleaseMemObject(each);
  }
  for (const cl_command_queue each : {queue, profiled, foreign_queue}) clReleaseCommandQueue(each);
  clReleaseContext(context);
  clReleaseContext(elsewhere);
}

}  // namespace conformance
