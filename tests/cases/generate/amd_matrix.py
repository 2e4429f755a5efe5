"""Matrix products: v_mfma and v_smfmac of CDNA, v_wmma and v_swmmac of RDNA. D = A B + C, of small integers, so that every sum is
exact in any order. Sources of the layouts: AMD's matrix instruction calculator; "CDNA 3", "RDNA 3" and "RDNA 4 Instruction Set
Architecture", chapters on matrix instructions. Of an element's row i, column j, depth k and block b, each layout below gives the
lane and the element's number in the lane, counted from its first register's lowest bits."""
import re

from common import *

FORMS = {"f32": 32, "xf32": 32, "f16": 16, "bf16": 16, "i8": 8, "iu8": 8, "iu4": 4, "fp8": 8, "bf8": 8, "f64": 64, "i32": 32}
FLOAT_OF = {"f32": "f32", "xf32": "f32", "f16": "f16", "bf16": "bf16", "f64": "f64", "fp8": "e4m3", "bf8": "e5m2"}


def encode(value, form, target):
    if form not in FLOAT_OF:
        return value & (1 << FORMS[form]) - 1
    # gfx942's 8-bit floats have a bias one larger than OCP's: the bits of a number mean half of it there.
    if FORMS[form] == 8 and target == "gfx942":
        value *= 2
    return bits_of(Fraction(value), FLOAT_OF[form])


class Registers:
    """Dwords by register and lane, filled with elements."""

    def __init__(self, first, count, lanes, name="v"):
        self.first, self.count, self.lanes, self.name = first, count, lanes, name
        self.words = [[0] * lanes for _ in range(count)]

    def put(self, lane, number, bits, size):
        at = number * size
        for part in range(0, size, 32):
            piece = bits >> part & (1 << min(size, 32)) - 1
            self.words[(at + part) // 32][lane] |= piece << (at + part) % 32

    def settings(self):
        return [(f"{self.name}{self.first + i}", words) for i, words in enumerate(self.words)]

    def text(self):
        return (f"{self.name}{self.first}" if self.count == 1
                else f"{self.name}[{self.first}:{self.first + self.count - 1}]")


def element(a, b, block, which, size):
    """A small integer for a place of a matrix; `which` tells matrices apart."""
    return (3 * a + 5 * b + a * b + 7 * block + 2 * which) % (2 * size + 1) - size


def product(m, n, k, blocks, left, right, size):
    """Sums of left(i, k, b) * right(k, j, b) upon the third matrix; `size` bounds its elements."""
    return {(b, i, j): sum(left(i, x, b) * right(x, j, b) for x in range(k)) + element(i, j, b, 3, size)
            for b in range(blocks) for i in range(m) for j in range(n)}


# ---- CDNA

def mfma_result(m, blocks, form):
    """Place of D's element (i, j) of a block: rows in groups of four, over the lanes and then over the registers."""
    def place(i, j, b):
        if form == "f64":
            # Four rows of a group lie in four groups of lanes.
            return (j + 16 * (i % 4), i // 4) if m == 16 else (j + 4 * b + 16 * i, 0)
        if m == 4:
            return j + 4 * b, i
        groups = 64 // m  # of lanes that hold a column
        return j + m * (i // 4 % groups), 4 * (i // 4 // groups) + i % 4 + m * m // 64 * b
    return place


def cdna(cases, mnemonic, targets, m, n, k, blocks, form_a, form_b, form_d, modifiers=""):
    words = dict(re.findall(r"(\w+):\[?([\d,]+)", modifiers))
    cbsz, abid, blgp = (int(words.get(name, 0)) for name in ("cbsz", "abid", "blgp"))
    negative = [-1 if digit == "1" else 1 for digit in words.get("neg", "0,0,0").split(",")]
    for target in targets:
        per_lane = m * k * blocks // 64
        bits_a, bits_d = FORMS[form_a], FORMS[form_d]
        a = Registers(0, max(per_lane * bits_a // 32, 1), 64)
        b = Registers(8, a.count, 64)
        c = Registers(0, m * n * blocks // 64 * bits_d // 32, 64, "a")
        d = Registers(0, c.count, 64, "a")
        if form_a == "f64" and m == 4:
            place = lambda row, depth, block: (row + 4 * block + 16 * depth, 0)
        else:
            place = lambda row, depth, block: (row + m * (depth // per_lane + k // per_lane * block), depth % per_lane)
        for block in range(blocks):
            for depth in range(k):
                for row in range(m):
                    a.put(*place(row, depth, block), encode(element(row, depth, block, 1, 5), form_a, target), bits_a)
                    b.put(*place(row, depth, block), encode(element(depth, row, block, 2, 5), form_b, target), bits_a)

        def left(i, x, block):
            # Of each 2^cbsz blocks all take the A of the one that abid names.
            block = (block >> cbsz << cbsz) + abid if cbsz else block
            return negative[0] * element(i, x, block, 1, 5)

        def right(x, j, block):
            lane, number = place(j, x, block)
            # The lanes that a lane's B comes from.
            lane = {0: lane, 1: lane % 32, 2: 32 + lane % 32, 3: (lane + 16) % 64}.get(blgp, lane % 16 + 16 * (blgp - 4))
            row, group = lane % m, lane // m
            if form_a == "f64":
                return negative[1] * element(x, j, block, 2, 5)
            groups = k // per_lane
            return element(group % groups * per_lane + number, row, group // groups, 2, 5)

        where = mfma_result(m, blocks, form_d)
        for block in range(blocks):
            for i in range(m):
                for j in range(n):
                    base = element(i, j, block, 3, 9)
                    total = negative[2] * base + sum(left(i, x, block) * right(x, j, block) for x in range(k))
                    c.put(*where(i, j, block), encode(base, form_d, target), bits_d)
                    d.put(*where(i, j, block), encode(total, form_d, target), bits_d)
        code = f"{mnemonic} {c.text()}, {a.text()}, {b.text()}, {c.text()}{' ' + modifiers if modifiers else ''}"
        cases.add(f"{mnemonic} {modifiers}".strip(), [target], [code], a.settings() + b.settings() + c.settings(), d.settings())


def indices(row, group):
    """Which two of four elements a row keeps there."""
    return [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)][(row + 2 * group) % 6]


def sparse_matrix(cases, mnemonic, target, m, n, k, form_a, form_b, form_d, lanes, place_a, place_b, place_d, counts, first_d, code,
                  elements, key=0, signs=(True, True), size=5, name="", accumulation="v"):
    """A keeps two of each four elements; which ones say two bits for each in a register of indices, of which `key` chooses
    the lane's piece."""
    bits, bits_d = FORMS[form_a], FORMS[form_d]
    a, b, index = Registers(0, counts[0], lanes), Registers(8, counts[1], lanes), Registers(20 if first_d != 24 else 30, 1, lanes)
    if first_d == 24:
        index = Registers(40, 1, lanes)
    c, d = Registers(first_d, counts[2], lanes, accumulation), Registers(first_d, counts[2], lanes, accumulation)
    number_of = lambda value, is_signed: value if is_signed else value + size
    dense = {}
    for i in range(m):
        for short in range(k // 2):
            at = 4 * (short // 2) + indices(i, short // 2)[short % 2]
            value = number_of(element(i, short, 0, 1, size), signs[0])
            dense[i, at] = value
            for lane, number in place_a(i, short):
                a.put(lane, number, encode(value, form_a, target), bits)
                index.put(lane, key * elements + number, at % 4, 2)
    right = lambda x, j: number_of(element(x, j, 0, 2, size), signs[1])
    for x in range(k):
        for j in range(n):
            for lane, number in place_b(x, j):
                b.put(lane, number, encode(right(x, j), form_b, target), bits)
    for i in range(m):
        for j in range(n):
            base = element(i, j, 0, 3, 9)
            total = base + sum(value * right(x, j) for (row, x), value in dense.items() if row == i)
            c.put(*place_d(i, j), encode(base, form_d, target), bits_d)
            d.put(*place_d(i, j), encode(total, form_d, target), bits_d)
    text = code.format(d=c.text(), a=a.text(), b=b.text(), index=index.text())
    cases.add(name or mnemonic, [target], [text], a.settings() + b.settings() + index.settings() + c.settings(), d.settings(),
              [f"lanes {lanes}"] if target in RDNA else [])


def smfmac(cases, mnemonic, m, k, form_a, form_b, form_d):
    bits = FORMS[form_a]
    per_a, per_b = m * k // 2 // 64, m * k // 64
    where = mfma_result(m, 1, form_d)
    for abid in range(4 if bits == 16 else 2):
        sparse_matrix(cases, mnemonic, "gfx942", m, m, k, form_a, form_b, form_d, 64,
                      lambda i, short: [(i + m * (short // per_a), short % per_a)],
                      lambda x, j: [(j + m * (x // per_b), x % per_b)], lambda i, j: where(i, j, 0),
                      (per_a * bits // 32, per_b * bits // 32, m * m // 64), 0,
                      mnemonic + " {d}, {a}, {b}, {index}" + (f" abid:{abid}" if abid else ""), per_a, abid,
                      name=f"{mnemonic} abid {abid}", accumulation="a")


# ---- RDNA

def rdna_places(target, lanes, k):
    """Place of A's element (row, depth) or B's (column, depth): RDNA 3 has each row whole in each group of 16 lanes, RDNA 4 cut
    over the groups."""
    if target == "gfx1100":
        return (lambda row, depth: [(row + 16 * group, depth) for group in range(lanes // 16)]), k
    per_lane = 16 * k // lanes
    return (lambda row, depth: [(row + 16 * (depth // per_lane), depth % per_lane)]), per_lane


def rdna_result(target, lanes, form):
    groups = lanes // 16
    if target == "gfx1100":
        # Rows go around the groups of lanes; 16-bit results have a register each.
        scale = 2 if FORMS[form] == 16 else 1
        return (lambda i, j: (j + 16 * (i % groups), i // groups * scale)), 16 // groups
    rows = 16 // groups
    return (lambda i, j: (j + 16 * (i // rows), i % rows)), rows * FORMS[form] // 32


def wmma(cases, mnemonic, target, k, form, form_b, form_d, lanes, modifiers=""):
    place, per_lane = rdna_places(target, lanes, k)
    where, count_d = rdna_result(target, lanes, form_d)
    bits, bits_d = FORMS[form], FORMS[form_d]
    small = 2 if bits_d == 16 else 5
    neg = re.search(r"neg_lo:\[(\d),(\d)", modifiers)
    integer = form.startswith("iu")
    signs = [not integer or bool(neg and neg[i + 1] == "1") for i in range(2)]
    number_of = lambda value, is_signed: value if is_signed else value + small
    left = lambda i, x: number_of(element(i, x, 0, 1, small), signs[0])
    right = lambda x, j: number_of(element(x, j, 0, 2, small), signs[1])
    registers = max(per_lane * bits // 32, 1)
    a, b = Registers(0, registers, lanes), Registers(8, registers, lanes)
    c, d = Registers(24, count_d, lanes), Registers(24, count_d, lanes)
    high = "op_sel:[0,0,1]" in modifiers  # RDNA 3: the upper halves of the result's registers
    for i in range(16):
        for x in range(k):
            for lane, number in place(i, x):
                a.put(lane, number, encode(left(i, x), form, target), bits)
                b.put(lane, number, encode(right(x, i), form_b, target), bits)
        for j in range(16):
            base = element(i, j, 0, 3, 9)
            total = base + sum(left(i, x) * right(x, j) for x in range(k))
            lane, number = where(i, j)
            c.put(lane, number + high, encode(base, form_d, target), bits_d)
            d.put(lane, number + high, encode(total, form_d, target), bits_d)
    if target == "gfx1100" and bits_d == 16:
        # The other half of a result's register stays.
        for words in (c.words, d.words):
            for register in words:
                for lane in range(lanes):
                    register[lane] |= 0x1234 << (0 if high else 16)
    code = f"{mnemonic} {c.text()}, {a.text()}, {b.text()}, {c.text()}{' ' + modifiers if modifiers else ''}"
    cases.add(f"{mnemonic} on {lanes} lanes {modifiers}".strip(), [target], [code], a.settings() + b.settings() + c.settings(), d.settings(),
              [f"lanes {lanes}"])


def swmmac(cases, mnemonic, k, form, form_b, form_d, lanes, modifiers=""):
    bits = FORMS[form]
    per_a, per_b = 16 * k // 2 // lanes, 16 * k // lanes
    where, count_d = rdna_result("gfx1201", lanes, form_d)
    small = 2 if FORMS[form_d] == 16 else 5
    integer = form.startswith("iu")
    neg = re.search(r"neg_lo:\[(\d),(\d)", modifiers)
    signs = [not integer or bool(neg and neg[i + 1] == "1") for i in range(2)]
    keys = min(32 // (2 * per_a), 2 if form == "iu4" else 4)  # as the assembler takes them
    for key in range(keys):
        sparse_matrix(cases, mnemonic, "gfx1201", 16, 16, k, form, form_b, form_d, lanes,
                      lambda i, short: [(i + 16 * (short // per_a), short % per_a)],
                      lambda x, j: [(j + 16 * (x // per_b), x % per_b)], where,
                      (max(per_a * bits // 32, 1), max(per_b * bits // 32, 1), count_d), 24,
                      mnemonic + " {d}, {a}, {b}, {index}" + (f" index_key:{key}" if key else "")
                      + (f" {modifiers}" if modifiers else ""), per_a, key, signs, small,
                      f"{mnemonic} on {lanes} lanes key {key} {modifiers}".strip())


def generate(folder):
    cases = Cases(__doc__)
    for mnemonic in matching("v_mfma_"):
        match = re.fullmatch(r"v_mfma_(f32|i32|f64)_(\d+)x(\d+)x(\d+)(?:_(\d+)b)?_?(xf32|f32|f64|f16|bf16|i8|bf8|fp8)(_1k|_bf8|_fp8)?", mnemonic)
        if not match:
            raise ValueError(mnemonic)
        form_d, m, n, k, blocks, form_a, rest = match.groups()
        m, n, k = int(m), int(n), int(k)
        form_b = rest[1:] if rest in ("_bf8", "_fp8") else form_a
        # Old names leave the blocks out: as many as make a lane's elements of A fill its registers.
        if blocks is None:
            per_register = {"f32": 1, "xf32": 2, "f16": 4, "bf16": 4 if rest == "_1k" else 2, "i8": 4, "f64": 1}.get(form_a, 8)
            if mnemonic in ("v_mfma_i32_32x32x16_i8", "v_mfma_i32_16x16x32_i8"):
                per_register = 8
            if mnemonic.endswith("_bf16") and mnemonic not in NOT_NEEDED:
                per_register = 4
            blocks = per_register * 64 // (m * k)
        targets = having(mnemonic)
        if mnemonic in NOT_NEEDED:
            targets = [t for t in targets if t in ("gfx908", "gfx90a")]
        cdna(cases, mnemonic, targets, m, n, k, int(blocks), form_a, form_b, form_d)
    cdna(cases, "v_mfma_f32_4x4x1f32", ["gfx908", "gfx90a"], 4, 4, 1, 16, "f32", "f32", "f32", "cbsz:2 abid:1")
    cdna(cases, "v_mfma_f32_16x16x1f32", ["gfx908", "gfx90a"], 16, 16, 1, 4, "f32", "f32", "f32", "cbsz:1 abid:1")
    for blgp in range(1, 8):
        cdna(cases, "v_mfma_f32_4x4x1f32", ["gfx908", "gfx90a"], 4, 4, 1, 16, "f32", "f32", "f32", f"blgp:{blgp}")
    for negative in ("1,0,0", "0,1,0", "1,0,1"):
        cdna(cases, "v_mfma_f64_4x4x4_4b_f64", ["gfx942"], 4, 4, 4, 4, "f64", "f64", "f64", f"neg:[{negative}]")
    for mnemonic in matching("v_smfmac_"):
        form_d, m, _, k, form_a, form_b = re.fullmatch(r"v_smfmac_(f32|i32)_(\d+)x(\d+)x(\d+)_([^_]+)_?(\w+)?", mnemonic).groups()
        smfmac(cases, mnemonic, int(m), int(k), form_a, form_b or form_a, form_d)
    for mnemonic in matching("v_wmma_") + matching("v_swmmac_"):
        kind, form_d, k, form_a, form_b = re.fullmatch(r"v_(s?wmmac?)_(\w+?)_16x16x(\d+)_([^_]+)_?(\w+)?", mnemonic).groups()
        variants = ["", "neg_lo:[1,1,0]", "neg_lo:[1,0,0]", "neg_lo:[0,1,0]"] if form_a.startswith("iu") else [""]
        for target in having(mnemonic):
            for lanes in (32, 64):
                for modifiers in variants:
                    if kind == "wmma":
                        wmma(cases, mnemonic, target, int(k), form_a, form_b or form_a, form_d, lanes, modifiers)
                        if target == "gfx1100" and FORMS[form_d] == 16:
                            wmma(cases, mnemonic, target, int(k), form_a, form_a, form_d, lanes, "op_sel:[0,0,1]")
                    else:
                        swmmac(cases, mnemonic, int(k), form_a, form_b or form_a, form_d, lanes, modifiers)
    cases.write(folder / "amd_matrix.case")
