"""Intel's Gen9: every operation on values that compute needs. Source: "Skylake PRM, volume 2a: Command Reference:
Instructions". Kernels of 16 work-items, of 8 where a value has 64 bits."""
from common import *

WORDS = [0, 1, 2, 5, 31, 32, 0x7F, 0xFFFF, 0x12345678, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xDEADBEEF, 0xFFFFFFFE, 0xFFFFFFFF, 24]
LONGS = [0, 1, 0xFFFFFFFF, 1 << 32, 1 << 63, (1 << 63) - 1, (1 << 64) - 1, 0x123456789ABCDEF0]
REALS = ("0", "1", "-1", "1/3", "-5/2", "7/2", "100001/3", "-16777217", "3", "-3", "1/1024", "65504", "-1/7", "300", "-200", "3/2")
BYTES = {"ub": 1, "b": 1, "uw": 2, "w": 2, "ud": 4, "d": 4, "uq": 8, "q": 8, "hf": 2, "f": 4, "df": 8}
FORM = {"hf": "f16", "f": "f32", "df": "f64"}
SOURCES = ["r10", "r14", "r18"]
RESULT = "r22"


def is_float(kind):
    return kind in FORM


def is_signed(kind):
    return kind in ("b", "w", "d", "q")


def bits_in(kind):
    return 8 * BYTES[kind]


def masked(value, kind):
    return value & (1 << bits_in(kind)) - 1


def number(bits, kind):
    """What an integer type's bits mean."""
    bits = masked(bits, kind)
    return bits - (1 << bits_in(kind)) if is_signed(kind) and bits >> bits_in(kind) - 1 else bits


def real(bits, kind):
    return value_of(bits, FORM[kind])


def finite(*values):
    return all(not isinstance(v, float) for v in values)


def rounded(value, kind):
    """None for zeros, whose sign has rules of its own."""
    return None if value == 0 else bits_of(value, FORM[kind])


def samples(kind, lanes):
    if is_float(kind):
        values = [bits_of(Fraction(x), FORM[kind]) for x in REALS]
    else:
        values = [masked(x, kind) for x in (LONGS if BYTES[kind] == 8 else WORDS)]
    return (values * 2)[:lanes] if len(values) < lanes else values[:lanes]


def region(kind, lanes):
    row = min(32 // BYTES[kind], lanes)
    return f"<{row};{row},1>"


def operand(register, kind, lanes, three=False):
    return f"{register}.0{'<2;1>' if three else region(kind, lanes)}:{kind}"


def width(*kinds):
    return 8 if any(BYTES[k] == 8 for k in kinds) else 16


def typed(mnemonic, to, kinds, function, condition="", saturate=False, flag=None, name=None):
    """A case of one instruction; the formula takes and gives bits, None where it does without a channel."""
    lanes = width(to, *kinds)
    rows = []
    for i in range(lanes):
        operands = [samples(kind, lanes)[(i * (1, 3, 5)[k] + 2 * k) % lanes] for k, kind in enumerate(kinds)]
        rows.append((operands, function(*operands)))
    sat = "(sat)" if saturate else ""
    three = len(kinds) == 3
    code = f"{mnemonic} ({lanes}|M0) {condition} {sat}{RESULT}.0<1>:{to} " + " ".join(
        operand(SOURCES[k], kind, lanes, three) for k, kind in enumerate(kinds))
    lines = [f"case gen9: {name or mnemonic} {to} of {' '.join(kinds)}{' saturated' if saturate else ''}", "target gen9",
             f"lanes {lanes}", "code", f"  {' '.join(code.split())}"]
    if any(is_float(k) for k in (to, *kinds)):
        lines.append("before cr0:ud = 0x4c0")
    for k, kind in enumerate(kinds):
        lines.append(f"before {SOURCES[k]}:{kind} = " + " ".join("%#x" % row[0][k] for row in rows))
    if flag is None:
        lines.append(f"after {RESULT}:{to} = " + " ".join(
            "any" if result is None else result if isinstance(result, str) else "%#x" % masked(result, to) for _, result in rows))
    else:
        lines.append(f"after {RESULT}:{to} = any")
        lines.append("after f0:ud = %#x" % sum(bool(flag(*row[0])) << i for i, row in enumerate(rows)))
    return lines


def plain(function):
    return lambda kinds: lambda *bits: function(*[number(b, k) for b, k in zip(bits, kinds)])


def count_of(b, kind):
    return b & (63 if BYTES[kind] == 8 else 31)


def signed32(x):
    return x - (1 << 32) if x >> 31 else x


def field(width_, offset, value, sign):
    width_, offset = width_ & 31, offset & 31
    if width_ == 0:
        return 0
    wide = signed32(value) if sign else value
    part = wide >> offset & (1 << width_) - 1 if offset + width_ < 32 else wide >> offset
    if sign and offset + width_ < 32 and part >> width_ - 1:
        part -= 1 << width_
    return part


def first_high(x, sign):
    x = x ^ 0xFFFFFFFF if sign and x >> 31 else x
    return 32 - x.bit_length() if x else 0xFFFFFFFF


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def integers():
    arithmetic = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b, "and": lambda a, b: a & b, "or": lambda a, b: a | b,
                  "xor": lambda a, b: a ^ b}
    for name, function in arithmetic.items():
        for to, kinds in (("d", ("d", "d")), ("ud", ("ud", "ud")), ("d", ("d", "uw")), ("w", ("w", "w")), ("q", ("q", "q")),
                          ("uq", ("uq", "uq")), ("d", ("ub", "b"))):
            yield typed(name, to, kinds, plain(function)(kinds))
    yield typed("mul", "q", ("d", "d"), plain(lambda a, b: a * b)(("d", "d")))
    yield typed("mul", "uq", ("ud", "ud"), plain(lambda a, b: a * b)(("ud", "ud")))
    yield typed("add", "q", ("ud", "q"), plain(lambda a, b: a + b)(("ud", "q")))
    for kind in ("d", "ud", "w", "q"):
        yield typed("not", kind, (kind,), lambda a: ~a)
    for kind, unsigned in (("d", "ud"), ("q", "uq")):
        yield typed("shl", kind, (kind, "ud"), lambda a, b, k=kind: a << count_of(b, k))
        yield typed("shr", kind, (unsigned, "ud"), lambda a, b, k=kind: a >> count_of(b, k))
        yield typed("asr", kind, (kind, "ud"), lambda a, b, k=kind: number(a, k) >> count_of(b, k))
    yield typed("shl", "w", ("w", "w"), lambda a, b: a << (b & 31))
    yield typed("shr", "uw", ("uw", "uw"), lambda a, b: a >> (b & 31))
    yield typed("avg", "d", ("d", "d"), plain(lambda a, b: a + b + 1 >> 1)(("d", "d")))
    yield typed("lzd", "ud", ("ud",), lambda a: 32 - a.bit_length())
    yield typed("fbh", "ud", ("ud",), lambda a: first_high(a, False))
    yield typed("fbh", "ud", ("d",), lambda a: first_high(a, True))
    yield typed("fbl", "ud", ("ud",), lambda a: (a & -a).bit_length() - 1 if a else 0xFFFFFFFF)
    yield typed("cbit", "ud", ("ud",), lambda a: bin(a).count("1"))
    yield typed("bfrev", "ud", ("ud",), lambda a: int(format(a, "032b")[::-1], 2))
    yield typed("bfe", "ud", ("ud", "ud", "ud"), lambda a, b, c: field(a, b, c, False))
    yield typed("bfe", "d", ("d", "d", "d"), lambda a, b, c: field(a, b, c, True))
    yield typed("bfi1", "ud", ("ud", "ud"), lambda a, b: (1 << (a & 31)) - 1 << (b & 31))
    yield typed("bfi2", "ud", ("ud", "ud", "ud"), lambda a, b, c: a & b | ~a & c)
    for kind in ("d", "ud"):
        yield typed("math.iqot", kind, (kind, kind),
                    lambda a, b, k=kind: quotient(number(a, k), number(b, k)) if b else None)
        yield typed("math.irem", kind, (kind, kind),
                    lambda a, b, k=kind: number(a, k) - quotient(number(a, k), number(b, k)) * number(b, k) if b else None)


def reals():
    operations = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b, "mad": lambda a, b, c: a + b * c}
    for kind in FORM:
        for name, function in operations.items():
            def apply(*bits, function=function, kind=kind):
                values = [real(b, kind) for b in bits]
                return rounded(function(*values), kind) if finite(*values) else None
            yield typed(name, kind, (kind,) * (3 if name == "mad" else 2), apply)
        if kind == "hf":
            # Of halves that make a float the result is rounded once, to a float.
            for name, function in operations.items():
                def single(*bits, function=function):
                    values = [real(b, "hf") for b in bits]
                    return rounded(function(*values), "f") if finite(*values) else None
                yield typed(name, "f", ("hf",) * (3 if name == "mad" else 2), single)
            continue
        for name, mode in (("rndd", "m"), ("rndu", "p"), ("rnde", "n"), ("rndz", "z")):
            yield typed(name, kind, (kind,), lambda a, m=mode, k=kind: rounded(Fraction(to_integer(real(a, k), m)), k))
        yield typed("frc", kind, (kind,), lambda a, k=kind: rounded(real(a, k) - math.floor(real(a, k)), k))
    yield typed("lrp", "f", ("f", "f", "f"), lambda a, b, c: None)
    functions = {
        "math.inv": lambda a: 1 / a if a else None, "math.sqt": lambda a: a ** 0.5 if a > 0 else None,
        "math.rsqt": lambda a: a ** -0.5 if a > 0 else None, "math.exp": lambda a: 2.0 ** a if abs(a) < 100 else None,
        "math.log": lambda a: math.log2(a) if a > 0 and a != 1 else None,
        "math.sin": lambda a: math.sin(a) if 0 < abs(a) < 4 else None, "math.cos": lambda a: math.cos(a) if abs(a) < 4 else None}
    for name, function in functions.items():
        def near(a, function=function):
            value = function(float(real(a, "f")))
            return None if value is None else "f32:%r~2" % value
        yield typed(name, "f", ("f",), near)
    yield typed("math.fdiv", "f", ("f", "f"),
                lambda a, b: "f32:%r~1" % float(real(a, "f") / real(b, "f")) if real(b, "f") and real(a, "f") else None)
    yield typed("math.pow", "f", ("f", "f"),
                lambda a, b: "f32:%r~4" % (abs(float(real(a, "f"))) ** float(real(b, "f")))
                if real(a, "f") and abs(float(real(b, "f"))) < 8 and abs(real(a, "f")) < 1000 else None)


def converted(bits, source, to, saturate):
    value = real(bits, source) if is_float(source) else Fraction(number(bits, source))
    if not finite(value):
        return None
    if is_float(to):
        if saturate:
            value = min(max(value, Fraction(0)), Fraction(1))
        return rounded(value, to)
    whole = to_integer(value, "z")
    low, high = (-(1 << bits_in(to) - 1), (1 << bits_in(to) - 1) - 1) if is_signed(to) else (0, (1 << bits_in(to)) - 1)
    if saturate or (is_float(source) and BYTES[to] >= 4):
        return min(max(whole, low), high)
    if is_float(source):
        return min(max(whole, -(1 << 31)), (1 << 31) - 1)
    return whole


def moves():
    for source in BYTES:
        for to in BYTES:
            for saturate in (False, True):
                if saturate and to == source and not is_float(to):
                    continue
                yield typed("mov", to, (source,), lambda a, s=source, t=to, x=saturate: converted(a, s, t, x), saturate=saturate)


CONDITIONS = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
              "lt": lambda a, b: a < b, "le": lambda a, b: a <= b}


def valued(bits, kind):
    return real(bits, kind) if is_float(kind) else number(bits, kind)


def comparisons():
    for name, holds in CONDITIONS.items():
        for kinds in (("d", "d"), ("ud", "ud"), ("ud", "d"), ("w", "w"), ("ub", "b"), ("q", "q"), ("uq", "uq"), ("f", "f"), ("df", "df"),
                      ("hf", "hf")):
            def both(a, b, kinds=kinds, holds=holds):
                return holds(valued(a, kinds[0]), valued(b, kinds[1]))
            yield typed("cmp", "ud", kinds, lambda *v: 0, condition=f"({name})f0.0", flag=both, name=f"cmp.{name}")
        for kind in ("d", "ud", "q", "f", "df"):
            def first(a, b, kind=kind, holds=holds):
                return a if holds(valued(a, kind), valued(b, kind)) else b
            yield typed("sel", kind, (kind, kind), first, condition=f"({name})f0.0", name=f"sel.{name}")
        def third(a, b, c, holds=holds):
            return a if holds(real(c, "f"), 0) else b
        yield typed("csel", "f", ("f", "f", "f"), third, condition=f"({name})f0.0", name=f"csel.{name}")


def generate(folder):
    cases = [case for source in (integers(), reals(), moves(), comparisons()) for case in source]
    (folder / "gen9.case").write_text("\n\n".join("\n".join(case) for case in cases) + "\n")
