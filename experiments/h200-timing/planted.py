#!/usr/bin/env python3
"""What mending saves on a device: makes the kernels of tests/planted and their mended twins PTX (clang-19) and writes planted.job, for
tests/nvidia/runner.cpp and model_runner. Launches are eight times as large as the largest that the tests have.

    python3 planted.py FOLDER
    python3 planted.py --compare DEVICE MODEL    time with the cause, without it, and what share mending saves"""
import pathlib
import re
import struct
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent / "tests" / "planted"
CLANG = ("clang-19 -x cl -cl-std=CL1.2 -target nvptx64-nvidia-cuda -Xclang -target-cpu -Xclang sm_90 -Xclang -target-feature -Xclang +ptx80 "
         "-Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins -O3 -S -nogpulib -w -include").split()
# The builtins that they call, without a device library.
BUILTINS = """
#define REGISTER(x) __nvvm_read_ptx_sreg_##x()
#define BY(d, name) (d == 0 ? REGISTER(name##_x) : d == 1 ? REGISTER(name##_y) : REGISTER(name##_z))
#define INLINE static inline __attribute__((overloadable, always_inline))
INLINE size_t get_local_id(uint d) { return BY(d, tid); }
INLINE size_t get_local_size(uint d) { return BY(d, ntid); }
INLINE size_t get_group_id(uint d) { return BY(d, ctaid); }
INLINE size_t get_num_groups(uint d) { return BY(d, nctaid); }
INLINE size_t get_global_id(uint d) { return get_group_id(d) * get_local_size(d) + get_local_id(d); }
INLINE size_t get_global_size(uint d) { return get_num_groups(d) * get_local_size(d); }
#define barrier(fence) __nvvm_bar_sync(0)
INLINE int max(int a, int b) { return a > b ? a : b; }
INLINE uint max(uint a, uint b) { return a > b ? a : b; }
INLINE float max(float a, float b) { return __nvvm_fmax_f(a, b); }
#define atomic_add(p, v) __atomic_fetch_add(p, v, 0)
#define atomic_inc(p) __atomic_fetch_add(p, 1, 0)
INLINE int atomic_cmpxchg(volatile __global int* p, int c, int v) { __atomic_compare_exchange_n(p, &c, v, 0, 0, 0); return c; }
"""
BYTES = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "float": 4, "int": 4, "uint": 4, "double": 8, "long": 8, "ulong": 8}
AS_THEY_ARE = ("tlb", "grid_too_small", "launch_overhead")  # whose size is the cause, or fixed


def buffer(folder, name, argument, element, count, contents):
    """The job's line for a buffer; values matter only where they are indices."""
    kind = "zero" if not contents else "unit" if element in ("float", "double") else "index"
    steps = re.match(r"ramp\((\d+),(\d+)\)", contents or "")
    if steps:
        kind = f"{name}.{argument}.bin"
        words = ((int(steps[1]) + i * int(steps[2])) & 0xFFFFFFFF for i in range(count))
        (folder / kind).write_bytes(b"".join(struct.pack("<I", word) for word in words))
    elif (contents or "").startswith("random"):
        kind = "hash"
    return f"buffer {argument} {(count * BYTES[element] + 3) // 4 * 4} {kind}"


def make(folder):
    (folder / "builtins.h").write_text(BUILTINS)
    job = []
    for path in sorted(SOURCE.glob("*.cl")) + sorted(SOURCE.glob("other/*.cl")):
        name, keys, arguments = path.stem, {}, []
        for key, value in re.findall(r"^// ([a-z_ 0-9]+): (.*)$", path.read_text(), re.M):
            arguments.append(value) if key == "arg" else keys.setdefault(key, value)
        scale = 1 if name in AS_THEY_ARE else 8
        local, groups = int(keys["local"].split()[0]), int(keys["groups"].split()[-1]) * scale
        options = keys.get("options", "").split() + [f"-DLOCAL={local}"]
        done = subprocess.run(CLANG + [folder / "builtins.h", *options, path, "-o", folder / f"{name}.ptx"], capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{name}: left out, it calls what is not here", file=sys.stderr)
            continue
        other_local = int(keys.get("mended local", str(local)).split()[0])
        other_groups = int(keys["mended groups"].split()[-1]) * scale if "mended groups" in keys else groups * local // other_local
        job.append(f"module {name}.ptx {name}")
        for kernel, g, l in (("planted", groups, local), ("mended", other_groups, other_local)):
            words, made = [], []
            for argument in arguments:
                argument, value = argument.split("=", 1)
                for what, number in (("$items", g * l), ("$groups", g), ("$launches", int(keys.get("mended launches", "1").split()[0]))):
                    value = value.replace(what, str(number))
                array = re.match(r"(\w+)\[([\d*]+)\](?::(.*))?$", value)
                if array:
                    count = 1
                    for factor in array[2].split("*"):
                        count *= int(factor)
                    job.append(buffer(folder, name, argument, array[1], count, array[3]))
                    words.append("@" + argument)
                    made.append(argument)
                else:
                    kind, _, number = value.rpartition(":")
                    words.append("x:" + (struct.pack("<f", float(number)) if kind == "float" else struct.pack("<i", int(number))).hex())
            job.append(f"time {name}.{kernel} 20 {kernel} {g} 1 1 {l} 1 1 " + " ".join(words))
            job += [f"free {argument}" for argument in made]
    (folder / "planted.job").write_text("\n".join(job) + "\n")


def times(path):
    lines = (line.split() for line in pathlib.Path(path).read_text().splitlines())
    return {words[0]: sorted(map(float, words[2:]))[(len(words) - 2) // 2] for words in lines if len(words) > 2 and words[1] == "ns"}


def compare(device, model):
    device, model = times(device), times(model)
    print("kernel: device with the cause, us; mending saves: device, model; model / device with, without")
    for name in (label[:-8] for label in device if label.endswith(".planted") and label in model):
        with_cause, without = f"{name}.planted", f"{name}.mended"
        saves = [1 - answers[without] / answers[with_cause] for answers in (device, model)]
        print(f"{name}: {device[with_cause] / 1000:.1f}; {saves[0]:.0%}, {saves[1]:.0%}; {model[with_cause] / device[with_cause]:.2f}, "
              f"{model[without] / device[without]:.2f}")


if __name__ == "__main__":
    compare(*sys.argv[2:4]) if sys.argv[1:2] == ["--compare"] else make(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
