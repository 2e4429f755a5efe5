"""The Python package, and through it the C API: what it gives is what the program gives."""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import numpy as np

import lockstep

program, source, probe = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
saxpy = source / "examples/saxpy.cl"
scale = """__kernel void scale(__global float* x, float a) {
  x[get_global_id(0)] *= a;
}
"""


def arrays(n=1024):
    return dict(n=n, a=2.0, x=np.arange(n, dtype=np.float32), y=np.ones(n, np.float32))


class Runs(unittest.TestCase):
    def test_a_run_is_what_the_program_says(self):
        result = lockstep.run(saxpy, gpu="mi25", local_size=256, **arrays())
        np.testing.assert_array_equal(result.arrays["y"], 2 * np.arange(1024, dtype=np.float32) + 1)
        said = subprocess.run([program, "run", str(saxpy), "--gpu", "mi25", "--global", "1024", "--local", "256", "--arg", "n=1024",
                               "--arg", "a=2", "--arg", "x=[1024]:ramp", "--arg", "y=[1024]:fill(1)", "--quiet", "--json", "-"],
                              capture_output=True, check=True, text=True)
        self.assertEqual(result.data, json.loads(said.stdout))
        self.assertEqual(result.time_ns, result.data["time_ns"])
        self.assertIn("What bounds it", str(result))
        self.assertEqual(result.lines[0]["line"], 4)

    def test_the_gpu_of_the_environment(self):
        os.environ["LOCKSTEP_GPU"] = "v100,mi60"
        try:
            self.assertEqual(lockstep.run(saxpy, functional=True, **arrays()).gpu, "v100")
        finally:
            del os.environ["LOCKSTEP_GPU"]
        self.assertEqual(lockstep.run(saxpy, functional=True, **arrays()).gpu, "mi25")

    def test_arguments_are_not_changed(self):
        given = arrays()
        lockstep.run(saxpy, **given)
        self.assertTrue((given["y"] == 1).all())

    def test_a_source_as_text_and_types_of_numpy(self):
        for dtype, name in ((np.float64, "double"), (np.int32, "int"), (np.uint8, "uchar"), (np.int64, "long")):
            text = scale.replace("float* x, float a", f"{name}* x, {name} a")
            x = np.arange(100, dtype=dtype)
            result = lockstep.run(text, x=x, a=2, functional=True, global_size=100)
            np.testing.assert_array_equal(result.arrays["x"], x * 2)
            self.assertEqual(result.arrays["x"].dtype, dtype)
            self.assertIsNone(result.time_ns)

    def test_the_order_of_bytes(self):
        given = arrays()
        for name in ("x", "y"):
            given[name] = given[name].astype(">f4")
        result = lockstep.run(saxpy, functional=True, **given)
        np.testing.assert_array_equal(result.arrays["y"], 2 * np.arange(1024) + 1)
        self.assertEqual(result.arrays["y"].dtype, np.dtype(">f4"))

    def test_shapes_vectors_structures_null_and_text(self):
        text = """typedef struct { int a; float b; } pair;
        __kernel void k(__global float4* v, pair p, float2 w, __global int* none, __local float* room, __global const int* r) {
          room[get_local_id(0)] = 0;
          v[get_global_id(0)] += (float4)(p.a, p.b, w.x, w.y) + (none == 0 ? r[get_global_id(0)] : 100);
        }"""
        pair = np.array((3, 0.5), dtype=[("a", "i4"), ("b", "f4")])[()]
        v = np.zeros((8, 4), np.float32)
        result = lockstep.run(text, v=v, p=pair, w=(7, 9), none=None, room="float[8]:local", r="[8]:ramp", global_size=8,
                              local_size=8, functional=True)
        np.testing.assert_array_equal(result.arrays["v"], [[3 + i, 0.5 + i, 7 + i, 9 + i] for i in range(8)])

    def test_what_it_prints(self):
        text = "__kernel void k() { printf(\"item %d\\n\", (int)get_global_id(0)); }"
        self.assertEqual(lockstep.run(text, global_size=2, functional=True).printed, "item 0\nitem 1\n")

    def test_what_it_would_cost(self):
        result = lockstep.run(source / "tests/planted/bank_conflicts.cl", kernel="planted", what_if=True, global_size=64 * 64,
                              local_size=64, args={"x": np.arange(2048, dtype=np.float32), "out": np.zeros(64 * 64, np.float32)})
        self.assertIn("bank-conflicts", [one["rule"] for one in result.advice])
        answer = {one["question"]: one for one in result.what_if}["no_bank_conflicts"]
        self.assertLess(answer["cycles"], result.cycles)
        plain = lockstep.run(saxpy, **arrays())
        self.assertEqual((plain.advice, plain.what_if), ([], []))
        with self.assertRaises(lockstep.Error) as caught:
            lockstep.run(saxpy, what_if=True, functional=True, **arrays())
        self.assertEqual(caught.exception.code, "bad-option")
        with self.assertRaises(lockstep.Error):
            lockstep.run(saxpy, what_if=True, progress=lambda what, done: "changed" not in what, **arrays(1 << 16))

    def test_options(self):
        slow = lockstep.run(saxpy, clock="750MHz", repeat=3, **arrays())
        self.assertEqual(slow.data["clock_hz"], 750000000)
        self.assertEqual(len(slow.data["views"]["launches"]["launches"]), 3)
        with self.assertRaises(lockstep.Error) as caught:
            lockstep.run(saxpy, repeat="many", **arrays())
        self.assertEqual(caught.exception.code, "bad-option")


class Errors(unittest.TestCase):
    def test_place_and_hint(self):
        with self.assertRaises(lockstep.Error) as caught:
            lockstep.run(saxpy, gpu="mi24", **arrays())
        self.assertEqual(caught.exception.code, "unknown-machine")
        self.assertIn("mi25", caught.exception.hint)
        with self.assertRaises(lockstep.Error) as caught:
            lockstep.run("__kernel void k(__global int* a) {\n  a[0] = b;\n}", a=np.zeros(1, np.int32))
        self.assertEqual(caught.exception.code, "compile-failed")
        self.assertIn("2:10", caught.exception.message)

    def test_wrong_arguments(self):
        for change, code in ((dict(x=np.zeros(4, np.int32)), "wrong-arguments"), (dict(x=1.0), "wrong-arguments"),
                             (dict(z=1), "wrong-arguments")):
            with self.assertRaises(lockstep.Error) as caught:
                lockstep.run(saxpy, **{**arrays(), **change})
            self.assertIn(caught.exception.code, (code, "bad-argument"), caught.exception)
        with self.assertRaises(TypeError):
            lockstep.run(saxpy, **{**arrays(), "x": object()})
        with self.assertRaises(TypeError):
            lockstep.run(saxpy, **{**arrays(), "x": np.zeros(1024, np.complex64)})
        with self.assertRaises(lockstep.Error):
            lockstep.run(saxpy, n=1, a=2)

    def test_what_checks_find(self):
        launch = {"in": np.zeros(1024, np.int32), "out": np.zeros(1024, np.int32)}
        with self.assertRaises(lockstep.Error) as caught:
            lockstep.run(source / "examples/out_of_bounds.cl", args=launch, check=True, functional=True)
        self.assertEqual((caught.exception.code, caught.exception.line), ("out-of-bounds", 4))
        with self.assertRaises(lockstep.Error):
            lockstep.run(source / "examples/out_of_bounds.cl", args=launch, check=["bounds", "values"], functional=True)
        self.assertEqual(lockstep.opencl_environment(check=["bounds", "races"])["LOCKSTEP_CHECK"], "bounds,races")
        self.assertEqual(caught.exception.report.violations[0]["line"], 4)
        result = lockstep.run(source / "examples/out_of_bounds.cl", args=launch, check=True, functional=True, raise_on_failure=False)
        self.assertEqual(len(result.violations), 1)
        self.assertIn("out-of-bounds", result._repr_html_())

    def test_progress_ends_it_and_so_does_an_exception(self):
        lasting = "__kernel void k(volatile __global int* a) { for (int i = 0; i < 2000000000; i++) a[0] += i; }"
        seen = []
        result = lockstep.run(lasting, a=np.zeros(1, np.int32), raise_on_failure=False,
                              progress=lambda what, done: seen.append(what) or False)
        self.assertEqual(result.status, "stopped")
        self.assertEqual(seen, ["timing"])

        def interrupt(what, done):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            lockstep.run(lasting, a=np.zeros(1, np.int32), progress=interrupt)


class Others(unittest.TestCase):
    def test_gpus_and_occupancy(self):
        gpus = {one["id"]: one for one in lockstep.gpus()}
        self.assertEqual(gpus["mi25"]["target"], "gfx900")
        self.assertTrue(gpus["v100"]["timed"] and gpus["hd530"]["timed"])
        found = lockstep.occupancy("mi25", 256, vector_registers=64)
        said = subprocess.run([program, "occupancy", "--gpu", "mi25", "--local", "256", "--vgprs", "64", "--json"], capture_output=True, check=True)
        self.assertEqual(found.data, json.loads(said.stdout))
        self.assertEqual(found.waves_per_cu, found.data["waves_per_cu"])
        with self.assertRaises(AttributeError):
            found.nothing
        self.assertIn("<table>", found._repr_html_())

    def test_compare(self):
        table = lockstep.compare(saxpy, ["mi25", "v100"], **arrays())
        self.assertEqual([row["gpu"] for row in table], ["mi25", "v100"])
        self.assertEqual(table[1]["time_ns"], lockstep.run(saxpy, gpu="v100", **arrays()).time_ns)
        self.assertIn(table.best["gpu"], ("mi25", "v100"))
        self.assertIn("v100", table._repr_html_())

    def test_compare_reports(self):
        few, many = (lockstep.run(saxpy, **arrays(n)) for n in (1024, 65536))
        change = lockstep.compare_reports(few, many)
        self.assertEqual(change.time_ratio, many.time_ns / few.time_ns)
        with self.assertRaises(lockstep.Error):
            lockstep.compare_reports(few, lockstep.run(saxpy, functional=True, **arrays()))

    def test_tune(self):
        with tempfile.TemporaryDirectory() as folder:
            database = str(Path(folder) / "results.sqlite")
            launch = dict(where="local <= 256", database=database, gpu="v100", **arrays(4096))
            tuned = lockstep.tune(saxpy, {"local": [64, 256, 512]}, **launch)
            self.assertEqual([row["local"] for row in tuned], ["64", "256"])
            self.assertEqual((tuned.data["measured"], tuned.data["found"]), (2, 0))
            self.assertEqual(tuned.best["time_ns"], min(row["time_ns"] for row in tuned))
            again = lockstep.tune(saxpy, {"local": [64, 256]}, **launch)
            self.assertEqual((again.data["measured"], again.data["found"]), (0, 2))
            self.assertIn("local=", repr(again))

    def test_threads_of_their_own(self):
        found = [None] * 4

        def work(i):
            found[i] = lockstep.run(saxpy, gpu="mi25", **arrays()).time_ns

        workers = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for one in workers:
            one.start()
        for one in workers:
            one.join()
        self.assertEqual(len(set(found)), 1)

    def test_reports_of_an_opencl_application(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, **lockstep.opencl_environment("mi25", reports=folder)}
            subprocess.run([probe, "again"], env=environment, check=True, stdout=subprocess.DEVNULL)
            reports = lockstep.launches(folder)
            self.assertEqual(len(reports), 7)
            self.assertIs(reports[5], reports[6])
            self.assertLess(reports[1].time_ns, reports[0].time_ns)
            self.assertEqual(reports[0].kernel, "add")

    @unittest.skipUnless(importlib.util.find_spec("pyopencl"), "pyopencl is not installed")
    def test_pyopencl_finds_the_gpu_and_leaves_reports(self):
        script = """
import os, sys
import lockstep
os.environ.update(lockstep.opencl_environment("v100", reports=sys.argv[1]))
import numpy as np
import pyopencl as cl
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
a = np.arange(256, dtype=np.float32)
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=a)
program = cl.Program(context, "__kernel void twice(__global float* a) { a[get_global_id(0)] *= 2; }").build()
program.twice(queue, a.shape, None, buffer)
out = np.empty_like(a)
cl.enqueue_copy(queue, out, buffer)
assert (out == 2 * a).all() and "V100" in context.devices[0].name
report, = lockstep.launches(sys.argv[1])
assert report.kernel == "twice" and report.gpu == "v100" and report.time_ns > 0
"""
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "PYOPENCL_NO_CACHE": "1"}
            subprocess.run([sys.executable, "-c", script, folder], env=environment, check=True)


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main()
