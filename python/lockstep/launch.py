"""What can be asked of Lockstep."""
import ctypes
import json
import os
import tempfile
from ctypes import c_char_p, c_size_t, c_void_p
from pathlib import Path

import numpy as np

from ._library import Error, Progress, check, library, text_of
from .results import Change, Comparison, Gpus, Occupancy, Report, Run, Tuning

# NumPy's element types in OpenCL C's words.
_types = {"float32": "float", "float64": "double", "float16": "half", "int8": "char", "uint8": "uchar", "int16": "short",
          "uint16": "ushort", "int32": "int", "uint32": "uint", "int64": "long", "uint64": "ulong", "bool": "uchar"}


def _checks(value):
    """A list of checks, True or a text as --check takes it; None for none."""
    if not value or isinstance(value, str):
        return value or None
    return "all" if value is True else ",".join(value)


def _size(value):
    if value is None or isinstance(value, str):
        return value
    return ",".join(str(int(one)) for one in (value if np.iterable(value) else (value,)))


def _literal(value):
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    return repr(float(value))


class _Launch:
    """A lockstep_launch, filled; and a folder for a source that was given as a text."""

    def __init__(self, program, gpu, arguments, options):
        self._folder = None
        self.arrays = {}
        if "\n" in str(program) or "{" in str(program):
            self._folder = tempfile.TemporaryDirectory(prefix="lockstep-python-")
            path = Path(self._folder.name) / ("kernel" + options.pop("suffix", ".cl"))
            path.write_text(str(program))
            program = path
        options.pop("suffix", None)
        self.lib = library()
        self.handle = self.lib.lockstep_launch_create(os.fsencode(program), gpu.encode() if gpu else None)
        if not self.handle:
            raise MemoryError("Lockstep has no memory left for a launch")
        try:
            self._fill(arguments, options)
        except BaseException:
            self.close()
            raise

    def _fill(self, arguments, options):
        defines = options.pop("defines", None) or {}
        names = {"global_size": "global", "local_size": "local", "grid": "grid", "offset": "offset"}
        for name, key in names.items():
            if options.get(name) is not None:
                self.set(key, _size(options[name]))
            options.pop(name, None)
        for key, value in options.items():
            if value is None or value is False:
                continue
            self.set({"optimisation": "O"}.get(key, key).replace("_", "-"), "1" if value is True else str(value))
        for name, value in defines.items() if isinstance(defines, dict) else ((one, None) for one in defines):
            self.set("define", name if value is None else f"{name}={value}")
        for name, value in arguments.items():
            self._argument(name, value)

    def _argument(self, name, value):
        if isinstance(value, str):
            self.set("arg", f"{name}={value}")
        elif value is None:
            self.set("arg", f"{name}=null")
        elif isinstance(value, (bytes, bytearray)) or isinstance(value, np.void):
            raw = bytes(value)
            self._call(self.lib.lockstep_launch_value, name.encode(), raw, len(raw))
        elif isinstance(value, np.ndarray) and value.ndim > 0:
            self._buffer(name, value)
        elif isinstance(value, (int, float, np.generic, np.ndarray)):
            self.set("arg", f"{name}={_literal(value.item() if hasattr(value, 'item') else value)}")
        elif isinstance(value, (tuple, list)):
            self.set("arg", f"{name}={','.join(_literal(one) for one in value)}")
        else:
            raise TypeError(f"argument '{name}': wanted is a number, a tuple (a vector), an array, bytes (a structure), a text "
                            f"as --arg takes it, or None; it is a {type(value).__name__}")

    def _buffer(self, name, array):
        # A GPU's numbers lie in the host's order; read() gives them in the array's own again.
        held = np.ascontiguousarray(array, array.dtype.newbyteorder("="))
        if held.dtype.kind == "c":
            raise TypeError(f"argument '{name}': OpenCL C has no complex numbers: give pairs, x.view(np.float32)")
        self._call(self.lib.lockstep_launch_buffer, name.encode(),
                   _types[held.dtype.name].encode() if held.dtype.name in _types else None,
                   held.ctypes.data_as(c_void_p), held.nbytes)
        self.arrays[name] = array

    def _call(self, function, *arguments):
        error = c_void_p()
        check(function(self.handle, *arguments, ctypes.byref(error)), error)

    def set(self, key, value):
        self._call(self.lib.lockstep_launch_set, key.encode(), value.encode())

    def run(self, progress):
        interrupted = []

        def ask(_user, what, done):
            # Python notices Ctrl-C while this runs.
            try:
                return 1 if progress is not None and progress(what.decode(), done) is False else 0
            except BaseException as error:  # raised again behind the call
                interrupted.append(error)
                return 1

        callback = Progress(ask)
        self.lib.lockstep_launch_progress(self.handle, callback, None)
        report = c_void_p()
        self._call(self.lib.lockstep_launch_run, ctypes.byref(report))
        try:
            if interrupted:
                raise interrupted[0]
            texts = [getattr(self.lib, "lockstep_report_" + part)(report).decode(errors="replace")
                     for part in ("json", "text", "printed")]
        finally:
            self.lib.lockstep_report_free(report)
        arrays = {name: self.read(name, array) for name, array in self.arrays.items()}
        return Run(json.loads(texts[0]), texts[1], texts[2], arrays)

    def read(self, name, like):
        size = c_size_t()
        self._call(self.lib.lockstep_launch_read, name.encode(), None, 0, ctypes.byref(size))
        out = np.empty(like.shape, like.dtype.newbyteorder("="))
        self._call(self.lib.lockstep_launch_read, name.encode(), out.ctypes.data_as(c_void_p), out.nbytes, ctypes.byref(size))
        return out.astype(like.dtype, copy=False)

    def close(self):
        if self.handle:
            self.lib.lockstep_launch_free(self.handle)
            self.handle = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _first_size(options, args):
    """A launch whose size is not said has a work-item for each element of its largest array."""
    if options.get("global_size") is None and options.get("grid") is None:
        sizes = [value.size for value in args.values() if isinstance(value, np.ndarray) and value.ndim > 0]
        if not sizes:
            raise Error("the launch's size is missing: global_size=1024, or grid= and local_size=", "bad-size")
        options["global_size"] = max(sizes)


def run(program, *, gpu=None, kernel=None, global_size=None, local_size=None, grid=None, offset=None, args=None, defines=None,
        check=None, functional=False, what_if=False, raise_on_failure=True, progress=None, **more):
    """Runs a kernel. `program` is a file, or its source (OpenCL C; `suffix=".hip"` or ".cu" otherwise).

    Arguments are keywords or `args`: numbers, tuples (vectors), NumPy arrays (buffers), bytes (structures), None (a null
    pointer), or texts as `lockstep run --arg NAME=...` takes them. Arrays are not changed: `arrays` of the result has what
    the buffers hold afterwards. Other keywords that name options of a launch are taken as such: clock, options,
    optimisation, dynamic_local, bank_bytes, repeat, cold, threads, max_instructions, suffix. Raises Error; also where the launch failed
    or a check found something, unless `raise_on_failure` is False."""
    options, arguments = _split(more, args)
    options.update(kernel=kernel, global_size=global_size, local_size=local_size, grid=grid, offset=offset,
                   defines=defines, check=_checks(check), functional=functional, what_if=what_if)
    _first_size(options, arguments)
    with _Launch(program, gpu, arguments, options) as launch:
        result = launch.run(progress)
    if raise_on_failure:
        for one in ([result.failure] if result.failure else []) + result.violations:
            error = Error(one["text"], one["code"], one["message"], one["hint"], one["file"], one["line"], one["column"])
            error.report = result
            raise error
    return result


_options = {"clock", "options", "optimisation", "dynamic_local", "bank_bytes", "repeat", "cold", "threads", "max_instructions", "suffix"}


def _split(more, args):
    options = {name: value for name, value in more.items() if name in _options}
    arguments = dict(args or {})
    arguments.update({name: value for name, value in more.items() if name not in _options})
    return options, arguments


def gpus():
    """The modelled GPUs."""
    return Gpus(json.loads(text_of(library().lockstep_gpus)))


def occupancy(gpu, local_size, *, vector_registers=0, scalar_registers=0, local_bytes=0):
    """What a compute unit holds of work-groups of this size that need so much."""
    items = int(np.prod(local_size))
    return Occupancy(json.loads(text_of(library().lockstep_occupancy, gpu.encode(), items, vector_registers,
                                        scalar_registers, local_bytes)))


def compare(program, gpus, *, kernel=None, global_size=None, local_size=None, grid=None, offset=None, args=None, defines=None,
            functional=False, **more):
    """The same launch on several GPUs; arguments as run() takes them."""
    names = gpus if isinstance(gpus, str) else ",".join(gpus)
    options, arguments = _split(more, args)
    options.update(kernel=kernel, global_size=global_size, local_size=local_size, grid=grid, offset=offset,
                   defines=defines, functional=functional)
    threads = int(options.pop("threads", None) or os.cpu_count() or 1)
    _first_size(options, arguments)
    with _Launch(program, names.split(",")[0], arguments, options) as launch:
        return Comparison(json.loads(text_of(launch.lib.lockstep_compare, launch.handle, names.encode(), threads)))


def compare_reports(before, after):
    """Two reports, before and after a change: Report or Run objects, or the JSON files of `lockstep run --json`."""
    texts = [one.to_json() if isinstance(one, Report) else Path(one).read_text() for one in (before, after)]
    return Change(json.loads(text_of(library().lockstep_compare_reports, *(text.encode() for text in texts))))


def tune(program, space, *, where=(), database=None, jobs=None, gpu=None, kernel=None, global_size=None, local_size=None,
         grid=None, offset=None, args=None, defines=None, **more):
    """Every point of a grid: `space` is {"define:TS": [8, 16], "local": [64, (16, 16)]}; `where` constraints, `database` a
    file that keeps results (docs/tuning.md). Arguments as run() takes them."""
    options, arguments = _split(more, args)
    options.update(kernel=kernel, global_size=global_size, local_size=local_size, grid=grid, offset=offset, defines=defines)
    if not {"global", "grid"} & set(space):
        _first_size(options, arguments)
    words = [f"{name}=" + ",".join("x".join(str(one) for one in value) if isinstance(value, (tuple, list)) else str(value)
                                   for value in values) for name, values in space.items()]
    constraints = [where] if isinstance(where, str) else list(where)

    def texts(list_):
        return (c_char_p * (len(list_) + 1))(*[one.encode() for one in list_], None)

    with _Launch(program, gpu, arguments, options) as launch:
        return Tuning(json.loads(text_of(launch.lib.lockstep_tune, launch.handle, texts(words), texts(constraints),
                                         os.fsencode(database or ""), jobs or os.cpu_count() or 1)))


def opencl_environment(gpu=None, reports=None, mode="auto", check=None):
    """Environment variables with which pyopencl, or any other OpenCL application, finds a modelled GPU and leaves reports of
    its launches in the folder `reports`. Set them before pyopencl is imported:
    os.environ.update(lockstep.opencl_environment("v100", reports="r")); then lockstep.launches("r")."""
    driver = None
    for folder in Path(library()._name).resolve().parents:
        for name in ("liblockstep_opencl.so", "lockstep/liblockstep_opencl.so"):
            if driver is None and (folder / name).exists():
                driver = folder / name
    variables = {"LOCKSTEP_GPU": gpu or os.environ.get("LOCKSTEP_GPU") or "mi25", "LOCKSTEP_MODE": mode}
    if driver is not None:
        variables.update(OCL_ICD_VENDORS=str(driver), OCL_ICD_FILENAMES=str(driver))
    if reports is not None:
        variables.update(LOCKSTEP_REPORT=str(Path(reports).resolve()), LOCKSTEP_REPORT_FORMAT="text,json")
    if check:
        variables["LOCKSTEP_CHECK"] = _checks(check)
    return variables


def launches(reports):
    """The reports of an application's launches, in their order, from the folder of `lockstep exec --report DIR --json` or of
    opencl_environment(); launches that were the same have the same report."""
    folder = Path(reports)
    found, read = [], {}
    for line in (folder / "launches.jsonl").read_text().splitlines():
        stem = json.loads(line).get("report")
        if stem is None:
            continue
        if stem not in read:
            text = folder / (stem + ".txt")
            read[stem] = Report(json.loads((folder / (stem + ".json")).read_text()), text.read_text() if text.exists() else "")
        found.append(read[stem])
    return found
