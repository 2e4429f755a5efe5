// What a compiled result depends on, as the name under which the cache keeps it.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "compile/request.h"

namespace lockstep {

// What is made of the source: a program to run, or a module to be linked with others, for which the files of
// `header_directory` are found by #include (its own path has no part in the key).
struct CacheKind {
  std::string_view name = "program";
  std::string_view header_directory = {};
};

// 64 hexadecimal digits from the source, the files that it includes, all options, the target, the compilers
// and the device libraries. Nothing when the result depends on what cannot be hashed: the date, or files that
// only the compiler finds.
std::optional<std::string> cache_key(const CompileRequest& request, SourceLanguage language,
                                     const std::string& source, const CacheKind& kind = {});

// The key of modules linked to one, for the request's target.
std::string link_key(const CompileRequest& request, const std::vector<std::string>& modules);

}  // namespace lockstep
