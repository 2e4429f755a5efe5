// Compiled results as bytes, for the cache. A format of this build only: the version is part of the cache
// key.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "compile/nvptx.h"
#include "isa/listing.h"

namespace lockstep {

inline constexpr std::string_view archive_version = "lockstep archive 3";

std::string pack(const CompiledObject& object);
std::string pack(const PtxText& text);
// Nothing when the bytes are not what pack() made: cut off, with pieces behind, or with a listing out of
// order, overlapping, or pointing outside of its texts, files or object.
std::optional<CompiledObject> unpack_object(std::string_view bytes);
std::optional<PtxText> unpack_ptx(std::string_view bytes);

}  // namespace lockstep
