"""AMD's VLIW GPUs: every operation of ALU clauses that computes. Source: "Evergreen Family Instruction Set Architecture" and
"HD 6900 Series Instruction Set Architecture", chapter 9. f32 denormals count as zeros, and results that would be denormals are."""
from common import *

TARGET = "cypress cayman"
MASK = 0xFFFFFFFF
WORDS = [0, 1, 2, 5, 31, 32, 0x7F, 0xFFFF, 0x12345678, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xDEADBEEF, 0xFFFFFFFE, MASK, 24]
FLOATS = [bits_of(Fraction(x), "f32") for x in ("0", "1", "-1", "1/3", "-5/2", "7/2", "100001/3", "-16777217", "3", "-3", "1/1024")]
FLOATS += [0x80000000, 0x7F800000, 0xFF800000, 0x00000001, 0x807FFFFF]
HALVES = [0x0000, 0x3C00, 0xBC00, 0x3555, 0xC500, 0x7BFF, 0x7C00, 0xFC00]


def signed(x):
    return x - (1 << 32) if x >> 31 else x


def low24(x):
    return x & 0xFFFFFF


def signed24(x):
    return low24(x) - (1 << 24) if x >> 23 & 1 else low24(x)


def set_if(condition):
    return MASK if condition else 0


def first_high(x):
    return 32 - x.bit_length() if x else MASK


def first_low(x):
    return (x & -x).bit_length() - 1 if x else MASK


def field(a, offset, count, sign):
    offset, count = offset & 31, count & 31
    if count == 0:
        return 0
    value = (signed(a) if sign else a) >> offset
    value &= (1 << count) - 1
    if sign and value >> count - 1:
        value -= 1 << count
    return value


INTEGERS = {
    "AND_INT": lambda a, b: a & b, "OR_INT": lambda a, b: a | b, "XOR_INT": lambda a, b: a ^ b, "NOT_INT": lambda a: ~a,
    "ADD_INT": lambda a, b: a + b, "SUB_INT": lambda a, b: a - b, "MOV": lambda a: a,
    "ADDC_UINT": lambda a, b: a + b >> 32, "SUBB_UINT": lambda a, b: a < b,
    "MAX_INT": lambda a, b: max(signed(a), signed(b)), "MIN_INT": lambda a, b: min(signed(a), signed(b)),
    "MAX_UINT": max, "MIN_UINT": min,
    "LSHL": lambda a, b: a << (b & 31), "LSHR": lambda a, b: a >> (b & 31), "ASHR": lambda a, b: signed(a) >> (b & 31),
    "BFE_UINT": lambda a, b, c: field(a, b, c, False), "BFE_INT": lambda a, b, c: field(a, b, c, True),
    "BFI_INT": lambda a, b, c: a & b | ~a & c, "BFM_INT": lambda a, b: ((1 << (a & 31)) - 1) << (b & 31),
    "BIT_ALIGN_INT": lambda a, b, c: (a << 32 | b) >> (c & 31),
    "FFBH_UINT": first_high, "FFBL_INT": first_low, "BCNT_INT": lambda a: bin(a).count("1"),
    "MUL_UINT24": lambda a, b: low24(a) * low24(b), "MULHI_UINT24": lambda a, b: low24(a) * low24(b) >> 32,
    "MULADD_UINT24": lambda a, b, c: low24(a) * low24(b) + c,
    "MUL_INT24": lambda a, b: signed24(a) * signed24(b), "MULHI_INT24": lambda a, b: signed24(a) * signed24(b) >> 32,
    "MULADD_INT24": lambda a, b, c: signed24(a) * signed24(b) + c,
    "MULLO_INT": lambda a, b: a * b, "MULLO_UINT": lambda a, b: a * b, "MULHI": lambda a, b: a * b >> 32,
    "MULHI_UINT": lambda a, b: a * b >> 32, "MULHI_INT": lambda a, b: signed(a) * signed(b) >> 32,
    "RECIP_UINT": lambda a: MASK if a <= 1 else (1 << 32) // a,
    "SETE_INT": lambda a, b: set_if(a == b), "SETNE_INT": lambda a, b: set_if(a != b),
    "SETGT_INT": lambda a, b: set_if(signed(a) > signed(b)), "SETGE_INT": lambda a, b: set_if(signed(a) >= signed(b)),
    "SETGT_UINT": lambda a, b: set_if(a > b), "SETGE_UINT": lambda a, b: set_if(a >= b),
    "CNDE_INT": lambda a, b, c: b if a == 0 else c, "CNDGT_INT": lambda a, b, c: b if signed(a) > 0 else c,
    "CNDGE_INT": lambda a, b, c: b if signed(a) >= 0 else c,
}


def flushed(bits):
    return bits & 0x80000000 if bits >> 23 & 0xFF == 0 else bits


def number(bits):
    return value_of(flushed(bits), "f32")


def rounded(value):
    return flushed(bits_of(value, "f32"))


def truth(condition):
    return 0x3F800000 if condition else 0


def finite(*values):
    return all(not isinstance(v, float) for v in values)


def to_word(value, low, high):
    """A float to an integer, towards zero, the nearest where it does not fit."""
    if not finite(value):
        return high if value > 0 else low
    return min(max(to_integer(value, "z"), low), high)


# Of operands' bits; None where the case does without a row of operands (infinities in sums and products).
def arithmetic(function):
    def apply(*operands):
        values = [number(bits) for bits in operands]
        if not finite(*values):
            return None
        value = function(*values)
        # A zero's sign has rules of its own, which the AMD cases of the same meanings have.
        return None if value == 0 else rounded(value)
    return apply


def twice_rounded(a, b, c):
    if not finite(number(a), number(b), number(c)):
        return None
    product = rounded(number(a) * number(b))
    value = number(product) + number(c)
    return None if value == 0 or number(product) == 0 or not finite(number(product)) else rounded(value)


def whole(mode):
    def apply(a):
        value = number(a)
        if not finite(value):
            return a
        result = to_integer(value, mode)
        return None if result == 0 else rounded(Fraction(result))
    return apply


def comparison(relation, result):
    return lambda a, b: result(relation(number(a), number(b)))


def select(relation):
    return lambda a, b, c: b if relation(number(a)) else c


def close(function):
    """An approximation: within a step or two of the formula in doubles."""
    def apply(a):
        value = number(a)
        if not finite(value) or not (expected := function(float(value))) or abs(expected) < 2.0 ** -100:
            return None
        return "f32:%r~2" % expected
    return apply


EQUAL, ABOVE = (lambda a, b: a == b), (lambda a, b: a > b)
AT_LEAST, DIFFERENT = (lambda a, b: a >= b), (lambda a, b: a != b)
REALS = {
    "ADD": arithmetic(lambda a, b: a + b), "MUL": arithmetic(lambda a, b: a * b), "MUL_IEEE": arithmetic(lambda a, b: a * b),
    "FMA": arithmetic(lambda a, b, c: a * b + c), "MULADD": twice_rounded, "MULADD_IEEE": twice_rounded,
    "MAX": lambda a, b: flushed(a if number(a) >= number(b) else b), "MIN": lambda a, b: flushed(a if number(a) < number(b) else b),
    "MAX_DX10": lambda a, b: None if number(a) == number(b) else flushed(a if number(a) > number(b) else b),
    "MIN_DX10": lambda a, b: None if number(a) == number(b) else flushed(a if number(a) < number(b) else b),
    "FRACT": arithmetic(lambda a: a - math.floor(a)),
    "TRUNC": whole("z"), "CEIL": whole("p"), "FLOOR": whole("m"), "RNDNE": whole("n"),
    "FLT_TO_INT": lambda a: to_word(number(a), -(1 << 31), (1 << 31) - 1), "FLT_TO_UINT": lambda a: to_word(number(a), 0, MASK),
    "SETE": comparison(EQUAL, truth), "SETGT": comparison(ABOVE, truth), "SETGE": comparison(AT_LEAST, truth),
    "SETNE": comparison(DIFFERENT, truth), "SETE_DX10": comparison(EQUAL, set_if), "SETGT_DX10": comparison(ABOVE, set_if),
    "SETGE_DX10": comparison(AT_LEAST, set_if), "SETNE_DX10": comparison(DIFFERENT, set_if),
    "CNDE": select(lambda a: a == 0), "CNDGT": select(lambda a: a > 0), "CNDGE": select(lambda a: a >= 0),
    "RECIP_IEEE": close(lambda a: 1 / a if a else 0), "RECIP_CLAMPED": close(lambda a: 1 / a if a else 0),
    "RECIPSQRT_IEEE": close(lambda a: a ** -0.5 if a > 0 else 0), "RECIPSQRT_CLAMPED": close(lambda a: a ** -0.5 if a > 0 else 0),
    "EXP_IEEE": close(lambda a: 2.0 ** a if abs(a) < 100 else 0), "LOG_IEEE": close(lambda a: math.log2(a) if a > 0 else 0),
    "LOG_CLAMPED": close(lambda a: math.log2(a) if a > 0 else 0),
    "SIN": close(lambda a: math.sin(2 * math.pi * a) if a in (1 / 1024,) else 0),
    "COS": close(lambda a: math.cos(2 * math.pi * a) if abs(a) <= 1 / 1024 else 0),
    "FLT32_TO_FLT16": lambda a: bits_of(value_of(a, "f32"), "f16") if finite(number(a)) and abs(number(a)) > Fraction(1, 10000)
    and abs(number(a)) < 60000 else None,
}
CONVERSIONS = {
    "INT_TO_FLT": (WORDS, lambda a: bits_of(Fraction(signed(a)), "f32")), "UINT_TO_FLT": (WORDS, lambda a: bits_of(Fraction(a), "f32")),
    "FLT16_TO_FLT32": (HALVES, lambda a: bits_of(value_of(a, "f16"), "f32")),
}
PREDICATES = {
    "PRED_SETE_INT": lambda a, b: a == b, "PRED_SETNE_INT": lambda a, b: a != b,
    "PRED_SETGT_INT": lambda a, b: signed(a) > signed(b), "PRED_SETGE_INT": lambda a, b: signed(a) >= signed(b),
    "PRED_SETE": lambda a, b: number(a) == number(b), "PRED_SETNE": lambda a, b: number(a) != number(b),
    "PRED_SETGT": lambda a, b: number(a) > number(b), "PRED_SETGE": lambda a, b: number(a) >= number(b),
}
LOCAL = {
    "LDS_ADD": lambda m, a: m + a, "LDS_SUB": lambda m, a: m - a, "LDS_AND": lambda m, a: m & a, "LDS_OR": lambda m, a: m | a,
    "LDS_XOR": lambda m, a: m ^ a, "LDS_MIN_INT": lambda m, a: min(signed(m), signed(a)),
    "LDS_MAX_INT": lambda m, a: max(signed(m), signed(a)), "LDS_MIN_UINT": min, "LDS_MAX_UINT": max, "LDS_WRXCHG": lambda m, a: a,
}
ACCESSES = {  # bytes, whether the sign is extended
    "LDS_READ_RET": (4, False), "LDS_BYTE_READ_RET": (1, True), "LDS_UBYTE_READ_RET": (1, False), "LDS_SHORT_READ_RET": (2, True),
    "LDS_USHORT_READ_RET": (2, False), "LDS_WRITE": (4, False), "LDS_BYTE_WRITE": (1, False), "LDS_SHORT_WRITE": (2, False),
}


def arity(function, values):
    for count in (1, 2, 3):
        try:
            function(*values[1:count + 1])
            return count
        except TypeError:
            continue
    raise ValueError("a formula of one, two or three operands")


def shown(value):
    return value if isinstance(value, str) else "%#x" % (int(value) & MASK)


def operation(name, function, values):
    count = 2 if function in (min, max) else arity(function, values)
    rows = []
    for step in (1, 3, 7, 5):
        for i, first in enumerate(values):
            operands = [first] + [values[(i * step + step * k + 3 * k) % len(values)] for k in range(1, count)]
            result = function(*operands)
            if result is not None and (operands, result) not in rows:
                rows.append((operands, result))
    rows = rows[:64]
    sources = ["T3.X", "T3.Y", "T3.Z"][:count]
    text = [f"case vliw: {name}", f"target {TARGET}", "code", f"  {name} * T2.X, {', '.join(sources)},"]
    for k, source in enumerate(sources):
        text.append(f"before {source} = " + " ".join("%#x" % operands[k] for operands, _ in rows))
    text.append("after T2.X = " + " ".join(shown(result) for _, result in rows) + (" any" if len(rows) < 64 else ""))
    return text


def predicate(name, holds, values):
    pairs = [(a, values[(i * 5 + 2) % len(values)]) for i, a in enumerate(values)] + [(a, a) for a in values]
    pairs = [(a, b) for a, b in pairs]
    return [f"case vliw: {name}", f"target {TARGET}", "code", f"  {name} * Pred,PredicateBit (MASKED), T3.X, T3.Y,",
            "  MOV * T2.X, 1, Pred_sel_one",
            "before T3.X = " + " ".join("%#x" % a for a, _ in pairs), "before T3.Y = " + " ".join("%#x" % b for _, b in pairs),
            "after T2.X = " + " ".join(str(int(holds(a, b))) for a, b in pairs) + " any"]


def local_atomic(name, function):
    memory, data = 0x80000005, 0x7000F003
    text = [f"case vliw: {name}", f"target {TARGET}", "code", f"  {name} * T3.X, T3.Y,", "before exec = 0x1", "before T3.X = 12",
            f"before T3.Y = {data:#x}", f"before lds[12] = {memory:#x}", f"after lds[12] = {shown(function(memory, data))}"]
    returning = [f"case vliw: {name}_RET", f"target {TARGET}", "code", f"  {name}_RET * OQAP, T3.X, T3.Y,", "  MOV * T2.X, OQAP,",
                 "before exec = 0x1", "before T3.X = 12", f"before T3.Y = {data:#x}", f"before lds[12] = {memory:#x}",
                 f"after lds[12] = {shown(function(memory, data))}", f"after T2.X = {memory:#x} 0"]
    return text + [""] + returning


def local_access(name, size, sign):
    memory = 0x8899AABB
    at = 4 - size
    part = memory >> 8 * at & (1 << 8 * size) - 1
    text = [f"case vliw: {name}", f"target {TARGET}", "code"]
    if name.endswith("_RET"):
        wide = part - (1 << 8 * size) if sign and part >> 8 * size - 1 else part
        return text + [f"  {name} * OQAP, T3.X", "  MOV * T2.X, OQAP,", f"before T3.X = {20 + at}", f"before lds[20] = {memory:#x}",
                       f"after T2.X = {shown(wide)}"]
    data = 0x01020304
    kept = memory & ~((1 << 8 * size) - 1 << 8 * at) | (data & (1 << 8 * size) - 1) << 8 * at
    return text + [f"  {name} * T3.X, T3.Y,", "before exec = 0x1", f"before T3.X = {20 + at}", f"before T3.Y = {data:#x}",
                   f"before lds[20] = {memory:#x}", f"after lds[20] = {shown(kept)}"]


# Images of floats: order "r" and "rgba", type "single", as exec/image.h numbers them.
R, RGBA, SINGLE = 1, 8, 15
NORMALIZED, TO_EDGE, REPEAT, LINEAR = 1, 2, 6, 32  # OpenCL C's sampler constants
WIDTH, HEIGHT = 4, 2


def texel(x, y):
    return 10 * x + 3 * y + 1


def texture(name, code, coordinates, sampler, function):
    """A fetch of an image of one float a texel. `function` gives the red component of a lane's coordinates; green and blue are 0,
    alpha is 1 (OpenCL 1.2, table 6.23)."""
    text = [f"case vliw: {name}", f"target {TARGET}", "code", f"  {code} T1.XYZW, T0.XYZW RID:4 SID:0 CT:" +
            ("NNUU" if sampler & NORMALIZED else "UUUU"), f"before exec = {(1 << len(coordinates)) - 1:#x}",
            f"before image:2d = {WIDTH} {HEIGHT} {R} {SINGLE}", f"before sampler:bits = {sampler}",
            "before mem[0x0] = " + " ".join(f"f32:{texel(x, y)}" for y in range(HEIGHT) for x in range(WIDTH))]
    whole = code == "TEX_LD"
    for i, channel in enumerate("XY"):
        text.append(f"before T0.{channel} = " + " ".join(
            str(at[i]) if whole else f"f32:{float(at[i])!r}" for at in coordinates))
    results = [function(*at) for at in coordinates]
    text.append("after T1.X = " + " ".join(f"f32:{float(value)!r}" if inside else "f32:0.0" for inside, value in results))
    text += ["after T1.Y = f32:0.0", "after T1.Z = f32:0.0"]
    # Outside, of an image without alpha: the border (0, 0, 0, 1).
    return text + ["after T1.W = f32:1.0"]


def whole_place(x, y):
    inside = 0 <= x < WIDTH and 0 <= y < HEIGHT
    return inside, texel(x, y) if inside else 0


def wrapped(at, size, sampler):
    return at % size if sampler & 14 == REPEAT else min(max(at, 0), size - 1)


def nearest(sampler):
    def place(u, v):
        x, y = (u * WIDTH, v * HEIGHT) if sampler & NORMALIZED else (u, v)
        return True, texel(wrapped(math.floor(x), WIDTH, sampler), wrapped(math.floor(y), HEIGHT, sampler))
    return place


def linear(sampler):
    """Coordinates whose weights are whole parts of 256."""
    def place(u, v):
        x, y = (u * WIDTH, v * HEIGHT) if sampler & NORMALIZED else (u, v)
        x, y = Fraction(x) - Fraction(1, 2), Fraction(y) - Fraction(1, 2)
        total = Fraction(0)
        for i in (0, 1):
            for j in (0, 1):
                part = ((x - math.floor(x)) if i else 1 - (x - math.floor(x))) * ((y - math.floor(y)) if j else 1 - (y - math.floor(y)))
                total += part * texel(wrapped(math.floor(x) + i, WIDTH, sampler), wrapped(math.floor(y) + j, HEIGHT, sampler))
        return True, float(total)
    return place


def textures():
    places = [(0, 0), (3, 1), (1, 1), (2, 0), (-1, 0), (0, 2), (4, 1), (1, -5)]
    yield texture("TEX_LD: texels by whole numbers, zero outside", "TEX_LD", places, 0, whole_place)
    points = [(0.25, 0.5), (3.75, 1.5), (1.0, 1.0), (2.5, 0.25), (-1.5, 0.5), (0.5, 2.5), (4.25, 1.0), (100.0, -100.0)]
    fractions = [(0.125, 0.25), (0.9375, 0.75), (0.5, 0.5), (0.625, 0.125), (-0.375, 0.25), (1.125, 1.75), (2.0625, 0.5), (-3.5, -1.25)]
    yield texture("TEX_SAMPLE: the nearest texel, by texels, at the edge the last one", "TEX_SAMPLE", points, TO_EDGE, nearest(TO_EDGE))
    for mode, word in ((TO_EDGE, "the last one beyond the edge"), (REPEAT, "again and again")):
        bits = NORMALIZED | mode
        yield texture(f"TEX_SAMPLE: the nearest texel, by fractions, {word}", "TEX_SAMPLE", fractions, bits, nearest(bits))
        yield texture(f"TEX_SAMPLE: four texels blended, by fractions, {word}", "TEX_SAMPLE", fractions, bits | LINEAR, linear(bits))
    yield texture("TEX_SAMPLE: four texels blended, by texels", "TEX_SAMPLE", points, TO_EDGE | LINEAR, linear(TO_EDGE))
    yield ["case vliw: TEX_LD: a swizzle chooses components, a constant, and leaves a channel", f"target {TARGET}", "code",
           "  TEX_LD T1.WX1_, T0.XY00 RID:4 SID:0 CT:UUUU", "before exec = 0x1", f"before image:2d = 2 1 {RGBA} {SINGLE}",
           "before mem[0x0] = " + " ".join(f"f32:{i}" for i in range(8)), "before T0.X = 1", "before T1.W = 77",
           "after T1.X = f32:7", "after T1.Y = f32:4", "after T1.Z = f32:1"]
    yield ["case vliw: MEM_RAT STORE_TYPED: a texel for each lane inside", f"target {TARGET}", "code",
           "  MEM_RAT STORE_TYPED RAT(1) T2, T0, 1", "before exec = 0x7", f"before image:2d = {WIDTH} {HEIGHT} {R} {SINGLE}",
           "before mem[0x0] = " + " ".join(["f32:9"] * WIDTH * HEIGHT), "before T0.X = 2 0 4", "before T0.Y = 1 0 0",
           "before T2.X = f32:1.5 f32:-2 f32:5",
           "after mem[0x0] = f32:-2 " + " ".join(["f32:9"] * 5) + " f32:1.5 f32:9"]


def generate(folder):
    cases = [operation(name, function, WORDS) for name, function in INTEGERS.items()]
    cases += [operation(name, function, FLOATS) for name, function in REALS.items()]
    cases += [operation(name, function, values) for name, (values, function) in CONVERSIONS.items()]
    cases += [predicate(name, holds, WORDS if name.endswith("_INT") else FLOATS) for name, holds in PREDICATES.items()]
    cases += [local_atomic(name, function) for name, function in LOCAL.items()]
    cases += [local_access(name, size, sign) for name, (size, sign) in ACCESSES.items()]
    cases += list(textures())
    (folder / "vliw.case").write_text("\n\n".join("\n".join(case) for case in cases) + "\n")
