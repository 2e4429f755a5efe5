"""GPU kernels on modelled GPUs.

    import lockstep, numpy as np
    x, y = np.arange(1024, dtype=np.float32), np.zeros(1024, np.float32)
    result = lockstep.run("saxpy.cl", gpu="mi25", n=1024, a=2.0, x=x, y=y)
    result.arrays["y"], result.time_ns, result.bound

docs/python.md explains it.
"""
from ._library import Error, library
from .launch import compare, compare_reports, gpus, launches, occupancy, opencl_environment, run, tune
from .results import Change, Comparison, Gpus, Occupancy, Report, Run, Tuning

__version__ = "0.1.0"
__all__ = ["run", "occupancy", "gpus", "compare", "compare_reports", "tune", "launches", "opencl_environment", "Error",
           "Run", "Report", "Comparison", "Change", "Tuning", "Occupancy", "Gpus", "library"]
