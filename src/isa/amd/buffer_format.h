// Rows of the typed buffer instructions.
#pragma once
#include "isa/amd/memory_rows.h"

namespace lockstep::amd {

void add_buffer_formats(RowList& rows);

}  // namespace lockstep::amd
