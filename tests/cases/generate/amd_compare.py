"""Vector and scalar comparisons. Sources: "Vega Instruction Set Architecture", 12.10 (V_CMP, the sixteen comparisons of floats
and eight of integers, V_CMP_CLASS); "RDNA 1" for v_cmpx, which writes EXEC alone; "RDNA 4" for S_CMP of floats; "Southern
Islands" for v_cmps, which compares as v_cmp and differs in exceptions only."""
import re

from common import *

UNORDERED = lambda a, b: isinstance(a, float) and math.isnan(a) or isinstance(b, float) and math.isnan(b)
FLOATS = {
    "f": lambda a, b: False, "lt": lambda a, b: a < b, "eq": lambda a, b: a == b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "lg": lambda a, b: not UNORDERED(a, b) and a != b, "ge": lambda a, b: a >= b,
    "o": lambda a, b: not UNORDERED(a, b), "u": UNORDERED, "nge": lambda a, b: not a >= b,
    "nlg": lambda a, b: UNORDERED(a, b) or a == b, "ngt": lambda a, b: not a > b, "nle": lambda a, b: not a <= b,
    "neq": lambda a, b: not a == b, "nlt": lambda a, b: not a < b, "tru": lambda a, b: True, "t": lambda a, b: True,
}
INTEGERS = dict(FLOATS, ne=lambda a, b: a != b)


def pairs(form):
    if form[0] == "f":
        special = [bits_of(v, form) for v in (math.inf, -math.inf, math.nan)] + [f0 << width(form) - 1 for f0 in (0, 1)]
        plain = [bits_of(Fraction(v), form) for v in (1.5, -1.5, 2)]
        some = special + plain
        return [(a, b) for a in some for b in some][::3]
    bits = int(form[1:])
    some = [0, 1, (1 << bits - 1) - 1, 1 << bits - 1, (1 << bits) - 1]
    return [(a, b) for a in some for b in some]


def number(bits, form):
    if form[0] == "f":
        return value_of(bits, form)
    return signed(bits, int(form[1:])) if form[0] == "i" else bits


def register(first, form):
    return f"v[{first}:{first + 1}]" if form.endswith("64") else f"v{first}"


def vector(cases):
    pattern = r"v_cmp(s?)(x?)_(\w+)_([fiu](?:16|32|64))"
    for mnemonic in matching("v_cmp"):
        match = re.fullmatch(pattern, mnemonic)
        if not match or mnemonic in NOT_NEEDED or match[3] == "class":
            continue
        executes, name, form = match[2] == "x", match[3], match[4]
        lanes = pairs(form)
        compare = (FLOATS if form[0] == "f" else INTEGERS)[name]
        result = sum(compare(number(a, form), number(b, form)) << lane for lane, (a, b) in enumerate(lanes))
        mask(cases, mnemonic, executes, form, [a for a, _ in lanes], [b for _, b in lanes], register(4, form), result)
    for mnemonic in matching("v_cmp_class") + matching("v_cmpx_class"):
        form = mnemonic[-3:]
        some = [bits_of(v, form) for v in (math.nan, -math.inf, Fraction(-2))]
        smallest = 1
        some += [1 << width(form) - 1 | smallest, 1 << width(form) - 1, 0, smallest, bits_of(Fraction(3), form),
                 bits_of(math.inf, form)]
        # Bits 1 to 9 of the mask, in the manual's order: quiet NaN, -infinity, -normal, -denormal, -0, +0, ...
        lanes = [(value, 2 << kind) for value in some for kind in range(len(some))][::5]
        result = sum((some.index(value) == kind.bit_length() - 2) << lane for lane, (value, kind) in enumerate(lanes))
        mask(cases, mnemonic, "cmpx" in mnemonic, form, [a for a, _ in lanes], [b for _, b in lanes], "v4", result)


def mask(cases, mnemonic, executes, form, first, second, second_register, result):
    """One comparison whose mask result goes to VCC, to EXEC, or to both."""
    active = (1 << len(first)) - 1
    places = [(register(2, form), first), (second_register, second)]
    for rdna in (False, True):
        targets = [t for t in having(mnemonic) if (t in RDNA) == rdna]
        lane_width = ["lanes 32"] if rdna else []
        if rdna and executes:
            cases.add(mnemonic, targets, [f"{mnemonic}_e32 {register(2, form)}, {second_register}"],
                      [("exec", active)] + places, [("exec", result)], lane_width)
            continue
        vcc = "vcc_lo" if rdna else "vcc"
        after = [("vcc", result)] + ([("exec", result)] if executes else [])
        cases.add(mnemonic, targets, [f"{mnemonic}_e32 {vcc}, {register(2, form)}, {second_register}"],
                  [("exec", active), ("vcc", 0 if rdna else 0xFFFFFFFFFFFFFFFF)] + places, after, lane_width)


def scalar(cases):
    for mnemonic in matching("s_cmp_"):
        match = re.fullmatch(r"s_cmp_(\w+)_(f16|f32)", mnemonic)
        if not match:
            continue
        name, form = match.groups()
        code, expected = [], 0
        lanes = pairs(form)
        before = []
        for number_of_pair, (a, b) in enumerate(lanes[:20]):
            before += [(f"s{8 + 2 * number_of_pair}", a), (f"s{9 + 2 * number_of_pair}", b)]
            code += [f"{mnemonic} s{8 + 2 * number_of_pair}, s{9 + 2 * number_of_pair}", "s_cselect_b32 s60, 1, 0",
                     f"s_lshl_b32 s60, s60, {number_of_pair}", "s_or_b32 s61, s61, s60"]
            expected |= FLOATS[name](value_of(a, form), value_of(b, form)) << number_of_pair
        last = FLOATS[name](value_of(lanes[19][0], form), value_of(lanes[19][1], form)) << 19
        cases.add(mnemonic, having(mnemonic), code, before, [("s60", last), ("s61", expected), ("scc", int(expected != 0))])


def generate(folder):
    cases = Cases(__doc__)
    vector(cases)
    scalar(cases)
    cases.write(folder / "amd_compare.case")
