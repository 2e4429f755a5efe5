// Atomics whose place among those of other work-items nobody can tell.
#pragma once
#include "isa/nv/syntax.h"

namespace lockstep::nv {

// Marks a function's atomics whose results nothing reads (Statement::unread): they are reductions, as the
// vendor's assembler makes of them.
void mark_unread(FunctionTree& function);

// To be called behind mark_unread. Marks a function's atomics on memory of the device (Statement::unobserved)
// where nothing that it does depends on when they are performed: they are integers' operations of one kind
// and type, which commute, none of their results is read, and the function reads no memory that they could
// change, calls nothing and has no fences.
void mark_unobserved(FunctionTree& function);

}  // namespace lockstep::nv
