"""The C library (lockstep.h), by ctypes."""
import ctypes
import os
import shutil
from ctypes import POINTER, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p
from pathlib import Path


class Error(Exception):
    """What Lockstep says is wrong: `code` (stable), `message`, `hint`, and the place: `file`, `line`, `column`."""

    def __init__(self, text, code="failed", message="", hint="", file="", line=0, column=0):
        super().__init__(text)
        self.code, self.message, self.hint = code, message or text, hint
        self.file, self.line, self.column = file, line, column


Progress = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, c_double)

_functions = {
    "lockstep_api_version": (c_int, []),
    "lockstep_version": (c_char_p, []),
    "lockstep_error_code": (c_char_p, [c_void_p]),
    "lockstep_error_message": (c_char_p, [c_void_p]),
    "lockstep_error_hint": (c_char_p, [c_void_p]),
    "lockstep_error_file": (c_char_p, [c_void_p]),
    "lockstep_error_line": (c_uint, [c_void_p]),
    "lockstep_error_column": (c_uint, [c_void_p]),
    "lockstep_error_text": (c_char_p, [c_void_p]),
    "lockstep_error_free": (None, [c_void_p]),
    "lockstep_free": (None, [c_void_p]),
    "lockstep_gpus": (c_int, [POINTER(c_void_p), POINTER(c_void_p)]),
    "lockstep_occupancy": (c_int, [c_char_p, c_uint, c_uint, c_uint, c_size_t, POINTER(c_void_p), POINTER(c_void_p)]),
    "lockstep_launch_create": (c_void_p, [c_char_p, c_char_p]),
    "lockstep_launch_free": (None, [c_void_p]),
    "lockstep_launch_set": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(c_void_p)]),
    "lockstep_launch_buffer": (c_int, [c_void_p, c_char_p, c_char_p, c_void_p, c_size_t, POINTER(c_void_p)]),
    "lockstep_launch_value": (c_int, [c_void_p, c_char_p, c_void_p, c_size_t, POINTER(c_void_p)]),
    "lockstep_launch_progress": (None, [c_void_p, Progress, c_void_p]),
    "lockstep_launch_run": (c_int, [c_void_p, POINTER(c_void_p), POINTER(c_void_p)]),
    "lockstep_launch_read": (c_int, [c_void_p, c_char_p, c_void_p, c_size_t, POINTER(c_size_t), POINTER(c_void_p)]),
    "lockstep_report_json": (c_char_p, [c_void_p]),
    "lockstep_report_text": (c_char_p, [c_void_p]),
    "lockstep_report_status": (c_char_p, [c_void_p]),
    "lockstep_report_printed": (c_char_p, [c_void_p]),
    "lockstep_report_free": (None, [c_void_p]),
    "lockstep_compare": (c_int, [c_void_p, c_char_p, c_uint, POINTER(c_void_p), POINTER(c_void_p)]),
    "lockstep_compare_reports": (c_int, [c_char_p, c_char_p, POINTER(c_void_p), POINTER(c_void_p)]),
    "lockstep_tune": (c_int, [c_void_p, POINTER(c_char_p), POINTER(c_char_p), c_char_p, c_uint, POINTER(c_void_p),
                              POINTER(c_void_p)]),
}

name = "liblockstep.so.1"


def _candidates():
    if os.environ.get("LOCKSTEP_LIBRARY"):
        yield os.environ["LOCKSTEP_LIBRARY"]
        return
    # lib/python3/dist-packages/lockstep of an installed tree, wherever that is; and the system's.
    here = Path(__file__).resolve()
    for folder in here.parents:
        yield str(folder / name)
        yield str(folder / "lib" / name)
        yield str(folder / "build" / name)
    program = shutil.which("lockstep")
    if program:
        folder = Path(program).resolve().parent
        yield str(folder / name)
        yield str(folder.parent / "lib" / name)
    yield name


def _load():
    for path in _candidates():
        if "/" in path and not os.path.exists(path):
            continue
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            if "/" in path:
                raise Error(f"{path}: {error}", "library-missing") from None
            continue
        for function, (result, arguments) in _functions.items():
            entry = getattr(library, function)
            entry.restype, entry.argtypes = result, arguments
        return library
    raise Error(f"{name} is not found: install Lockstep, or name the library in LOCKSTEP_LIBRARY", "library-missing")


_loaded = None


def library():
    global _loaded
    if _loaded is None:
        _loaded = _load()
    return _loaded


def check(result, error):
    """Raises what a call left in `error`."""
    if result == 0:
        return
    if not error.value:
        raise MemoryError("Lockstep has no memory left for this")
    lib = library()
    text = [getattr(lib, "lockstep_error_" + part)(error).decode(errors="replace")
            for part in ("text", "code", "message", "hint", "file")]
    place = lib.lockstep_error_line(error), lib.lockstep_error_column(error)
    lib.lockstep_error_free(error)
    raise Error(*text, *place)


def text_of(call, *arguments):
    """The text that a call gives by its last but one parameter."""
    text, error = c_void_p(), c_void_p()
    check(call(*arguments, ctypes.byref(text), ctypes.byref(error)), error)
    result = ctypes.cast(text, c_char_p).value.decode()
    library().lockstep_free(text)
    return result
