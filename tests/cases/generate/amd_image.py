"""Images of one row of four texels of 32 bits: loads, stores, atomics, samples of the nearest texel. Sources of the
descriptors: "Vega Instruction Set Architecture", table 44 (GCN and gfx90a: width in word 2, type in word 3, pitch in word 4);
"RDNA 1", "RDNA 2", "RDNA 3" and "RDNA 4 Instruction Set Architecture", tables of image resources (the width's low two bits in word
1, behind the format)."""
from amd_atomic import has_compare, operation, values
from common import *

WIDTH = 4
ONE_DIMENSION, SELECT_R001 = 8, 0x204  # x as it is, y and z 0, w 1
GCN = tuple(target for target in TARGETS if target not in RDNA)
# Number 4 is unsigned, 7 float; the RDNA's formats of 32 bits have one number each.
UINT = {"gcn": (4, 4), "gfx1010": 20, "gfx1030": 20, "gfx1100": 20, "gfx1201": 20}
FLOAT = {"gcn": (4, 7), "gfx1010": 22, "gfx1030": 22, "gfx1100": 22, "gfx1201": 22}


def descriptor(target, form):
    address = 0x1000000000 >> 8
    word3 = SELECT_R001 | ONE_DIMENSION << 28
    if target not in RDNA:
        data, number = form["gcn"]
        if not target.startswith("gfx9"):
            word3 |= 8 << 20  # the tiling table's linear entry
        words = [address, data << 20 | number << 26, WIDTH - 1, word3, (WIDTH - 1) << 13]
    elif target == "gfx1201":
        words = [address, form[target] << 17 | (WIDTH - 1 & 3) << 30, WIDTH - 1 >> 2, word3, 0]
    else:
        level = 0x80000000 if target in ("gfx1010", "gfx1030") else 0
        words = [address, form[target] << 20 | (WIDTH - 1 & 3) << 30, WIDTH - 1 >> 2 | level, word3,
                 0x7F if target == "gfx1030" else 0]
    return [(f"s{8 + i}", word) for i, word in enumerate(words)]


def addresses(target, count, first=0):
    if count == 1:
        return f"v{first}"
    if target == "gfx1201":
        return "[" + ", ".join(f"v{first + i}" for i in range(count)) + "]"
    return f"v[{first}:{first + count - 1}]"


def dimension(target):
    return " dim:SQ_RSRC_IMG_1D" if target in RDNA else ""


def unorm(target):
    return "" if target == "gfx1201" else " unorm"


TEXELS = [0x11111111, 0x82222222, 0x33333333, 0x84444444]


def plain(cases):
    for mnemonic, count in (("image_load", 1), ("image_load_mip", 2), ("image_store", 1), ("image_store_mip", 2)):
        for target in having(mnemonic):
            code = f"{mnemonic} v4, {addresses(target, count)}, s[8:15] dmask:0x1{dimension(target)}{unorm(target)}"
            before = descriptor(target, UINT) + [("exec", 15), ("v0", [3, 0, 2, 1])]
            if "load" in mnemonic:
                cases.add(f"{mnemonic} {target}", [target], [code], before + [("mem[0x0]", TEXELS)],
                          [("v4", [TEXELS[i] for i in (3, 0, 2, 1)])])
            else:
                data = [0xA, 0xB, 0xC, 0xD]
                cases.add(f"{mnemonic} {target}", [target], [code], before + [("v4", data)],
                          [("mem[0x0]", [data[(3, 0, 2, 1).index(i)] for i in range(WIDTH)])])
    for target in having("image_get_resinfo"):
        cases.add(f"image_get_resinfo {target}", [target],
                  [f"image_get_resinfo v4, v0, s[8:15] dmask:0x1{dimension(target)}{unorm(target)}"],
                  descriptor(target, UINT) + [("exec", 1)], [("v4", [WIDTH])])


def atomics(cases):
    for mnemonic in matching("image_atomic_"):
        name = mnemonic[13:].replace("_uint", "_u32").replace("_int", "_i32")
        if mnemonic in NOT_NEEDED:
            continue
        bits, function, kind = operation(name)
        lanes = values(bits, kind)
        for target in having(mnemonic):
            pair = has_compare(name)
            data = "v[4:5]" if pair else "v4"
            result = " th:TH_ATOMIC_RETURN" if target == "gfx1201" else " glc"
            for returns in (True, False):
                code = (f"{mnemonic} {data}, v0, s[8:15] dmask:{'0x3' if pair else '0x1'}{dimension(target)}{unorm(target)}"
                        f"{result if returns else ''}")
                before = descriptor(target, UINT) + [("exec", 7), ("v0", [2, 0, 1]), ("v4", [lane[1] for lane in lanes])]
                if pair:
                    before += [("v5", [lane[2] for lane in lanes])]
                order = [1, 2, 0]  # the lane at each texel
                before += [("mem[0x0]", [lanes[i][0] for i in order])]
                after = [("mem[0x0]", [function(*lanes[i]) for i in order])]
                if returns:
                    after += [("v4", [lane[0] for lane in lanes])]
                cases.add(f"{mnemonic} {target}{' returns' if returns else ''}", [target], [code], before, after)


def samples(cases):
    """The nearest of four texels, by coordinates from 0 to 1; every level is level 0."""
    texels = [f32(value) for value in (8, 1, -2, 4)]
    chosen = (2, 0, 3, 1)
    at = [f32(Fraction(2 * i + 1, 8)) for i in chosen]
    # Before the coordinate: the bias, or its derivatives; behind it: the level.
    forms = {"image_sample": ["x"], "image_sample_lz": ["x"], "image_sample_l": ["x", 0], "image_sample_b": [0, "x"],
             "image_sample_d": [0, 0, "x"]}
    for mnemonic, arguments in forms.items():
        for target in having(mnemonic):
            code = (f"{mnemonic} v8, {addresses(target, len(arguments))}, s[8:15], s[16:19] dmask:0x1{dimension(target)}")
            before = descriptor(target, FLOAT) + [("exec", 15), ("s17", 0xFFF000), ("mem[0x0]", texels)]
            before += [(f"v{i}", at if argument == "x" else argument) for i, argument in enumerate(arguments)]
            cases.add(f"{mnemonic} {target}", [target], [code], before, [("v8", [texels[i] for i in chosen])])


def generate(folder):
    cases = Cases(__doc__)
    plain(cases)
    atomics(cases)
    samples(cases)
    cases.write(folder / "amd_image.case")
