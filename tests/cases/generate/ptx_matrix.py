"""PTX's mma and wmma: D = A B + C, of small integers, so that every sum is exact in any order. Source: "Parallel Thread Execution
ISA" 8.5, section 9.7.14: the fragments of mma are given there by figures, of which the formulas below are the text; what wmma's
fragments look like it leaves open, so those go through memory."""
from amd_matrix import element
from common import *

BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1, "s32": 32, "e4m3": 8,
        "e5m2": 8}


def bound(form):
    return {"b1": 0, "s32": 9, "f32": 9}.get(form, 5)


def number(a, b, which, form):
    """An element: an integer of either sign where the type has one."""
    if form == "b1":
        return (3 * a + 5 * b + a * b // 3 + which) // 2 % 2
    value = element(a, b, 0, which, bound(form))
    return value + bound(form) if form[0] == "u" else value


def encode(value, form):
    if form in ("s32", "s8", "u8", "s4", "u4", "b1"):
        return value & (1 << BITS[form]) - 1
    return bits_of(Fraction(value), "f32" if form == "tf32" else form)


class Fragments:
    """Registers by lane."""

    def __init__(self, first, form):
        self.form, self.first, self.words = form, first, {}

    def put(self, lane, index, value):
        bits = BITS[self.form]
        per = max(32 // bits, 1)
        register = self.words.setdefault(index // per, [0] * 32)
        register[lane] |= encode(value, self.form) << index % per * bits % 64

    def names(self):
        kind = "fd" if self.form == "f64" else "r"
        return [f"%{kind}{self.first + i}" for i in sorted(self.words)]

    def text(self):
        return "{" + ", ".join(self.names()) + "}"

    def settings(self):
        return [(name, self.words[i]) for i, name in enumerate(self.names())]


def product(m, n, k, left, right, third, form):
    """Sums; of single bits the ones in their exclusive or, or in their conjunction."""
    join = {"xor": lambda a, b: a ^ b, "and": lambda a, b: a & b}.get(form, lambda a, b: a * b)
    return {(i, j): third(i, j) + sum(join(left(i, x), right(x, j)) for x in range(k)) for i in range(m) for j in range(n)}


def mma(cases, shape, form_d, form_a, form_b, form_c, bits=""):
    """Rows by lane / 4 and, of sixteen, by register; columns by lane % 4, packed."""
    m, n, k = shape
    left = lambda i, x: number(i, x, 1, form_a)
    right = lambda x, j: number(x, j, 2, form_b)
    third = lambda i, j: element(i, j, 0, 3, 9)
    sums = product(m, n, k, left, right, third, bits)
    a, b, c, d = (Fragments(first, form) for first, form in ((100, form_a), (200, form_b), (300, form_c), (400, form_d)))
    packed = max(32 // BITS[form_a], 1)  # elements of a register
    for lane in range(32):
        group, quarter = lane // 4, lane % 4
        for index in range(m * k // 32):
            register, part = index // packed, index % packed
            row = group + (8 * (register % 2) if m == 16 else 0)
            column = quarter * packed + part + 4 * packed * (register // 2 if m == 16 else register)
            a.put(lane, index, left(row, column))
        for index in range(n * k // 32):
            register, part = index // packed, index % packed
            b.put(lane, index, right(quarter * packed + part + 4 * packed * register, group))
        for index in range(m * n // 32):
            row, column = group + 8 * (index // 2), quarter * 2 + index % 2
            c.put(lane, index, third(row, column))
            d.put(lane, index, sums[row, column])
    opcode = f"mma.sync.aligned.m{m}n{n}k{k}.row.col.{form_d}.{form_a}.{form_b}.{form_c}{'.' + bits + '.popc' if bits else ''}"
    cases.add(opcode, ["sm_90"], [f"{opcode} {d.text()}, {a.text()}, {b.text()}, {c.text()};"],
              a.settings() + b.settings() + c.settings(), d.settings())


def quads(cases, form_d):
    """mma.m8n8k4: four products, each of the lanes 4 q to 4 q + 3 and those sixteen behind."""
    a, b, c, d = (Fragments(first, form) for first, form in ((100, "f16"), (200, "f16"), (300, form_d), (400, form_d)))
    for quad in range(4):
        left = lambda i, x: number(i + 8 * quad, x, 1, "f16")
        right = lambda x, j: number(x, j + 8 * quad, 2, "f16")
        third = lambda i, j: element(i, j, quad, 3, 9)
        sums = product(8, 8, 4, left, right, third, "")
        for lane in (*range(4 * quad, 4 * quad + 4), *range(16 + 4 * quad, 20 + 4 * quad)):
            upper = 4 * (lane // 16)
            for index in range(4):
                a.put(lane, index, left(lane % 4 + upper, index))
                b.put(lane, index, right(index, lane % 4 + upper))
            for index in range(8):
                if form_d == "f16":
                    row, column = lane % 4 + upper, index
                else:
                    row, column = (lane & 1) + (index & 2) + upper, (index & 4) + (lane & 2) + (index & 1)
                c.put(lane, index, third(row, column))
                d.put(lane, index, sums[row, column])
    opcode = f"mma.sync.aligned.m8n8k4.row.col.{form_d}.f16.f16.{form_d}"
    cases.add(f"{opcode}: four products", ["sm_70"], [f"{opcode} {d.text()}, {a.text()}, {b.text()}, {c.text()};"],
              a.settings() + b.settings() + c.settings(), d.settings())


def in_memory(values, form):
    """Elements side by side, as dwords."""
    bits = BITS[form]
    whole = sum(encode(value, form) << bits * i for i, value in enumerate(values))
    return [whole >> 32 * i & 0xFFFFFFFF for i in range(max(bits * len(values) // 32, 1))]


def wmma(cases, shape, form_a, form_d, order):
    m, n, k = shape
    left = lambda i, x: number(i, x, 1, form_a)
    right = lambda x, j: number(x, j, 2, form_a)
    third = lambda i, j: element(i, j, 0, 3, 9)
    sums = product(m, n, k, left, right, third, "")
    registers = {}
    for matrix, form, elements in (("a", form_a, m * k), ("b", form_a, k * n), ("c", form_d, m * n), ("d", form_d, m * n)):
        # Fragments of f16 hold every element of A and B twice.
        count = 8 if form == "f16" and matrix in "ab" else max(elements * BITS[form] // 32 // 32, 1)
        if form == "f64":
            count = elements // 32
        kind = "fd" if form == "f64" else "r"
        registers[matrix] = "{" + ", ".join(f"%{kind}{100 * ('abcd'.index(matrix) + 1) + i}" for i in range(count)) + "}"
    name = f"m{m}n{n}k{k}"
    stride_b = n if order == "row" else k
    load = lambda matrix, layout, form, at, stride: (
        f"wmma.load.{matrix}.sync.aligned.{layout}.{name}.global.{form} {registers[matrix]}, [%mem+{at}], {stride};")
    types = {"f16": f"{form_d}.{form_d}"}.get(form_a, f"{form_d}.{form_a}.{form_a}.{form_d}")
    code = [load("a", "row", form_a, 0, k), load("b", order, form_a, 1024, stride_b), load("c", "row", form_d, 2048, n),
            f"wmma.mma.sync.aligned.row.{order}.{name}.{types} {registers['d']}, {registers['a']}, {registers['b']}, {registers['c']};",
            f"wmma.store.d.sync.aligned.row.{name}.global.{form_d} [%mem+3072], {registers['d']}, {n};"]
    of_b = [right(x, j) for x in range(k) for j in range(n)] if order == "row" else [right(x, j) for j in range(n) for x in range(k)]
    cases.add(f"wmma {name} {form_a} into {form_d}, B by {order}", ["sm_90"], code,
              [("mem[0]", in_memory([left(i, x) for i in range(m) for x in range(k)], form_a)), ("mem[1024]", in_memory(of_b, form_a)),
               ("mem[2048]", in_memory([third(i, j) for i in range(m) for j in range(n)], form_d))],
              [("mem[3072]", in_memory([sums[i, j] for i in range(m) for j in range(n)], form_d))])


def generate(folder):
    cases = Cases(__doc__)
    for k in (8, 16):
        mma(cases, (16, 8, k), "f16", "f16", "f16", "f16")
        mma(cases, (16, 8, k), "f32", "f16", "f16", "f32")
        mma(cases, (16, 8, k), "f32", "bf16", "bf16", "f32")
        mma(cases, (16, 8, k // 2), "f32", "tf32", "tf32", "f32")
    mma(cases, (8, 8, 4), "f64", "f64", "f64", "f64")
    for k in (4, 8, 16):
        mma(cases, (16, 8, k), "f64", "f64", "f64", "f64")
    for left in ("e4m3", "e5m2"):
        for right in ("e4m3", "e5m2"):
            mma(cases, (16, 8, 32), "f32", left, right, "f32")
    for signs in ("ss", "su", "us", "uu"):
        for shape in ((8, 8, 16), (16, 8, 16), (16, 8, 32)):
            mma(cases, shape, "s32", signs[0] + "8", signs[1] + "8", "s32")
        for shape in ((8, 8, 32), (16, 8, 32), (16, 8, 64)):
            mma(cases, shape, "s32", signs[0] + "4", signs[1] + "4", "s32")
    for shape in ((8, 8, 128), (16, 8, 128), (16, 8, 256)):
        for join in ("xor", "and"):
            mma(cases, shape, "s32", "b1", "b1", "s32", join)
    quads(cases, "f16")
    quads(cases, "f32")
    for shape in ((16, 16, 16), (8, 32, 16), (32, 8, 16)):
        for order in ("row", "col"):
            for form_a, form_d in (("f16", "f32"), ("f16", "f16"), ("bf16", "f32"), ("s8", "s32"), ("u8", "s32")):
                wmma(cases, shape, form_a, form_d, order)
    wmma(cases, (16, 16, 8), "tf32", "f32", "col")
    wmma(cases, (8, 8, 4), "f64", "f64", "col")
    wmma(cases, (8, 8, 32), "s4", "s32", "col")
    wmma(cases, (8, 8, 32), "u4", "s32", "col")
    cases.write(folder / "ptx_matrix.case")
