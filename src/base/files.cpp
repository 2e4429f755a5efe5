#include "base/files.h"

#include <cstdio>
#include <fstream>

namespace lockstep {

Status write_whole_file(const std::string& path, std::string_view content) {
  const std::string temporary = path + ".part";
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out || std::rename(temporary.c_str(), path.c_str()) != 0) {
    std::remove(temporary.c_str());
    return Diagnostic{"cannot-write", {path, 0, 0}, "the file cannot be written", "does its folder exist?"};
  }
  return Success{};
}

}  // namespace lockstep
