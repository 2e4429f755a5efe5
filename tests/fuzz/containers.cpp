// Files that hold other files: compiled programs as the cache and clGetProgramInfo keep them, entries of the
// cache, bundles of code objects.
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "compile/archive.h"
#include "compile/bundle.h"
#include "compile/cache.h"
#include "fuzz/kind.h"
#include "fuzz/objects.h"

namespace lockstep::fuzz {
namespace {

std::vector<std::string> archive_seeds() {
  std::vector<std::string> seeds;
  for (const CompiledObject& object : objects()) seeds.push_back(pack(object));
  seeds.push_back(pack(PtxText{"sm_70", ".version 7.0\n.target sm_70\n.address_size 64\n", "log"}));
  return seeds;
}

template <class T>
T* any_of(std::vector<T>& list, Random& random) {
  return list.empty() ? nullptr : &list[below(random, list.size())];
}

// One field of what is packed, so that everything around it stays right.
void mutate_archive(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  auto object = unpack_object(input);
  if (!object || below(random, 3) == 0) return mutate_bytes(input, seeds, random);
  Listing& listing = object->listing;
  const auto number = [&] { return edge_number(random); };
  ListingLine* line = any_of(listing.lines, random);
  ListingLabel* label = any_of(listing.labels, random);
  ListingFunction* function = any_of(listing.functions, random);
  switch (below(random, 14)) {
    case 0:
      if (line) line->address = number();
      break;
    case 1:
      if (line) line->address += 4 * (below(random, 9))-16;
      break;
    case 2:
      if (line) line->size_bytes = static_cast<u32>(below(random, 24));
      break;
    case 3:
      if (line) line->file = static_cast<u32>(number());
      break;
    case 4:
      if (line) line->line = static_cast<u32>(number());
      break;
    case 5:
      if (line) line->text_bytes = static_cast<u32>(below(random, 64));
      break;
    case 6:
      if (line) line->text_offset = static_cast<u32>(number());
      break;
    case 7:
      if (line) std::swap(*line, *any_of(listing.lines, random));
      break;
    case 8:
      if (line) listing.lines.erase(listing.lines.begin() + (line - listing.lines.data()));
      break;
    case 9:
      if (label) label->address = number();
      break;
    case 10:
      if (label) label->name = any_of(listing.labels, random)->name;
      break;
    case 11:
      if (function) function->address = number();
      break;
    case 12:
      if (function) function->size_bytes = number();
      break;
    default:
      if (!object->elf.empty()) object->elf[below(random, object->elf.size())] = static_cast<u8>(random());
  }
  input = pack(*object);
}

std::optional<std::string> read_archive(const std::string& input) {
  if (const auto object = unpack_object(input)) return load(*object, false);
  unpack_ptx(input);
  return std::nullopt;
}

const Folder& cache_folder() {
  static const Folder folder;
  return folder;
}

const std::string cache_key(64, '5');

std::vector<std::string> cache_seeds() {
  const Cache cache(cache_folder().path);
  std::vector<std::string> seeds;
  for (const std::string& content : archive_seeds()) {
    cache.store(cache_key, content);
    seeds.push_back(read_whole(cache.path(cache_key)));
  }
  return seeds;
}

std::optional<std::string> read_cache(const std::string& input) {
  const Cache cache(cache_folder().path);
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(cache.path(cache_key)).parent_path(), error);
  std::ofstream(cache.path(cache_key), std::ios::binary) << input;
  const auto content = cache.load(cache_key);
  return content ? read_archive(*content) : std::nullopt;
}

const Target& bundle_target() {
  return *find_target("gfx803");
}

std::vector<std::string> bundle_seeds() {
  std::string head = "__CLANG_OFFLOAD_BUNDLE__", names;
  const auto put = [&](u64 value) { head.append(reinterpret_cast<const char*>(&value), 8); };
  const std::vector<std::string> entries = {"host-x86_64-unknown-linux-gnu-",
                                            "hipv4-amdgcn-amd-amdhsa--gfx900",
                                            "hipv4-amdgcn-amd-amdhsa--gfx803:xnack-"};
  put(entries.size());
  std::string contents;
  u64 head_bytes = 32;
  for (const std::string& entry : entries) head_bytes += 24 + entry.size();
  for (const std::string& entry : entries) {
    const std::string object = entry.starts_with("host")
                                   ? ""
                                   : read_whole(LOCKSTEP_SOURCE_DIR "/tests/data/objects/v4_gfx803.hsaco");
    put(head_bytes + contents.size());
    put(object.size());
    put(entry.size());
    head += entry;
    contents += object;
  }
  return {head + contents, "CCOB\3\0\0\0"};
}

// Mostly the table at the beginning.
void mutate_bundle(std::string& input, const std::vector<std::string>& seeds, Random& random) {
  if (below(random, 4) == 0 || input.size() < 300) return mutate_bytes(input, seeds, random);
  std::string head = input.substr(0, 300);
  mutate_bytes(head, seeds, random);
  input.replace(0, 300, head);
}

std::optional<std::string> read_bundle(const std::string& input) {
  if (!is_bundle(input)) return std::nullopt;
  const auto object = take_from_bundle(input, bundle_target(), "bundle.hipfb");
  return object ? std::nullopt : check_diagnostic(object.error(), false);
}

}  // namespace

std::vector<Kind> container_kinds() {
  return {{"archive", archive_seeds, mutate_archive, read_archive},
          {"cache", cache_seeds, mutate_bytes, read_cache},
          {"bundle", bundle_seeds, mutate_bundle, read_bundle}};
}

}  // namespace lockstep::fuzz
