"""Loads and stores of global, flat, private, local, buffer and constant memory. Sources: "Vega Instruction Set Architecture",
chapters 7 to 11; "RDNA 3" and "RDNA 4 Instruction Set Architecture" for the newer names.

Memory holds the byte 0x81 + 7 * i at its place i, so that bytes and words have either sign; each lane begins at a place of
its own."""
import re

from common import *

BASE = 32  # of lane 0 in memory; lane n lies 32 * n behind
STEP = 32
LANES = 3


def byte_at(place):
    return 0x81 + 7 * place & 0xFF


def number_at(place, size):
    return sum(byte_at(place + i) << 8 * i for i in range(size))


MEMORY = [number_at(place, 4) for place in range(BASE, BASE + LANES * STEP + 16, 4)]
OLD = 0x5A5AA5A5

# The part of a mnemonic that says what is moved: bytes, sign, where in a register. Old and new names.
SHAPES = {
    "ubyte": (1, ""), "u8": (1, ""), "sbyte": (1, "s"), "i8": (1, "s"), "ushort": (2, ""), "u16": (2, ""),
    "sshort": (2, "s"), "i16": (2, "s"), "ubyte_d16": (1, "low"), "d16_u8": (1, "low"), "u8_d16": (1, "low"),
    "sbyte_d16": (1, "s low"), "d16_i8": (1, "s low"), "i8_d16": (1, "s low"), "short_d16": (2, "low"),
    "d16_b16": (2, "low"), "u16_d16": (2, "low"), "ubyte_d16_hi": (1, "high"), "d16_hi_u8": (1, "high"),
    "u8_d16_hi": (1, "high"), "sbyte_d16_hi": (1, "s high"), "d16_hi_i8": (1, "s high"), "i8_d16_hi": (1, "s high"),
    "short_d16_hi": (2, "high"), "d16_hi_b16": (2, "high"), "u16_d16_hi": (2, "high"), "dword": (4, ""), "b32": (4, ""),
    "dwordx2": (8, ""), "b64": (8, ""), "dwordx3": (12, ""), "b96": (12, ""), "dwordx4": (16, ""), "b128": (16, ""),
    "byte": (1, ""), "b8": (1, ""), "short": (2, ""), "b16": (2, ""), "byte_d16_hi": (1, "high"),
    "d16_hi_b8": (1, "high"), "b8_d16_hi": (1, "high"), "b16_d16_hi": (2, "high"), "dwordx8": (32, ""),
    "dwordx16": (64, ""), "b256": (32, ""), "b512": (64, ""),
}


def loaded(place, size, how):
    """The registers that a load at a place leaves."""
    if size >= 4:
        return [number_at(place + 4 * i, 4) for i in range(size // 4)]
    number = number_at(place, size)
    if "s" in how.split():
        number = signed(number, 8 * size)
    if "low" in how:
        return [OLD & 0xFFFF0000 | number & 0xFFFF]
    if "high" in how:
        return [OLD & 0xFFFF | (number & 0xFFFF) << 16]
    return [number & 0xFFFFFFFF]


def stored(size, how, registers):
    """The bytes that a store writes."""
    whole = sum(register << 32 * i for i, register in enumerate(registers))
    if "high" in how:
        whole >>= 16
    return [whole >> 8 * i & 0xFF for i in range(size)]


def dwords(place_to_byte, begin, count):
    return [sum(place_to_byte.get(begin + 4 * i + k, 0) << 8 * k for k in range(4)) for i in range(count)]


def span(first, count):
    return f"v{first}" if count == 1 else f"v[{first}:{first + count - 1}]"


def access(prefix, data, target, load):
    """The instruction's operands, and the settings of its address, place by place (lane -> place)."""
    places = [BASE + STEP * lane for lane in range(LANES)]
    both = lambda address, rest: f"{data}, {address}{rest}" if load else f"{address}, {data}{rest}"
    if prefix == "global_":
        return both("v0", ", s[2:3] offset:8"), [("v0", [place - 8 for place in places])]
    if prefix == "flat_":
        return both("v[0:1]", ""), [("v[0:1]", [0x1000000000 + place for place in places])]
    if prefix == "scratch_":
        return both("v0", ", off offset:8"), [("v0", BASE - 8)]
    if prefix == "buffer_":
        null = "null" if target == "gfx1201" else "0"
        return f"{data}, v0, s[4:7], {null} offen offset:8", [("v0", [place - 8 for place in places]), ("s5", 0x10),
                                                             ("s6", 4096)]
    return both("v0", " offset:8"), [("v0", [place - 8 for place in places]), ("m0", 0xFFFFFFFF)]


REGION = {"global_": "mem", "flat_": "mem", "buffer_": "mem", "scratch_": "private", "ds_": "lds"}


def vector(cases, prefix):
    load, store = ("read", "write") if prefix == "ds_" else ("load", "store")
    for mnemonic in matching(prefix):
        if mnemonic in NOT_NEEDED:
            continue
        match = re.fullmatch(prefix + r"(load|read|store|write)_(\w+)", mnemonic)
        if not match or match[2] not in SHAPES:
            continue
        size, how = SHAPES[match[2]]
        is_load = match[1] in ("load", "read")
        for null in (False, True):
            targets = [t for t in having(mnemonic) if (t == "gfx1201") == null]
            count = max(size // 4, 1)
            operands, before = access(prefix, span(8, count), "gfx1201" if null else "", is_load)
            before = [("exec", 7)] + before
            region = REGION[prefix]
            if is_load:
                place = lambda lane: BASE if region == "private" else BASE + STEP * lane
                before += [(f"v{8 + i}", OLD) for i in range(count)]
                if region == "private":
                    before += [(f"private[{BASE + 4 * i:#x}]", MEMORY[i]) for i in range(4)]
                else:
                    before += [(f"{region}[{BASE:#x}]", MEMORY)]
                after = [(f"v{8 + i}", [loaded(place(lane), size, how)[i] for lane in range(LANES)]) for i in range(count)]
                # Descriptions of memory that is only read: as before.
                cases.add(mnemonic, targets, [f"{mnemonic} {operands}"], before, after)
                continue
            data = [[number_at(100 + 16 * lane + 4 * i, 4) for i in range(count)] for lane in range(LANES)]
            before += [(f"v{8 + i}", [data[lane][i] for lane in range(LANES)]) for i in range(count)]
            if region == "private":
                written = [dict(enumerate(stored(size, how, lane), BASE)) for lane in data]
                after = [(f"private[{BASE + 4 * i:#x}]", [dwords(lane, BASE + 4 * i, 1)[0] for lane in written])
                         for i in range(count)]
            else:
                written = {}
                for lane in range(LANES):
                    written.update(enumerate(stored(size, how, data[lane]), BASE + STEP * lane))
                after = [(f"{region}[{BASE:#x}]", dwords(written, BASE, LANES * STEP // 4))]
            cases.add(mnemonic, targets, [f"{mnemonic} {operands}"], before, after)


def two_places(cases):
    """ds_read2, ds_write2, with offsets in elements or in 64 of them."""
    for mnemonic in matching("ds_"):
        match = re.fullmatch(r"ds_(read2|write2|load_2addr|store_2addr)(st64|_stride64|)_b(32|64)", mnemonic)
        if not match:
            continue
        words = int(match[3]) // 32
        unit = 4 * words * (64 if match[2] else 1)
        one, two = 8 + unit, 8 + 3 * unit
        first = [0x11111111, 0x22222222][:words]
        second = [0xAAAAAAAA, 0xBBBBBBBB][:words]
        before = [("m0", 0xFFFFFFFF), ("exec", 1), ("v0", 8)]
        if match[1] in ("read2", "load_2addr"):
            before += [(f"lds[{one:#x}]", first), (f"lds[{two:#x}]", second)]
            after = [(f"v{8 + i}", word) for i, word in enumerate(first + second)]
            code = f"{mnemonic} {span(8, 2 * words)}, v0 offset0:1 offset1:3"
        else:
            before += [(f"v{8 + i}", word) for i, word in enumerate(first)]
            before += [(f"v{12 + i}", word) for i, word in enumerate(second)]
            after = [(f"lds[{one:#x}]", first), (f"lds[{two:#x}]", second)]
            code = f"{mnemonic} v0, {span(8, words)}, {span(12, words)} offset0:1 offset1:3"
        cases.add(mnemonic, having(mnemonic), [code], before, after)


def transposed(cases):
    """global_load_tr_b128: in each group of eight lanes, lane l gets element l of the runs of eight that the group's lanes
    load. Element n of memory is n; a lane's run lies eight elements behind the one before's, and then at strides of 9."""
    for stride in (8, 9):
        at = lambda lane, i: stride * (8 * (lane // 8) + i) + lane % 8  # what lane gets as element i
        memory = [2 * k | 2 * k + 1 << 16 for k in range(16 * stride)]
        after = [(f"v{8 + m}", [at(lane, 2 * m) | at(lane, 2 * m + 1) << 16 for lane in range(32)]) for m in range(4)]
        cases.add(f"global_load_tr_b128 of runs {stride} elements apart", having("global_load_tr_b128"),
                  ["global_load_tr_b128 v[8:11], v0, s[2:3]"],
                  [("v0", [2 * stride * lane for lane in range(32)]), ("mem[0x0]", memory)], after, ["lanes 32"])


def scalar(cases):
    """s_load, s_buffer_load, s_scratch_load and their stores: dwords that lie side by side."""
    for mnemonic in matching("s_"):
        match = re.fullmatch(r"s_(buffer_|scratch_|)(load|store)_(\w+)", mnemonic)
        if not match or match[3] not in SHAPES:
            continue
        size, how = SHAPES[match[3]]
        count = max(size // 4, 1)
        first = 16  # a multiple of 16, as the widest load wants
        data = f"s{first}" if count == 1 else f"s[{first}:{first + count - 1}]"
        base = "s[4:7]" if match[1] == "buffer_" else "s[2:3]"
        before = [("s5", 0x10), ("s6", 4096)] if match[1] == "buffer_" else []
        place = 64
        # Offsets of gfx6 and gfx7 count dwords.
        for old in (False, True):
            targets = [t for t in having(mnemonic) if (t in ("gfx600", "gfx601", "gfx701")) == old]
            offset = place // 4 if old else place
            if match[2] == "load":
                memory = [number_at(place + 4 * i, 4) for i in range(count)]
                now = loaded(place, size, how)
                cases.add(mnemonic, targets, [f"{mnemonic} {data}, {base}, {offset:#x}"],
                          before + [(f"mem[{place:#x}]", memory)], [(f"s{first + i}", word) for i, word in enumerate(now)])
                continue
            words = [number_at(100 + 4 * i, 4) for i in range(count)]
            cases.add(mnemonic, targets, [f"{mnemonic} {data}, {base}, {offset:#x}"],
                      before + [(f"s{first + i}", word) for i, word in enumerate(words)],
                      [(f"mem[{place:#x}]", words)])


# Resource word 3 of a format of four, three, two or one elements of 32 bits (UINT), or of 16 bits (FLOAT), by
# generation; select x y z w. Sources: "Vega Instruction Set Architecture", table 37 (data format 4, 11, 13, 14 and 12, 5,
# 2); "RDNA 1", "RDNA 3 Instruction Set Architecture", tables of unified formats.
def word3(target, bits, elements):
    if target in ("gfx1010", "gfx1030"):
        form = {(32, 1): 20, (32, 2): 62, (32, 3): 72, (32, 4): 75, (16, 1): 13, (16, 2): 29, (16, 4): 71}[bits, elements]
        return 0xFAC | form << 12
    if target in ("gfx1100", "gfx1201"):
        form = {(32, 1): 20, (32, 2): 48, (32, 3): 58, (32, 4): 61, (16, 1): 13, (16, 2): 29, (16, 4): 57}[bits, elements]
        return 0xFAC | form << 12
    data = {(32, 1): 4, (32, 2): 11, (32, 3): 13, (32, 4): 14, (16, 1): 2, (16, 2): 5, (16, 4): 12}[bits, elements]
    number = 4 if bits == 32 else 7
    return 0xFAC | number << 12 | data << 15


def format_words(target, bits, elements):
    """The format of a tbuffer instruction."""
    parts = "_".join([str(bits)] * elements)
    kind = "UINT" if bits == 32 else "FLOAT"
    if target in RDNA:
        return f"format:[BUF_FMT_{parts}_{kind}]"
    return f"format:[BUF_DATA_FORMAT_{parts},BUF_NUM_FORMAT_{kind}]"


HALVES = [f16(value) for value in (1, -2, 0.5, 3)]
WORDS = [0x81, 0x20000000, 0xFFFFFFFF, 7]
# Elements that a format lacks read as 0, the last as 1.
MISSING = [0, 0, 0, 1]


def formatted(cases):
    for mnemonic in matching("buffer_") + matching("tbuffer_"):
        match = re.fullmatch(r"(t?)buffer_(load|store)_(?:format_(d16_hi_|d16_|)|d16_(hi_|)format_)(x|xy|xyz|xyzw)", mnemonic)
        if not match or mnemonic in NOT_NEEDED:
            continue
        typed, way, old_d16, new_d16, letters = match.groups()
        d16 = "d16" in mnemonic
        high = "hi_" in mnemonic
        channels = len(letters)
        # There is no format of three halves: the fourth is cut off.
        elements = channels if not d16 or channels != 3 else 4
        bits = 16 if d16 else 32
        for target in having(mnemonic):
            stored_elements = elements
            # Each half in a register of its own.
            unpacked = d16 and target in ("gfx802", "gfx803")
            count = channels if not d16 or unpacked else (channels + 1) // 2
            null = "null" if target == "gfx1201" else "0"
            form = " " + format_words(target, bits, stored_elements) if typed else ""
            code = f"{mnemonic} {span(8, count)}, v0, s[4:7], {null}{form} idxen"
            stride = stored_elements * bits // 8
            before = [("exec", 1), ("v0", 2), ("s5", 0x10 | stride << 16), ("s6", 64),
                      ("s7", word3(target, bits, stored_elements))]
            place = 2 * stride
            values = HALVES if d16 else WORDS
            packed = [0] * ((place + stride) // 4 + 1)
            bytes_of = {}
            for i in range(stored_elements):
                for k in range(bits // 8):
                    bytes_of[place + i * bits // 8 + k] = values[i] >> 8 * k & 0xFF
            base = place // 4 * 4
            length = (place + stride - base + 3) // 4
            if way == "store":
                for i in range(channels, stored_elements):
                    for k in range(bits // 8):
                        bytes_of[place + i * bits // 8 + k] = 0
            memory = (f"mem[{base:#x}]", dwords(bytes_of, base, length))
            if not d16 or unpacked:
                held = values[:channels]
            elif high:
                held = [values[0] << 16]
            else:
                held = [sum(values[2 * i + k] << 16 * k for k in range(2) if 2 * i + k < channels)
                        for i in range(count)]
            if way == "load":
                old = OLD if d16 and not unpacked else 0
                if d16 and not unpacked and channels == 1:
                    held = [OLD & 0xFFFF | held[0]] if high else [OLD & 0xFFFF0000 | held[0]]
                settings = [(f"v{8 + i}", OLD) for i in range(count)]
                if d16 and not unpacked and channels == 3:
                    held[1] |= OLD & 0xFFFF0000
                cases.add(f"{mnemonic} {target}", [target], [code], before + settings + [memory],
                          [(f"v{8 + i}", word) for i, word in enumerate(held)])
            else:
                cases.add(f"{mnemonic} {target}", [target], [code],
                          before + [(f"v{8 + i}", word) for i, word in enumerate(held)], [memory])


def generate(folder):
    cases = Cases(__doc__)
    for prefix in ("global_", "flat_", "scratch_", "buffer_", "ds_"):
        vector(cases, prefix)
    two_places(cases)
    transposed(cases)
    scalar(cases)
    formatted(cases)
    cases.write(folder / "amd_memory.case")
