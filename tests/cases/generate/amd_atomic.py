"""Atomics of global, flat, buffer, scalar, local and image memory. Sources: "Vega Instruction Set Architecture", chapters 8 to
11 (pseudo code of BUFFER_ATOMIC_*, DS_*); "RDNA 3" and "RDNA 4 Instruction Set Architecture" for the newer names."""
from common import *

U32, U64 = (1 << 32) - 1, (1 << 64) - 1


def float_pair(form, function):
    """Of the two halves of a dword, each on its own."""
    def both(old, data, _):
        return sum(bits_of(function(value_of(old >> at & 0xFFFF, form), value_of(data >> at & 0xFFFF, form)), form) << at
                   for at in (0, 16))
    return both


def floats(form, function):
    return lambda old, data, _: bits_of(function(value_of(old, form), value_of(data, form)), form)


def integers(bits, function):
    return lambda old, data, compare: function(old, data, compare) & (1 << bits) - 1


# What memory holds afterwards, of what it held, the data and the value compared with.
def operation(name):
    """(bits of a value, function, the values' kind) of a mnemonic's last part, such as "add_x2" or "max_i32"."""
    bits = 64 if name.endswith(("_x2", "64")) else 32
    for word in ("_x2", "_u32", "_u64", "_i32", "_i64", "_b32", "_b64"):
        if name.endswith(word):
            kind = word[1]
            name = name[:-len(word)]
            break
    else:
        kind = ""
    for form in ("f32", "f64"):
        if name.endswith("_" + form):
            name, kind = name[:-4], form
    if name in ("fcmpswap", "fmin", "fmax"):
        name, kind = name[1:], f"f{bits}"
    if name in ("pk_add_f16", "pk_add_bf16"):
        form = name[7:]
        return 32, float_pair(form, lambda a, b: a + b), "pair " + form
    if kind in ("f32", "f64"):
        operations = {"add": lambda a, b: a + b, "min": min, "max": max, "min_num": min, "max_num": max}
        if name == "cmpswap":
            return bits, lambda old, data, compare: data if value_of(old, kind) == value_of(compare, kind) else old, kind
        return bits, floats(kind, operations[name]), kind
    is_signed = name.startswith("s") and name in ("smin", "smax") or kind == "i"
    order = (lambda v: signed(v, bits)) if is_signed else (lambda v: v)
    functions = {
        "add": lambda old, data, _: old + data,
        "sub": lambda old, data, _: old - data,
        "rsub": lambda old, data, _: data - old,
        "min": lambda old, data, _: min(old, data, key=order),
        "max": lambda old, data, _: max(old, data, key=order),
        "and": lambda old, data, _: old & data,
        "or": lambda old, data, _: old | data,
        "xor": lambda old, data, _: old ^ data,
        "inc": lambda old, data, _: 0 if old >= data else old + 1,
        "dec": lambda old, data, _: data if old == 0 or old > data else old - 1,
        "swap": lambda old, data, _: data,
        "cmpswap": lambda old, data, compare: data if old == compare else old,
        "csub": lambda old, data, _: 0 if old < data else old - data,
        "sub_clamp": lambda old, data, _: 0 if old < data else old - data,
        "cond_sub": lambda old, data, _: old - data if old >= data else old,
        "mskor": lambda old, data, other: old & ~data | other,
    }
    for long, short in (("smin", "min"), ("smax", "max"), ("umin", "min"), ("umax", "max")):
        if name == long:
            name = short
    return bits, integers(bits, functions[name]), "integer"


def values(bits, kind):
    """(old, data, compare) for three lanes: both sides of every comparison."""
    if kind == "f32" or kind == "f64":
        return [tuple(bits_of(Fraction(v), kind) for v in triple)
                for triple in ((1.5, 2.25, 1.5), (-3, -8, 3), (1024, 0.5, 1024))]
    if kind.startswith("pair"):
        pack = lambda a, b: bits_of(Fraction(a), kind[5:]) | bits_of(Fraction(b), kind[5:]) << 16
        return [(pack(1, -2), pack(0.5, 4), 0), (pack(0, 8), pack(-3, 0), 0), (pack(64, 32), pack(16, 2), 0)]
    high = 0x9 << bits - 4
    return [(7 | high, 12, 7 | high), (12, 7 | high, 13), (0, 5 | high // 2, 0)]


def only_without_return(mnemonic, target):
    return target == "gfx908" and ("_f32" in mnemonic or "pk_add" in mnemonic)


def only_with_return(mnemonic):
    return "csub" in mnemonic


def returning(target, scalar=False):
    if target == "gfx1201":
        return " th:TH_ATOMIC_RETURN"
    return " sc0" if target == "gfx942" and not scalar else " glc"


def has_compare(name):
    return "cmpswap" in name


def by_syntax(targets, mnemonic, returns):
    groups = {}
    for target in targets:
        if returns and only_without_return(mnemonic, target):
            continue
        groups.setdefault(returning(target) if returns else "", []).append(target)
    return groups


def registers(first, count):
    return f"v{first}" if count == 1 else f"v[{first}:{first + count - 1}]"


def vector_values(first, numbers, bits):
    """Settings of the registers that hold one number for each lane."""
    if bits == 64:
        return [(f"v[{first}:{first + 1}]", numbers)]
    return [(f"v{first}", numbers)]


def memory(cases, prefix):
    """global_, flat_ and buffer_atomic_."""
    for mnemonic in matching(prefix + "atomic_"):
        if mnemonic in NOT_NEEDED:
            continue
        name = mnemonic[len(prefix) + 7:]
        bits, function, kind = operation(name)
        lanes = values(bits, kind)
        words = bits // 32
        step = bits // 8
        for returns in (True, False):
            if not returns and only_with_return(mnemonic):
                continue
            for suffix, targets in by_syntax(having(mnemonic), mnemonic, returns).items():
                data = 8
                count = words * (2 if has_compare(name) else 1)
                result = data if prefix == "buffer_" else 4
                before = [("exec", 7)] + vector_values(data, [lane[1] for lane in lanes], bits)
                if has_compare(name):
                    before += vector_values(data + words, [lane[2] for lane in lanes], bits)
                old = [word for lane in lanes for word in split(lane[0], bits)]
                new = [word for lane in lanes for word in split(function(*lane), bits)]
                before += [("mem[0x10]", old)]
                after = [("mem[0x10]", new)]
                given = f"{registers(result, words)}, " if returns else ""
                offsets = [16 + step * lane for lane in range(3)]
                if prefix == "global_":
                    code = [f"{mnemonic} {given}v0, {registers(data, count)}, s[2:3]{suffix}"]
                    before += [("v0", offsets)]
                elif prefix == "flat_":
                    code = [f"{mnemonic} {given}v[0:1], {registers(data, count)}{suffix}"]
                    before += [("v[0:1]", [0x1000000000 + offset for offset in offsets])]
                else:
                    code = [f"{mnemonic} {registers(data, count)}, v0, s[4:7], {{}} offen{suffix}"]
                    before += [("v0", offsets), ("s5", 0x10), ("s6", 4096)]
                if returns:
                    after += vector_values(result, [lane[0] for lane in lanes], bits)
                for null in (False, True):
                    some = [t for t in targets if (t == "gfx1201") == null]
                    cases.add(f"{mnemonic}{' returns' if returns else ''}", some,
                              [line.format("null" if null else "0") for line in code], before, after)


def scalar(cases, prefix):
    """s_atomic_ and s_buffer_atomic_."""
    for mnemonic in matching(prefix + "atomic_"):
        name = mnemonic[len(prefix) + 7:]
        bits, function, kind = operation(name)
        words = bits // 32
        count = words * (2 if has_compare(name) else 1)
        for number, (old, data, compare) in enumerate(values(bits, kind)):
            for returns in (True, False):
                code = f"{mnemonic} s{[8, 8 + count - 1] if count > 1 else 8}".replace(", ", ":")
                base = "s[2:3]" if prefix == "s_" else "s[4:7]"
                before = [("mem[0x18]", split(old, bits))]
                if prefix == "s_buffer_":
                    before += [("s5", 0x10), ("s6", 4096)]
                held = split(data, bits) + (split(compare, bits) if has_compare(name) else [])
                before += [(f"s{8 + i}", word) for i, word in enumerate(held)]
                after = [("mem[0x18]", split(function(old, data, compare), bits))]
                if returns:
                    after += [(f"s{8 + i}", word) for i, word in enumerate(split(old, bits))]
                cases.add(f"{mnemonic} {number}{' returns' if returns else ''}", having(mnemonic),
                          [f"{code}, {base}, 0x18{' glc' if returns else ''}"], before, after)


def local(cases):
    names = ("add sub rsub inc dec min max and or xor mskor wrxchg storexchg cmpst cmpstore pk_add cond_sub "
             "sub_clamp").split()
    for mnemonic in matching("ds_"):
        if mnemonic in NOT_NEEDED or "2addr" in mnemonic or "wrxchg2" in mnemonic:
            continue
        plain = mnemonic[3:].replace("_rtn", "")
        if not any(plain.startswith(name + "_") for name in names):
            continue
        if plain.startswith(("wrxchg", "storexchg")):
            bits, function, kind = operation("swap" + plain[plain.index("_"):])
        elif plain.startswith(("cmpst_", "cmpstore")):
            bits, function, kind = operation("cmpswap" + plain[plain.index("_"):])
        else:
            bits, function, kind = operation(plain)
        two = plain.startswith(("cmpst", "mskor"))
        lanes = values(bits, kind)
        words, step = bits // 32, bits // 8
        returns = "_rtn" in mnemonic or "xchg" in mnemonic
        # DS_CMPST has the value compared with first, DS_CMPSTORE the new one; DS_MSKOR the mask.
        first = [lane[2] if plain.startswith("cmpst_") else lane[1] for lane in lanes]
        second = [lane[1] if plain.startswith("cmpst_") else lane[2] for lane in lanes]
        operands = [registers(4, words)] if returns else []
        operands += ["v0", registers(8, words)] + ([registers(10, words)] if two else [])
        before = [("m0", 0xFFFFFFFF), ("exec", 7), ("v0", [step * lane for lane in range(3)])]
        before += vector_values(8, first, bits) + (vector_values(10, second, bits) if two else [])
        before += [("lds[0x20]", [word for lane in lanes for word in split(lane[0], bits)])]
        after = [("lds[0x20]", [word for lane in lanes for word in split(function(*lane), bits)])]
        if returns:
            after += vector_values(4, [lane[0] for lane in lanes], bits)
        cases.add(mnemonic, having(mnemonic), [f"{mnemonic} {', '.join(operands)} offset:32"], before, after)
    # Two places at once.
    for mnemonic in matching("ds_wrxchg2") + matching("ds_storexchg_2addr"):
        bits = 64 if mnemonic.endswith("b64") else 32
        words, unit = bits // 32, bits // 8 * (64 if "st64" in mnemonic or "stride64" in mnemonic else 1)
        a, b = 0x1111111122222222 & (1 << bits) - 1, 0x3333333344444444 & (1 << bits) - 1
        x, y = 0xAAAAAAAABBBBBBBB & (1 << bits) - 1, 0xCCCCCCCCDDDDDDDD & (1 << bits) - 1
        code = f"{mnemonic} {registers(4, 2 * words)}, v0, {registers(8, words)}, {registers(10, words)} offset0:1 offset1:3"
        before = [("m0", 0xFFFFFFFF), ("exec", 1), (f"lds[{unit:#x}]", split(a, bits)),
                  (f"lds[{3 * unit:#x}]", split(b, bits))]
        before += vector_values(8, [x], bits) + vector_values(10, [y], bits)
        after = [(f"lds[{unit:#x}]", split(x, bits)), (f"lds[{3 * unit:#x}]", split(y, bits))]
        after += vector_values(4, [a], bits) + vector_values(4 + words, [b], bits)
        cases.add(mnemonic, having(mnemonic), [code], before, after)


def generate(folder):
    cases = Cases(__doc__)
    for prefix in ("global_", "flat_", "buffer_"):
        memory(cases, prefix)
    for prefix in ("s_", "s_buffer_"):
        scalar(cases, prefix)
    local(cases)
    cases.write(folder / "amd_atomic.case")
