#!/usr/bin/env python3
"""Writes the generated instruction cases: generate.py FOLDER. The build runs it; tests/cases/README.md says more."""
import pathlib
import sys

import amd_atomic
import amd_compare
import amd_image
import amd_matrix
import amd_memory
import amd_scalar
import amd_vector
import gen9
import ptx_arithmetic
import ptx_convert
import ptx_matrix
import vliw

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for module in (amd_atomic, amd_compare, amd_image, amd_matrix, amd_memory, amd_scalar, amd_vector, ptx_arithmetic, ptx_convert, ptx_matrix, vliw, gen9):
        module.generate(folder)
