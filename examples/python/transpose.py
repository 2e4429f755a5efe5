"""Two ways to transpose a matrix: what they cost on three GPUs, and which tile is the best."""
import sys
from pathlib import Path

import numpy as np

import lockstep

source = Path(__file__).resolve().parent.parent / "transpose.cl"
n = 128
matrix = np.arange(n * n, dtype=np.float32).reshape(n, n)
launch = dict(global_size=(n, n), local_size=(16, 16), args={"n": n, "in": matrix, "out": np.zeros_like(matrix)})

for kernel in ("transpose_naive", "transpose_tiled"):
    result = lockstep.run(source, gpu="mi25", kernel=kernel, **launch)
    assert (result.arrays["out"] == matrix.T).all()
    print(f"{kernel}: {result.time_ns:.0f} ns, bound by {result.bound}, occupancy {result.occupancy:.0%}")

print(lockstep.compare(source, ["mi25", "v100", "rx6900xt"], kernel="transpose_tiled", **launch))

best = lockstep.tune(source, {"local": [(8, 8), (16, 16), (32, 8)]}, kernel="transpose_naive", gpu="v100",
                     global_size=(n, n), args=launch["args"]).best
print("the best group:", best["local"])
