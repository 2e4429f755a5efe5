"""What the generators of instruction cases share: which targets have a mnemonic, numbers as bits, and cases as text.

A generator states what each instruction does as a formula over Python's integers and fractions, written from the vendors'
manuals and not from src/: its cases fail where the two differ."""
import math
import pathlib
import struct
from fractions import Fraction

TARGETS = ("gfx600 gfx601 gfx701 gfx802 gfx803 gfx900 gfx906 gfx908 gfx90a gfx942 gfx1010 gfx1030 gfx1100 "
           "gfx1201").split()
RDNA = ("gfx1010", "gfx1030", "gfx1100", "gfx1201")
OPCODES = pathlib.Path(__file__).resolve().parent.parent.parent / "opcodes"


def read_mnemonics():
    return {target: {line.split()[0] for line in (OPCODES / f"{target}.txt").read_text().splitlines()
                     if line and line[0] != "#" and " " not in line} for target in TARGETS}


MNEMONICS = read_mnemonics()


def having(mnemonic, among=TARGETS):
    return [target for target in among if mnemonic in MNEMONICS[target]]


def matching(prefix):
    return sorted({name for names in MNEMONICS.values() for name in names if name.startswith(prefix)})


def read_not_needed():
    """Mnemonics that compute does not need; an alias is one only where it has no meaning of its own."""
    names = set()
    for line in (OPCODES / "not-needed.txt").read_text().splitlines():
        if line and line[0] != "#" and ": " not in line:
            names.update(line.split())
    return names


NOT_NEEDED = read_not_needed()

# Floating-point formats: bits of the exponent and of the fraction.
FORMATS = {"f64": (11, 52), "f32": (8, 23), "f16": (5, 10), "bf16": (8, 7), "tf32": (8, 10), "e4m3": (4, 3),
           "e5m2": (5, 2)}


def width(form):
    exponent, fraction = FORMATS[form]
    return 1 + exponent + fraction


def value_of(bits, form):
    """The number that bits stand for: a Fraction, or a float for infinities and NaN."""
    exponent_bits, fraction_bits = FORMATS[form]
    sign = -1 if bits >> (exponent_bits + fraction_bits) & 1 else 1
    exponent = bits >> fraction_bits & (1 << exponent_bits) - 1
    fraction = bits & (1 << fraction_bits) - 1
    bias = (1 << exponent_bits - 1) - 1
    if exponent == (1 << exponent_bits) - 1 and form != "e4m3":
        return math.nan if fraction else sign * math.inf
    if form == "e4m3" and exponent == 15 and fraction == 7:
        return math.nan
    if exponent == 0:
        return sign * Fraction(fraction) * Fraction(2) ** (1 - bias - fraction_bits)
    return sign * (1 + Fraction(fraction, 1 << fraction_bits)) * Fraction(2) ** (exponent - bias)


def to_integer(value, mode):
    """A Fraction rounded to an integer: n nearest even, z towards zero, m down, p up, a nearest away."""
    down = math.floor(value)
    rest = value - down
    if mode == "m" or rest == 0:
        return down
    if mode == "p":
        return down + 1
    if mode == "z":
        return down + (value < 0)
    if rest != Fraction(1, 2):
        return down + (rest > Fraction(1, 2))
    if mode == "a":
        return down + (value > 0)
    return down + down % 2


def bits_of(value, form, mode="n", negative_zero=False):
    """The format's bits nearest to a number; beyond the largest: infinity, or the largest where rounding is directed."""
    exponent_bits, fraction_bits = FORMATS[form]
    bias = (1 << exponent_bits - 1) - 1
    top = exponent_bits + fraction_bits
    infinity = (1 << exponent_bits) - 1 << fraction_bits
    if isinstance(value, float):
        if math.isnan(value):
            return infinity | 1 << fraction_bits - 1
        if math.isinf(value):
            return infinity | (value < 0) << top
        negative_zero = negative_zero or math.copysign(1, value) < 0 and value == 0
        value = Fraction(value)
    sign = value < 0 or value == 0 and negative_zero
    size = abs(value)
    if size == 0:
        return int(sign) << top
    exponent = max(floor_log2(size), 1 - bias)
    direction = {"p": "z" if sign else "p", "m": "p" if sign else "z"}.get(mode, mode)
    units = to_integer(size / Fraction(2) ** (exponent - fraction_bits), direction)
    if units >> fraction_bits + 1:
        exponent, units = exponent + 1, units >> 1
    biased = exponent + bias if units >> fraction_bits else 0
    largest = infinity - 1
    bits = biased << fraction_bits | units & (1 << fraction_bits) - 1
    if bits > largest:
        bits = largest if direction == "z" else infinity
    return int(sign) << top | bits


def floor_log2(value):
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    return exponent if Fraction(2) ** exponent <= value else exponent - 1


def f16(value):
    return bits_of(Fraction(value), "f16", negative_zero=str(value).startswith("-"))


def f32(value):
    return bits_of(Fraction(value), "f32", negative_zero=str(value).startswith("-"))


def f64(value):
    return bits_of(Fraction(value), "f64", negative_zero=str(value).startswith("-"))


def bf16(value):
    return bits_of(Fraction(value), "bf16")


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


def split(value, bits):
    """Dwords of a value, the low one first."""
    return [value >> at & 0xFFFFFFFF for at in range(0, max(bits, 32), 32)]


class Cases:
    """Collects cases as text."""

    def __init__(self, comment):
        self.text = [f"# {line}" for line in comment.strip().splitlines()]

    def add(self, name, targets, code, before=(), after=(), extra=()):
        """before and after: pairs of a place and its value or list of values."""
        if not targets:
            return
        self.text += ["", f"case {name}", "target " + " ".join(targets), *extra, "code"]
        self.text += [f"  {line}" for line in code]
        for word, settings in (("before", before), ("after", after)):
            for place, values in settings:
                values = values if isinstance(values, (list, tuple)) else [values]
                shown = " ".join(value if isinstance(value, str) else f"{value:#x}" if value >= 0 else str(value)
                                 for value in values)
                self.text.append(f"{word} {place} = {shown}")

    def write(self, path):
        path.write_text("\n".join(self.text) + "\n")
