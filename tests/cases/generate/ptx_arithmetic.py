"""PTX: arithmetic, comparisons and conversions in every rounding and with every modifier. Source: "Parallel Thread Execution
ISA" 8.5, sections 9.7.1 to 9.7.5 and 9.7.9.21 (cvt). Results are computed exactly and rounded once; .ftz flushes subnormal operands
to zeros of their sign, .sat clamps to [0, 1] and makes NaN 0, .relu makes negative results and NaN what it says."""
from common import *

TARGET = ["sm_90"]
ROUNDINGS = {"rn": "n", "rz": "z", "rm": "m", "rp": "p"}
REGISTER = {"f16": "h", "bf16": "h", "f32": "f", "f64": "fd", "f16x2": "r", "bf16x2": "r"}
NAN = math.nan


def is_nan(value):
    return isinstance(value, float) and math.isnan(value)


def flushed(bits, form, ftz):
    """An operand after .ftz: a subnormal becomes a zero of its sign."""
    exponent, fraction = FORMATS[form]
    if ftz and bits >> fraction & (1 << exponent) - 1 == 0:
        return bits & 1 << exponent + fraction
    return bits


def numbers(form, *values):
    return [bits_of(Fraction(value), form) for value in values]


def shown_nan(form):
    """What an operation makes of NaN: the canonical one of PTX."""
    return {"f16": 0x7FFF, "bf16": 0x7FFF, "f32": 0x7FFFFFFF}.get(form)


class Operation:
    """An arithmetic opcode "add.rn.ftz.sat.f16x2" and what it computes of bits."""

    def __init__(self, name, modifiers, form, function):
        self.opcode = ".".join([name, *modifiers, form])
        self.modifiers, self.form, self.function = modifiers, form, function
        self.packed = form.endswith("x2")
        self.scalar = form.removesuffix("x2")
        self.mode = next((ROUNDINGS[word] for word in modifiers if word in ROUNDINGS), "n")

    def one(self, *operands):
        ftz = "ftz" in self.modifiers
        values = [value_of(flushed(bits, self.scalar, ftz), self.scalar) for bits in operands]
        value = self.function(*values)
        if "sat" in self.modifiers:
            value = Fraction(0) if is_nan(value) else min(max(value, Fraction(0)), Fraction(1))
        if "relu" in self.modifiers and not is_nan(value):
            value = max(value, Fraction(0))
        return flushed(bits_of(value, self.scalar, self.mode), self.scalar, ftz)

    def bits(self, *operands):
        if not self.packed:
            return self.one(*operands)
        return self.one(*(o & 0xFFFF for o in operands)) | self.one(*(o >> 16 for o in operands)) << 16


def samples(form, count):
    """Operands for `count` sources: sums and products that need rounding, either sign, a subnormal."""
    if form.endswith("x2"):
        some = samples(form[:-2], count)
        return [tuple(a | b << 16 for a, b in zip(some[i], some[(i + 1) % len(some)])) for i in range(len(some))]
    _, fraction = FORMATS[form]
    tiny = Fraction(1, 1 << fraction + 2)
    rows = [(Fraction(1), tiny, Fraction(3)), (Fraction(-1), -tiny, Fraction(-3)), (Fraction(3, 4), Fraction(-1, 4), tiny),
            (1 + 4 * tiny, 1 + 12 * tiny, Fraction(1, 2)), (Fraction(-5, 2), Fraction(7), Fraction(1))]
    made = [tuple(bits_of(value, form) for value in row[:count]) for row in rows]
    return made + [tuple([1, bits_of(Fraction(1), form), bits_of(Fraction(1, 2), form)][:count])]


def add_case(cases, name, code, before, after, extra=()):
    cases.add(name, TARGET, code, before, after, extra)


def lanes(place, values):
    """A place's values by thread; the rest of the 32 have the last one's."""
    return (place, values)


def arithmetic(cases):
    functions = {"add": (2, lambda a, b: a + b), "sub": (2, lambda a, b: a - b), "mul": (2, lambda a, b: a * b),
                 "fma": (3, lambda a, b, c: a * b + c), "mad": (3, lambda a, b, c: a * b + c)}
    for name, (count, function) in functions.items():
        combinations = []
        for rounding in ([] if name in ("fma", "mad") else [""]) + list(ROUNDINGS):
            for ftz in ("", "ftz"):
                for sat in ("", "sat"):
                    combinations.append(("f32", rounding, ftz, sat))
                    if rounding in ("", "rn") and name != "mad":
                        combinations += [("f16", rounding, ftz, sat), ("f16x2", rounding, ftz, sat)]
            if name != "mad" or rounding != "":
                combinations.append(("f64", rounding, "", ""))
            if rounding in ("", "rn") and name != "mad":
                combinations += [("bf16", rounding, "", ""), ("bf16x2", rounding, "", "")]
        if name == "fma":
            combinations += [(form, "rn", ftz, "relu") for form in ("f16", "f16x2") for ftz in ("", "ftz")]
            combinations += [(form, "rn", "", "relu") for form in ("bf16", "bf16x2")]
        for form, *words in combinations:
            operation = Operation(name, [word for word in words if word], form, function)
            register = REGISTER[form]
            # Results of .ftz that are subnormal before rounding are left to hardware tests; sums of these are not.
            rows = samples(form, count)
            if form.endswith("16") or form.endswith("x2") or "ftz" not in words:
                pass
            results = [operation.bits(*row) for row in rows]
            sources = [f"%{register}{1 + i}" for i in range(count)]
            add_case(cases, operation.opcode, [f"{operation.opcode} %{register}9, {', '.join(sources)};"],
                     [lanes(source, [row[i] for row in rows]) for i, source in enumerate(sources)],
                     [lanes(f"%{register}9", results)])


def signs(cases):
    for name in ("abs", "neg"):
        for form in ("f16", "f16x2", "bf16", "bf16x2", "f32", "f64"):
            for ftz in ("", "ftz"):
                if ftz and form not in ("f16", "f16x2", "f32"):
                    continue
                scalar = form.removesuffix("x2")
                top = 1 << width(scalar) - 1
                change = (lambda b: b & ~top) if name == "abs" else (lambda b: b ^ top)
                one = lambda b: change(flushed(b, scalar, bool(ftz)))
                rows = [row[0] for row in samples(form, 1)]
                both = (lambda b: one(b & 0xFFFF) | one(b >> 16) << 16) if form != scalar else one
                opcode = ".".join(word for word in (name, ftz, form) if word)
                register = REGISTER[form]
                add_case(cases, opcode, [f"{opcode} %{register}9, %{register}1;"], [lanes(f"%{register}1", rows)],
                         [lanes(f"%{register}9", [both(row) for row in rows])])


def extremes(cases):
    def choose(name, a, b, nan_wins, form):
        x, y = value_of(a, form), value_of(b, form)
        if is_nan(x) or is_nan(y):
            return shown_nan(form) if nan_wins or is_nan(x) and is_nan(y) else b if is_nan(x) else a
        return a if (x > y) == (name == "max") else b

    for name in ("min", "max"):
        for form in ("f16", "f16x2", "bf16", "bf16x2", "f32"):
            scalar = form.removesuffix("x2")
            top = 1 << width(scalar) - 1
            for ftz in ("", "ftz"):
                if ftz and scalar == "bf16":
                    continue
                for nan in ("", "NaN"):
                    for xorsign in ("", "xorsign.abs"):
                        if ftz and xorsign and scalar == "f16":
                            continue
                        opcode = ".".join(word for word in (name, ftz, nan, xorsign, form) if word)
                        nans = [(bits_of(NAN, scalar), bits_of(Fraction(2), scalar)),
                                (bits_of(Fraction(-3), scalar), bits_of(NAN, scalar))]
                        rows = [row[:2] for row in samples(scalar, 2)] + ([] if xorsign else nans)

                        def one(a, b):
                            a, b = flushed(a, scalar, bool(ftz)), flushed(b, scalar, bool(ftz))
                            if xorsign:
                                return choose(name, a & ~top, b & ~top, bool(nan), scalar) | (a ^ b) & top
                            return choose(name, a, b, bool(nan), scalar)

                        results = [one(*row) for row in rows]
                        if form != scalar:
                            results = [one(*rows[i]) | one(*rows[i - 1]) << 16 for i in range(len(rows))]
                            rows = [tuple(x | y << 16 for x, y in zip(rows[i], rows[i - 1])) for i in range(len(rows))]
                        register = REGISTER[form]
                        add_case(cases, opcode, [f"{opcode} %{register}9, %{register}1, %{register}2;"],
                                 [lanes(f"%{register}1", [r[0] for r in rows]), lanes(f"%{register}2", [r[1] for r in rows])],
                                 [lanes(f"%{register}9", results)])


def comparisons(cases):
    plain = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b and not is_nan(a) and not is_nan(b), "lt": lambda a, b: a < b,
             "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
    functions = dict(plain, num=lambda a, b: not is_nan(a) and not is_nan(b), nan=lambda a, b: is_nan(a) or is_nan(b))
    for name, function in plain.items():
        functions[name + "u"] = lambda a, b, f=function: is_nan(a) or is_nan(b) or f(a, b)
    for name, function in functions.items():
        for form in ("f16", "f16x2", "bf16", "f32", "f64"):
            scalar = form.removesuffix("x2")
            for ftz in ("", "ftz"):
                if ftz and scalar not in ("f16", "f32"):
                    continue
                opcode = ".".join(word for word in ("setp", name, ftz, form) if word)
                some = numbers(scalar, 1, -2, 0) + [bits_of(NAN, scalar), 1]
                rows = [(a, b) for a in some for b in some]
                test = lambda a, b: int(function(value_of(flushed(a, scalar, bool(ftz)), scalar),
                                                 value_of(flushed(b, scalar, bool(ftz)), scalar)))
                register = REGISTER[form]
                if form == scalar:
                    add_case(cases, opcode, [f"{opcode} %p1, %{register}1, %{register}2;"],
                             [lanes(f"%{register}1", [a for a, _ in rows]), lanes(f"%{register}2", [b for _, b in rows])],
                             [lanes("%p1", [test(a, b) for a, b in rows])])
                    continue
                second = rows[7:] + rows[:7]
                add_case(cases, opcode, [f"{opcode} %p1|%p2, %r1, %r2;"],
                         [lanes("%r1", [x[0] | y[0] << 16 for x, y in zip(rows, second)]),
                          lanes("%r2", [x[1] | y[1] << 16 for x, y in zip(rows, second)])],
                         [lanes("%p1", [test(*x) for x in rows]), lanes("%p2", [test(*y) for y in second])])
    unsigned = {"lo": lambda a, b: a < b, "ls": lambda a, b: a <= b, "hi": lambda a, b: a > b, "hs": lambda a, b: a >= b}
    for bits, register in ((16, "rs"), (32, "r"), (64, "rd")):
        for name, function in unsigned.items():
            rows = [(5, 5), (5, 1 << bits - 1), (1 << bits - 1, 5)]
            add_case(cases, f"setp.{name}.u{bits}", [f"setp.{name}.u{bits} %p1, %{register}1, %{register}2;"],
                     [lanes(f"%{register}1", [a for a, _ in rows]), lanes(f"%{register}2", [b for _, b in rows])],
                     [lanes("%p1", [int(function(a, b)) for a, b in rows])])
        for name, function in (("eq", lambda a, b: a == b), ("ne", lambda a, b: a != b)):
            rows = [(5, 5), (5, 1 << bits - 1 | 5), (1 << bits - 1, 1 << bits - 1)]
            add_case(cases, f"setp.{name}.b{bits}", [f"setp.{name}.b{bits} %p1, %{register}1, %{register}2;"],
                     [lanes(f"%{register}1", [a for a, _ in rows]), lanes(f"%{register}2", [b for _, b in rows])],
                     [lanes("%p1", [int(function(a, b)) for a, b in rows])])


TYPES = {"b16": "rs", "u16": "rs", "s16": "rs", "f16": "h", "bf16": "h", "b32": "r", "u32": "r", "s32": "r", "f32": "f", "f16x2": "r",
         "bf16x2": "r", "b64": "rd", "u64": "rd", "s64": "rd", "f64": "fd"}


def bits_in(form):
    return 32 if "x2" in form else int(form.lstrip("busf"))


def moves(cases):
    for form, register in TYPES.items():
        bits = bits_in(form)
        value = 0x8123456789ABCDEF & (1 << bits) - 1
        add_case(cases, f"mov.{form}", [f"mov.{form} %{register}9, %{register}1;"], [lanes(f"%{register}1", [value])],
                 [lanes(f"%{register}9", [value])])
        if "bf" not in form:
            add_case(cases, f"selp.{form}", [f"selp.{form} %{register}9, %{register}1, %{register}2, %p1;"],
                     [lanes(f"%{register}1", [value]), lanes(f"%{register}2", [7]), lanes("%p1", [1, 0])],
                     [lanes(f"%{register}9", [value, 7])])
            for chooser in ("s32", "f32", "ftz"):
                last = "f32" if chooser == "ftz" else chooser
                opcode = f"slct.{'ftz.' if chooser == 'ftz' else ''}{form}.{last}"
                by = [0, 5, -5 & 0xFFFFFFFF] if chooser == "s32" else numbers("f32", 0, 5, -5) + [0x80000001, bits_of(NAN, "f32")]
                takes = [1, 1, 0] + ([] if chooser == "s32" else [int(chooser == "ftz"), 0])
                add_case(cases, opcode, [f"{opcode} %{register}9, %{register}1, %{register}2, %{TYPES[last]}5;"],
                         [lanes(f"%{register}1", [value]), lanes(f"%{register}2", [7]), lanes(f"%{TYPES[last]}5", by)],
                         [lanes(f"%{register}9", [value if take else 7 for take in takes])])
    add_case(cases, "isspacep.shared::cta", ["mov.u64 %rd1, lds;", "cvta.shared.u64 %rd2, %rd1;", "isspacep.shared::cta %p1, %rd2;",
                                             "isspacep.shared::cta %p2, %mem;"], [], [lanes("%p1", [1]), lanes("%p2", [0])])
    # Addresses: generic ones of a space and back.
    there = {"shared": "lds", "shared::cta": "lds", "const": "there", "global": "there", "local": "there", "param": "io_mem"}
    for space, name in there.items():
        module = [f".{space} .u32 there = 5;"] if space in ("const", "global") else []
        declared = [".local .align 8 .b8 there[16];"] if space == "local" else []
        add_case(cases, f"cvta.{space}.u64 there and back",
                 declared + [f"mov.u64 %rd1, {name};", f"cvta.{space}.u64 %rd2, %rd1;", f"cvta.to.{space}.u64 %rd3, %rd2;",
                             "setp.eq.u64 %p1, %rd3, %rd1;"], [], [lanes("%p1", [1])],
                 ["module", *("  " + line for line in module)] if module else [])


def carries(cases):
    for bits, register in ((32, "r"), (64, "rd")):
        whole = (1 << bits) - 1
        for is_signed in (False, True):
            read = (lambda v: signed(v, bits)) if is_signed else (lambda v: v)
            kind = f"{'s' if is_signed else 'u'}{bits}"
            rows = [(whole, whole, 5), (1 << bits - 1, 3, whole), (12345, 678, 1 << bits - 1), (whole, 1, 1)]
            for name in ("mad", "madc"):
                for part in ("lo", "hi"):
                    for out in (".cc", ""):
                        if name == "mad" and not out:
                            continue
                        opcode = f"{name}.{part}{out}.{kind}"
                        # A carry to take: of an addition that overflows in the first two threads.
                        carry_in = [1, 1, 0, 0] if name == "madc" else [0, 0, 0, 0]
                        results, carry_out = [], []
                        for (a, b, c), carry in zip(rows, carry_in):
                            product = read(a) * read(b)
                            taken = product >> bits & whole if part == "hi" else product & whole
                            total = taken + c + carry
                            results.append(total & whole)
                            carry_out.append(total >> bits)
                        code = [f"add.cc.u{bits} %{register}8, %{register}4, %{register}4;"] if name == "madc" else []
                        code += [f"{opcode} %{register}9, %{register}1, %{register}2, %{register}3;"]
                        before = [lanes(f"%{register}{1 + i}", [row[i] for row in rows]) for i in range(3)]
                        after = [lanes(f"%{register}9", results)]
                        if name == "madc":
                            halves = [(1 << bits - 1) * carry for carry in carry_in]
                            before += [lanes(f"%{register}4", halves)]
                        if out:
                            code += [f"addc.u{bits} %{register}7, %{register}6, 0;"]
                            before += [lanes(f"%{register}6", [0])]
                            after += [lanes(f"%{register}7", carry_out)]
                        add_case(cases, opcode, code, before, after)
    rows = [(0x7FFFFF, 0x7FFFFF, 0x7FFFFFFF), (0x7FFFFF, 0x800000, 5), (3, 5, 7)]
    clamp = lambda v: min(max(v, -(1 << 31)), (1 << 31) - 1) & 0xFFFFFFFF
    add_case(cases, "mad24.hi.sat.s32", ["mad24.hi.sat.s32 %r9, %r1, %r2, %r3;"], [lanes(f"%r{1 + i}", [r[i] for r in rows]) for i in range(3)],
             [lanes("%r9", [clamp((signed(a, 24) * signed(b, 24) >> 16) + signed(c, 32)) for a, b, c in rows])])


def quotients(cases):
    subnormal = 1
    for rounding, mode in ROUNDINGS.items():
        for ftz in ("", ".ftz"):
            argument = numbers("f32", 3, -3, 10)
            add_case(cases, f"rcp.{rounding}{ftz}.f32", [f"rcp.{rounding}{ftz}.f32 %f9, %f1;"], [lanes("%f1", argument)],
                     [lanes("%f9", [bits_of(1 / value_of(a, "f32"), "f32", mode) for a in argument])])
            pairs = list(zip(numbers("f32", 1, -7, 2), numbers("f32", 3, 10, -11)))
            add_case(cases, f"div.{rounding}{ftz}.f32", [f"div.{rounding}{ftz}.f32 %f9, %f1, %f2;"],
                     [lanes("%f1", [a for a, _ in pairs] + [subnormal]), lanes("%f2", [b for _, b in pairs] + [f32(1)])],
                     [lanes("%f9", [bits_of(value_of(a, "f32") / value_of(b, "f32"), "f32", mode) for a, b in pairs]
                            + [0 if ftz else subnormal])])
            roots = [Fraction(9, 4), Fraction(16), Fraction(2)]

            def root(value):
                # Of a number with twice the digits, cut off: enough to round it any way but to a tie, which no root is.
                scaled = math.isqrt(int(value * 4 ** 60))
                exact = scaled * scaled == value * 4 ** 60
                return Fraction(scaled, 2 ** 60) if exact else Fraction(2 * scaled + 1, 2 ** 61)

            add_case(cases, f"sqrt.{rounding}{ftz}.f32", [f"sqrt.{rounding}{ftz}.f32 %f9, %f1;"],
                     [lanes("%f1", [bits_of(v, "f32") for v in roots] + [subnormal if ftz else 0])],
                     [lanes("%f9", [bits_of(root(v), "f32", mode) for v in roots] + [0])])
    near = lambda value, steps: f"f32:{value}~{steps}"
    for opcode, pairs in {"sin.approx.ftz.f32": (("0", "0"),), "cos.approx.ftz.f32": (("0", near(1, 1)),),
                          "lg2.approx.ftz.f32": (("8", near(3, 2)), ("0.25", near(-2, 2))),
                          "rsqrt.approx.ftz.f32": (("16", near(0.25, 2)),), "sqrt.approx.ftz.f32": (("16", near(4, 2)), ("2.25", near(1.5, 2)))}.items():
        add_case(cases, opcode, [f"{opcode} %f9, %f1;"], [lanes("%f1", [f"f32:{a}" for a, _ in pairs])], [lanes("%f9", [b for _, b in pairs])])
    for name in ("div.approx.ftz.f32", "div.full.ftz.f32"):
        add_case(cases, name, [f"{name} %f9, %f1, %f2;"], [lanes("%f1", ["f32:6", "f32:-9"]), lanes("%f2", ["f32:2", "f32:4"])],
                 [lanes("%f9", [near(3, 2), near(-2.25, 2)])])
    # A double's upper half alone counts, and the result's lower half is 0: powers of four are exact.
    add_case(cases, "rsqrt.approx.ftz.f64", ["rsqrt.approx.ftz.f64 %fd9, %fd1;"], [lanes("%fd1", [f64(16), f64(0.25)])],
             [lanes("%fd9", [f64(0.25), f64(2)])])
    one, eight = f16(1), f16(8)
    add_case(cases, "ex2.approx.f16", ["ex2.approx.f16 %h9, %h1;"], [lanes("%h1", [f16(3), 0])], [lanes("%h9", ["f16:8~1", "f16:1~1"])])
    add_case(cases, "ex2.approx.f16x2", ["ex2.approx.f16x2 %r9, %r1;"], [lanes("%r1", [f16(3) | 0 << 16])], [lanes("%r9", [eight | one << 16])])
    add_case(cases, "ex2.approx.ftz.bf16", ["ex2.approx.ftz.bf16 %h9, %h1;"], [lanes("%h1", [bf16(3)])], [lanes("%h9", [bf16(8)])])
    add_case(cases, "tanh.approx.f16", ["tanh.approx.f16 %h9, %h1;"], [lanes("%h1", [0, f16(12), f16(-12)])], [lanes("%h9", [0, one, f16(-1)])])
    add_case(cases, "tanh.approx.f16x2", ["tanh.approx.f16x2 %r9, %r1;"], [lanes("%r1", [f16(12) << 16])], [lanes("%r9", [one << 16])])
    add_case(cases, "tanh.approx.bf16x2", ["tanh.approx.bf16x2 %r9, %r1;"], [lanes("%r1", [bf16(12) << 16])], [lanes("%r9", [bf16(1) << 16])])


def generate(folder):
    cases = Cases(__doc__)
    arithmetic(cases)
    signs(cases)
    extremes(cases)
    comparisons(cases)
    moves(cases)
    carries(cases)
    quotients(cases)
    cases.write(folder / "ptx_arithmetic.case")
