#include "compile/cache.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "compile/archive.h"
#include "compile/sha256.h"
#include "scratch.h"

namespace lockstep {
namespace {

std::string sha256(std::string_view text) {
  Sha256 hasher;
  hasher.add(text);
  return hasher.finish();
}

// FIPS 180-4's own examples.
TEST(Sha256, GivesTheStandardsValues) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  Sha256 million;
  const std::string part(997, 'a');
  for (int left = 1'000'000; left > 0; left -= 997)
    million.add(std::string_view(part).substr(0, std::min(left, 997)));
  EXPECT_EQ(million.finish(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, FieldsDoNotRunTogether) {
  Sha256 a, b;
  a.field("ab"), a.field("c");
  b.field("a"), b.field("bc");
  EXPECT_NE(a.finish(), b.finish());
}

class CacheTest : public ScratchTest {};

TEST_F(CacheTest, ReturnsWhatWasStored) {
  const Cache cache;
  EXPECT_EQ(cache.directory(), directory + "/cache");
  const std::string key = sha256("key"), content("a\0b\nc", 5);
  EXPECT_FALSE(cache.load(key).has_value());
  cache.store(key, content);
  EXPECT_EQ(cache.load(key), content);
  cache.store(key, "");
  EXPECT_EQ(cache.load(key), "");
}

TEST_F(CacheTest, DropsEntriesAndNothingElse) {
  const Cache cache;
  const std::string large(Cache::limit_bytes / 256, 'x');
  const std::string first = "00" + std::string(62, '1'), second = "00" + std::string(62, '2');
  const auto at = [&](const std::string& name) { return directory + "/cache/00/" + name; };
  const auto age = [&](const std::string& path, int hours) {
    std::filesystem::last_write_time(
        path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  cache.store(first, large);
  age(cache.path(first), 1);
  // A user's files in a folder that is called so, one of them with a name like an entry's; and what killed
  // and living processes were writing.
  const std::string like = std::string(62, 'e'), killed = std::string(62, '3') + ".abcdef",
                    living = std::string(62, '4') + ".abcdef";
  for (const std::string& name : {std::string("thesis"), like, killed, living})
    std::ofstream(at(name)) << large;
  for (const std::string& name : {std::string("thesis"), like, killed}) age(at(name), 5);
  cache.store(second, large);
  EXPECT_TRUE(std::filesystem::exists(at("thesis")));
  EXPECT_TRUE(std::filesystem::exists(at(like)));
  EXPECT_TRUE(std::filesystem::exists(at(living)));
  EXPECT_FALSE(std::filesystem::exists(at(killed)));
  EXPECT_FALSE(cache.load(first).has_value());
  EXPECT_TRUE(cache.load(second).has_value());
}

TEST_F(CacheTest, IgnoresADamagedEntry) {
  const Cache cache;
  const std::string key = sha256("key");
  cache.store(key, "some content");
  std::ifstream in(cache.path(key), std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), {});
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    std::ofstream(cache.path(key), std::ios::binary) << damaged;
    // The line end after the digest is the only byte that carries nothing.
    if (i != whole.size() - 13) {
      EXPECT_FALSE(cache.load(key).has_value()) << "byte " << i;
    }
    std::ofstream(cache.path(key), std::ios::binary) << whole.substr(0, i);
    EXPECT_FALSE(cache.load(key).has_value()) << "cut at " << i;
  }
}

TEST_F(CacheTest, AnUnwritableDirectoryOnlyMisses) {
  const Cache cache("/proc/lockstep");
  cache.store(sha256("key"), "content");
  EXPECT_FALSE(cache.load(sha256("key")).has_value());
  ::setenv("LOCKSTEP_CACHE", "off", 1);
  const Cache off;
  off.store(sha256("key"), "content");
  EXPECT_FALSE(off.load(sha256("key")).has_value());
}

TEST_F(CacheTest, ManyProcessesNeverSeeHalfAnEntry) {
  const Cache cache;
  const std::string key = sha256("shared");
  std::vector<pid_t> children;
  for (int child = 0; child < 4; ++child) {
    const pid_t process = ::fork();
    ASSERT_GE(process, 0);
    if (process == 0) {
      const std::string content(200'000 + 1000 * static_cast<std::size_t>(child),
                                static_cast<char>('a' + child));
      int bad = 0;
      for (int i = 0; i < 50; ++i) {
        cache.store(key, content);
        const auto read = cache.load(key);
        if (!read || read->empty() || read->find_first_not_of((*read)[0]) != std::string::npos ||
            read->size() != 200'000 + 1000 * static_cast<std::size_t>((*read)[0] - 'a'))
          bad = 1;
      }
      ::_exit(bad);
    }
    children.push_back(process);
  }
  for (const pid_t process : children) {
    int status = 1;
    ::waitpid(process, &status, 0);
    EXPECT_EQ(status, 0);
  }
  // No temporary file stays behind.
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(cache.directory()))
    files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, 1u);
}

ListingLine line_at(u64 address) {
  ListingLine line;
  line.address = address;
  line.size_bytes = 4;
  line.text_bytes = 8;
  return line;
}

// What ISA rooms take for granted of a listing holds of every one that is read.
TEST(Archive, RefusesWhatNoListingIs) {
  CompiledObject good;
  good.target = "gfx900";
  good.elf.resize(4096);
  good.listing.files = {"k.cl"};
  good.listing.texts = "s_endpgm";
  good.listing.lines = {line_at(0x1000), line_at(0x1004)};
  good.listing.labels = {{"a", 0x1000}, {"b", 0x1004}};
  good.listing.functions = {{"a", 0x1000, 4, true}, {"b", 0x1004, 4, false}};
  ASSERT_EQ(unpack_object(pack(good)), good);

  const auto refused = [&](const char* what, auto change) {
    CompiledObject bad = good;
    change(bad.listing);
    EXPECT_FALSE(unpack_object(pack(bad)).has_value()) << what;
  };
  refused("out of order", [](Listing& l) { std::swap(l.lines[0], l.lines[1]); });
  refused("overlapping", [](Listing& l) { l.lines[0].size_bytes = 8; });
  refused("without bytes", [](Listing& l) { l.lines[0].size_bytes = 0; });
  refused("of half words", [](Listing& l) { l.lines[1].size_bytes = 6; });
  refused("too long", [](Listing& l) { l.lines[1].size_bytes = 24; });
  refused("at an odd address", [](Listing& l) { l.lines[1].address = 0x1006; });
  refused("farther apart than the object is large", [](Listing& l) { l.lines[1].address = u64{1} << 40; });
  refused("around the address space", [](Listing& l) { l.lines[1].address = ~u64{3}; });
  refused("with a text outside", [](Listing& l) { l.lines[1].text_offset = 4; });
  refused("of a file that is not there", [](Listing& l) { l.lines[1].file = 1; });
  refused("with a label twice", [](Listing& l) { l.labels[1].name = "a"; });
  refused("with functions out of order", [](Listing& l) { l.functions[1].address = 0; });
}

}  // namespace
}  // namespace lockstep
