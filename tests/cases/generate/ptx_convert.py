"""PTX: cvt between all types, in every rounding and with every modifier. Source: "Parallel Thread Execution ISA" 8.5, section
9.7.9.21: integers are cut off or, with .sat, clamped, and then extended in their register; floats become integers clamped to
their type's range; other conversions round once."""
from common import *

TARGET = ["sm_90"]
FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64")
ROUNDINGS = {"rn": "n", "rz": "z", "rm": "m", "rp": "p"}
REGISTERS = {"f16": "h", "bf16": "h", "f32": "f", "f64": "fd"}


def register_of(form):
    if form in REGISTERS:
        return REGISTERS[form]
    return {8: "rs", 16: "rs", 32: "r", 64: "rd"}[int(form[1:])]


def register_bits(form):
    return max(16, int(form.lstrip("busf"))) if form not in FLOATS else width(form)


def limits(form):
    bits = int(form[1:])
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if form[0] == "s" else (0, (1 << bits) - 1)


def in_register(value, form):
    """An integer of a type in its register: extended by its sign."""
    bits = int(form[1:])
    value &= (1 << bits) - 1
    return (signed(value, bits) if form[0] == "s" else value) & (1 << register_bits(form)) - 1


def add(cases, words, result, source, rows, function, registers=None):
    opcode = ".".join(["cvt", *(word for word in words if word), result, source])
    to, of = registers or (register_of(result) + "9", register_of(source) + "1")
    cases.add(opcode, TARGET, [f"{opcode} %{to}, %{of};"], [(f"%{of}", rows)], [(f"%{to}", [function(row) for row in rows])])


def integers(cases):
    for result in INTEGERS:
        low, high = limits(result)
        for source in INTEGERS:
            bits = int(source[1:])
            rows = [0, 5, 1 << bits - 1, (1 << bits) - 1, (1 << bits - 1) - 1, 0x8123456789ABCD85 & (1 << bits) - 1]
            read = (lambda v: signed(v, bits)) if source[0] == "s" else (lambda v: v)
            add(cases, [], result, source, rows, lambda v: in_register(read(v), result))
            add(cases, ["sat"], result, source, rows, lambda v: in_register(min(max(read(v), low), high), result))


def to_integers(cases):
    for result in INTEGERS:
        low, high = limits(result)
        for source in FLOATS:
            values = [Fraction(5, 2), Fraction(7, 2), Fraction(3, 4), Fraction(401, 4), Fraction(0), Fraction(-5, 2), Fraction(-3, 4)]
            rows = [bits_of(value, source) for value in values if value >= 0 or low < 0]
            beyond = [bits_of(Fraction(60000 if source == "f16" else 1 << 70), source), bits_of(math.nan, source)]
            for rounding, mode in ROUNDINGS.items():
                for ftz in ("", "ftz") if source in ("f16", "f32") else ("",):
                    for sat in ("", "sat"):
                        def convert(bits):
                            value = value_of(bits, source)
                            number = 0 if isinstance(value, float) else min(max(to_integer(value, mode), low), high)
                            return in_register(number, result)
                        add(cases, [rounding + "i", ftz, sat], result, source, rows + (beyond[:1] if sat else []), convert)


def clamped(value, sat):
    return min(max(value, Fraction(0)), Fraction(1)) if sat else value


def from_integers(cases):
    for source in INTEGERS:
        bits = int(source[1:])
        rows = [0, 1, (1 << bits) - 1, 1 << bits - 1, 0x5A5A5A5A5A5A5A55 & (1 << bits) - 1]
        read = (lambda v: signed(v, bits)) if source[0] == "s" else (lambda v: v)
        for result in FLOATS:
            for rounding, mode in ROUNDINGS.items():
                for ftz in ("", "ftz") if result == "f32" else ("",):
                    for sat in ("", "sat") if result != "bf16" else ("",):
                        add(cases, [rounding, ftz, sat], result, source, rows,
                            lambda v: bits_of(clamped(Fraction(read(v)), sat), result, mode))


# Numbers that need rounding in any narrower format, either sign, within the range of halves.
PLAIN = [Fraction(1) + Fraction(1, 1 << 12), -1 - Fraction(3, 1 << 9), Fraction(10, 3), Fraction(-1, 3), Fraction(1, 2), Fraction(100)]


def between_floats(cases):
    order = {"f16": 0, "bf16": 0, "f32": 1, "f64": 2}
    for result in FLOATS:
        for source in FLOATS:
            rows = [bits_of(value, source) for value in PLAIN]
            narrowing = order[result] < order[source] or result != source and order[result] == order[source]
            with_ftz = ("", "ftz") if "f32" in (result, source) and "bf16" not in (result, source) else ("",)
            for ftz in with_ftz:
                for sat in ("", "sat"):
                    if narrowing:
                        if order[source] == 0 or "bf16" == result and (sat or source == "f64"):
                            continue
                        for rounding, mode in ROUNDINGS.items():
                            add(cases, [rounding, ftz, sat], result, source, rows,
                                lambda v: bits_of(clamped(value_of(v, source), sat), result, mode))
                        continue
                    if source == "bf16" and result == "f64":
                        continue
                    if not (source == result == "bf16"):
                        add(cases, [ftz, sat], result, source, rows, lambda v: bits_of(clamped(value_of(v, source), sat), result))
                    if source == result and result != "bf16":
                        for rounding, mode in ROUNDINGS.items():
                            add(cases, [rounding + "i", ftz, sat], result, source, rows,
                                lambda v: bits_of(clamped(Fraction(to_integer(value_of(v, source), mode)), sat), result,
                                                  negative_zero=value_of(v, source) < 0 and not sat))
    # With .relu, and packed ones of two sources, of which the first becomes the upper half.
    for rounding, mode in ROUNDINGS.items():
        rows = [bits_of(value, "f32") for value in PLAIN]
        for relu in ("", "relu"):
            low = lambda value: max(value, Fraction(0)) if relu else value
            for result in ("f16", "bf16"):
                one = lambda v: bits_of(low(value_of(v, "f32")), result, mode)
                add(cases, [rounding, relu], result, "f32", rows, one)
                opcode = ".".join(word for word in ("cvt", rounding, relu, result + "x2", "f32") if word)
                other = rows[1:] + rows[:1]
                cases.add(opcode, TARGET, [f"{opcode} %r9, %f1, %f2;"], [("%f1", rows), ("%f2", other)],
                          [("%r9", [one(a) << 16 | one(b) for a, b in zip(rows, other)])])
    add(cases, ["rn"], "tf32", "f32", [bits_of(value, "f32") for value in PLAIN],
        lambda v: bits_of(value_of(bits_of(value_of(v, "f32"), "tf32"), "tf32"), "f32"), ("r9", "f1"))
    add(cases, ["rna"], "tf32", "f32", [bits_of(value, "f32") for value in PLAIN],
        lambda v: bits_of(value_of(bits_of(value_of(v, "f32"), "tf32", "a"), "tf32"), "f32"), ("r9", "f1"))


def small_floats(cases):
    values = [Fraction(1), Fraction(-3, 2), Fraction(7, 4), Fraction(-1, 4), Fraction(5), Fraction(33, 32)]
    for form in ("e4m3", "e5m2"):
        pairs = list(zip(values, values[1:] + values[:1]))
        for relu in ("", "relu"):
            low = lambda value: max(value, Fraction(0)) if relu else value
            small = [bits_of(a, form) | bits_of(b, form) << 8 for a, b in pairs]
            back = lambda v: sum(bits_of(low(value_of(v >> 8 * i & 255, form)), "f16") << 16 * i for i in range(2))
            add(cases, ["rn", relu], "f16x2", form + "x2", small, back, ("r9", "rs1"))
            halves = [bits_of(a, "f16") | bits_of(b, "f16") << 16 for a, b in pairs]
            pack = lambda v: sum(bits_of(low(value_of(v >> 16 * i & 0xFFFF, "f16")), form) << 8 * i for i in range(2))
            add(cases, ["rn", "satfinite", relu], form + "x2", "f16x2", halves, pack, ("rs9", "r1"))
            opcode = ".".join(word for word in ("cvt.rn.satfinite", relu, form + "x2", "f32") if word)
            cases.add(opcode, TARGET, [f"{opcode} %rs9, %f1, %f2;"],
                      [("%f1", [bits_of(a, "f32") for a, _ in pairs]), ("%f2", [bits_of(b, "f32") for _, b in pairs])],
                      [("%rs9", [bits_of(low(a), form) << 8 | bits_of(low(b), form) for a, b in pairs])])


def generate(folder):
    cases = Cases(__doc__)
    integers(cases)
    to_integers(cases)
    from_integers(cases)
    between_floats(cases)
    small_floats(cases)
    cases.write(folder / "ptx_convert.case")
