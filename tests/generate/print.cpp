#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "inputs.h"
#include "tree.h"
#include "types.h"

namespace lockstep::generate {
namespace {

u32 hole_number(char c) {
  return c <= '9' ? static_cast<u32>(c - '0') : static_cast<u32>(c - 'a') + 10;
}

void write(const Expression& expression, std::string& out) {
  for (std::size_t i = 0; i < expression.text.size(); ++i) {
    if (expression.text[i] != '$') {
      out += expression.text[i];
    } else {
      write(expression.parts[hole_number(expression.text[++i])], out);
    }
  }
}

void write(const Block& block, u32 depth, std::string& out);

void write(const Statement& statement, u32 depth, std::string& out) {
  const auto indent = [&] { out.append(depth * 2, ' '); };
  indent();
  for (std::size_t i = 0; i < statement.text.size(); ++i) {
    const char c = statement.text[i];
    if (c == '\n') {
      out += c;
      if (statement.text[i + 1] != '@') indent();
    } else if (c == '@') {
      write(statement.blocks[hole_number(statement.text[++i])], depth + 1, out);
      indent();  // the block ended its last line
    } else if (c == '$') {
      write(statement.parts[hole_number(statement.text[++i])], out);
    } else {
      out += c;
    }
  }
  out += '\n';
}

void write(const Block& block, u32 depth, std::string& out) {
  for (const Statement& statement : block) write(statement, depth, out);
}

bool uses(const std::string& text, const std::string& word) {
  const auto part_of_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !part_of_word(text[at - 1])) && (end == text.size() || !part_of_word(text[end])))
      return true;
  }
  return false;
}

std::string dimensions(const std::array<u32, 2>& size, u32 count) {
  return count == 1 ? fmt::format("{}", size[0]) : fmt::format("{},{}", size[0], size[1]);
}

// The outputs of a kernel: directive's type and count, initial contents, and the C declaration.
struct Output {
  std::string name, shape, initial, declaration;
};

std::vector<Output> outputs_of(const Kernel& kernel) {
  const u32 n = kernel.number;
  const std::string value = name(kernel.value);
  return {
      {fmt::format("hash{}", n), fmt::format("ulong[{}]", kernel.items()), "zero",
       fmt::format("global ulong* hash{}", n)},
      {fmt::format("value{}", n), fmt::format("{}[{}]", value, kernel.items()), "zero",
       fmt::format("global {}* value{}", value, n)},
      {fmt::format("own{}", n), fmt::format("uint[{}]", kernel.items() * own_words), "ramp(7,77777)",
       fmt::format("global uint* own{}", n)},
      {fmt::format("cell{}", n), fmt::format("uint[{}]", cell_count), std::string(cell_values),
       fmt::format("volatile global uint* cell{}", n)},
      {fmt::format("wide{}", n), fmt::format("ulong[{}]", wide_count), std::string(wide_values),
       fmt::format("volatile global ulong* wide{}", n)},
  };
}

struct Printed {
  std::string launch, code;
  std::vector<Output> outputs;
};

Printed print(const Kernel& kernel) {
  std::string body;
  if (kernel.dimensions == 1) {
    body += fmt::format("  const uint lid = (uint)get_local_id(0), gid = (uint)(get_global_id(0) - {}u);\n",
                        kernel.offset[0]);
  } else {
    body += fmt::format(
        "  const uint lid = (uint)(get_local_id(1) * {0}u + get_local_id(0));\n"
        "  const uint gid = (uint)((get_global_id(1) - {1}u) * {2}u + get_global_id(0) - {3}u);\n",
        kernel.local[0], kernel.offset[1], kernel.local[0] * kernel.groups[0], kernel.offset[0]);
  }
  std::string statements;
  write(kernel.body, 1, statements);
  for (const Global& local : kernel.locals) {
    if (uses(statements, local.name)) body += "  " + local.text + "\n";
  }
  if (uses(statements, "h")) body += "  ulong h = 1;\n";
  body += statements;

  Printed printed;
  std::string names, parameters;
  const auto add = [&](const std::string& argument, const std::string& declaration) {
    names += (names.empty() ? "" : ",") + argument;
    parameters += (parameters.empty() ? "" : ", ") + declaration;
  };
  for (const Input& input : inputs) {
    if (uses(body, std::string(input.name))) add(std::string(input.name), std::string(input.declaration));
  }
  for (const Output& output : outputs_of(kernel)) {
    if (!uses(body, output.name)) continue;
    add(output.name, output.declaration);
    printed.outputs.push_back(output);
  }
  const std::array<u32, 2> global = {kernel.local[0] * kernel.groups[0], kernel.local[1] * kernel.groups[1]};
  printed.launch =
      fmt::format("// launch: kernel=k{} global={} local={}", kernel.number,
                  dimensions(global, kernel.dimensions), dimensions(kernel.local, kernel.dimensions));
  if (kernel.offset[0] + kernel.offset[1] != 0)
    printed.launch += " offset=" + dimensions(kernel.offset, kernel.dimensions);
  printed.launch += " args=" + names + "\n";
  if (kernel.required_size)
    printed.code +=
        fmt::format("__attribute__((reqd_work_group_size({}, {}, 1)))\n", kernel.local[0], kernel.local[1]);
  printed.code += fmt::format("kernel void k{}({}) {{\n{}}}\n", kernel.number, parameters, body);
  return printed;
}

// Functions of the frame: the bits of floats with every NaN made one number, and vectors folded into 64 bits.
std::string helpers(const std::string& text) {
  std::string out;
  for (const Scalar scalar : {Scalar::f32, Scalar::f64}) {
    for (const u32 lanes : {1u, 2u, 3u, 4u, 8u, 16u}) {
      const Type type{scalar, lanes};
      if (!uses(text, "bits_" + name(type))) continue;
      const std::string result = name(with(type, unsigned_of(scalar)));
      const std::string number = literal(type, 1);
      const std::string chosen = lanes == 1 ? fmt::format("isnan(x) ? {} : x", number)
                                            : fmt::format("select(x, {}, isnan(x))", number);
      out += fmt::format("{0} bits_{1}({1} x) {{ return as_{0}({2}); }}\n", result, name(type), chosen);
    }
  }
  u32 widest = 0;
  for (const u32 lanes : {2u, 3u, 4u, 8u, 16u}) {
    if (uses(text, fmt::format("fold{}", lanes))) widest = lanes;
  }
  if (widest >= 2) out += "ulong fold2(ulong2 v) { return v.x + rotate(v.y, 21UL); }\n";
  if (widest >= 3) out += "ulong fold3(ulong3 v) { return fold2(v.xy) ^ rotate(v.z, 9UL); }\n";
  for (u32 lanes = 4; lanes <= widest; lanes *= 2)
    out += fmt::format(
        "ulong fold{0}(ulong{0} v) {{ return fold{1}(v.lo + rotate(v.hi, (ulong{1})({2}UL))); }}\n", lanes,
        lanes / 2, lanes + 1);
  if (uses(text, "mix"))
    out += "ulong mix(ulong h, ulong x) { h = (h ^ x) * 0x9E3779B97F4A7C15UL; return h ^ (h >> 29); }\n";
  return out;
}

// Of these, what the text and what it uses need; `of` gives an entry's text.
template <class Entry, class Text>
std::string used(const std::vector<Entry>& entries, const std::string& text, Text of) {
  std::string out;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (uses(text, entry->name) || uses(out, entry->name)) out = of(*entry) + out;
  }
  return out;
}

}  // namespace

std::string print(const Module& module) {
  std::string kernels, launches, compares;
  std::vector<Output> outputs;
  for (const Kernel& kernel : module.kernels) {
    const Printed printed = print(kernel);
    kernels += "\n" + printed.code;
    launches += printed.launch;
    outputs.insert(outputs.end(), printed.outputs.begin(), printed.outputs.end());
  }
  const std::string functions = used(module.functions, kernels, [](const Function& function) {
    std::string text = function.head + " {\n";
    write(function.body, 1, text);
    return text + "}\n";
  });
  const std::string globals =
      used(module.globals, functions + kernels, [](const Global& global) { return global.text + "\n"; });
  const std::string code = helpers(functions + kernels) + globals + functions + kernels;

  std::string head = fmt::format("// Generated from seed {}.\n", module.seed);
  for (const Input& input : inputs) {
    if (uses(launches, std::string(input.name)))
      head += fmt::format("// arg: {} {}\n", input.name, input.directive);
  }
  for (const Output& output : outputs) {
    head += fmt::format("// arg: {} buffer {} {}\n", output.name, output.shape, output.initial);
    compares += fmt::format("// compare: {} exact\n", output.name);
  }
  std::string needs;
  if (code.find("float") != code.npos || code.find("double") != code.npos) needs += " denormals";
  if (code.find("double") != code.npos) needs += " fp64";
  if (code.find("atom_") != code.npos) needs += " int64_atomics";
  head += launches + compares;
  if (!needs.empty()) head += "// needs:" + needs + "\n";
  head += "#pragma OPENCL FP_CONTRACT OFF\n";
  if (code.find("double") != code.npos) head += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
  if (code.find("atom_") != code.npos)
    head +=
        "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
        "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n";
  return head + code;
}

}  // namespace lockstep::generate
