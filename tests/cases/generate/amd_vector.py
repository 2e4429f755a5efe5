"""Vector arithmetic that amd/*.case have not, on some target at least. Sources: "Vega Instruction Set Architecture", 12.7 to
12.12; "RDNA 1", "RDNA 3" and "RDNA 4 Instruction Set Architecture", chapters on VOP2, VOP3 and VOP3P; "CDNA 3" for 64-bit
moves, additions and 8-bit floats; "Southern Islands" for the 64-bit shifts and legacy minima."""
from common import *

U16, U32, U64 = 0xFFFF, (1 << 32) - 1, (1 << 64) - 1


def half(a):
    return value_of(a & U16, "f16")


def single(a):
    return value_of(a & U32, "f32")


def double(a):
    return value_of(a, "f64")


def to_half(value):
    return bits_of(value, "f16")


def to_single(value):
    return bits_of(value, "f32")


def to_double(value):
    return bits_of(value, "f64")


def nan_of(*values):
    return any(isinstance(v, float) and math.isnan(v) for v in values)


def maximum(*values):
    """IEEE 754-2019's maximum: a NaN wins."""
    return math.nan if nan_of(*values) else max(values)


def minimum(*values):
    return math.nan if nan_of(*values) else min(values)


INTEGERS = [(7, 5, 3), (0x80000000, 1, 0x7FFFFFFF), (U32, 2, 9), (0x12345678, 0x9ABCDEF0, 4), (0, U32, 1)]
SHORTS = [(7, 5, 3), (0x8000, 1, 0x7FFF), (0xFFFF, 2, 9), (0x1234, 0xDEF0, 4), (0, 0xFFFF, 1)]
SINGLES = [tuple(f32(v) for v in triple) for triple in ((1.5, 2.25, -4), (-3, 8, 0.5), (1024, -0.25, 7), (0, -5, 2))]
HALVES = [tuple(f16(v) for v in triple) for triple in ((1.5, 2.25, -4), (-3, 8, 0.5), (1024, -0.25, 7), (0, -5, 2))]
DOUBLES = [tuple(f64(v) for v in triple) for triple in ((1.5, 2.25, -4), (-3, 8, 0.5), (1024, -0.25, 7), (0, -5, 2))]
LONGS = [(1 << 63, 5, 3), (U64, 1, U64), (0x123456789ABCDEF0, 17, 9), (0, 63, 1 << 40)]


def operand(first, bits):
    return f"v[{first}:{first + 1}]" if bits == 64 else f"v{first}"


def lanes_of(cases, mnemonic, rows, widths, function, result_bits=32, code=None, targets=None, accumulates=False,
             extra_before=(), extra_after=(), name=None, result_old=0):
    """A lane-wise instruction: v8 is the result, v10, v12, v14 the sources; `widths` are the sources' bits."""
    targets = having(mnemonic) if targets is None else targets
    sources = [operand(10 + 2 * i, bits) for i, bits in enumerate(widths)]
    result = operand(8, result_bits)
    shown = sources[:-1] if accumulates else sources
    line = code or f"{mnemonic} {', '.join([result, *shown])}"
    before = [("exec", (1 << len(rows)) - 1)]
    for i, bits in enumerate(widths):
        where = result if accumulates and i == len(widths) - 1 else sources[i]
        before.append((where, [row[i] & (1 << max(bits, 32)) - 1 for row in rows]))
    if result_old:
        before.append((result, result_old))
    after = [(result, [function(*row[:len(widths)]) & (1 << max(result_bits, 32)) - 1 for row in rows])]
    cases.add(name or mnemonic, targets, line if isinstance(line, list) else [line], before + list(extra_before),
              after + list(extra_after))


def integers(cases):
    s16 = lambda a: signed(a, 16)
    s32 = lambda a: signed(a, 32)
    for mnemonic, function in {
        "v_xor3_b32": lambda a, b, c: a ^ b ^ c,
        "v_maxmin_i32": lambda a, b, c: min(max(s32(a), s32(b)), s32(c)),
        "v_minmax_i32": lambda a, b, c: max(min(s32(a), s32(b)), s32(c)),
        "v_maxmin_u32": lambda a, b, c: min(max(a, b), c),
        "v_minmax_u32": lambda a, b, c: max(min(a, b), c),
    }.items():
        lanes_of(cases, mnemonic, INTEGERS, (32, 32, 32), function)
    for mnemonic, function in {
        "v_xnor_b32": lambda a, b: ~(a ^ b),
        "v_add_nc_i32": lambda a, b: a + b,
        "v_sub_nc_i32": lambda a, b: a - b,
    }.items():
        lanes_of(cases, mnemonic, INTEGERS, (32, 32), function)
    # Results of 16 bits: RDNA 1 to 4 leave the upper half of the register.
    for mnemonic, function in {
        "v_add_nc_u16": lambda a, b: a + b, "v_sub_nc_u16": lambda a, b: a - b, "v_add_nc_i16": lambda a, b: a + b,
        "v_sub_nc_i16": lambda a, b: a - b, "v_mul_lo_u16": lambda a, b: a * b, "v_and_b16": lambda a, b: a & b,
        "v_or_b16": lambda a, b: a | b, "v_xor_b16": lambda a, b: a ^ b,
        "v_lshlrev_b16": lambda a, b: b << (a & 15), "v_lshrrev_b16": lambda a, b: b >> (a & 15),
        "v_ashrrev_i16": lambda a, b: s16(b) >> (a & 15), "v_max_i16": lambda a, b: max(a, b, key=s16),
        "v_min_i16": lambda a, b: min(a, b, key=s16), "v_max_u16": max, "v_min_u16": min,
    }.items():
        lanes_of(cases, mnemonic, SHORTS, (16, 16), lambda a, b, f=function: 0xABCD0000 | f(a, b) & U16,
                 targets=having(mnemonic, RDNA), result_old=0xABCD1234)
    lanes_of(cases, "v_not_b16", SHORTS, (16,), lambda a: 0xABCD0000 | ~a & U16, result_old=0xABCD1234)
    lanes_of(cases, "v_cvt_i32_i16", SHORTS, (16,), s16)
    lanes_of(cases, "v_cvt_u32_u16", SHORTS, (16,), lambda a: a)
    for mnemonic in ("v_mad_u16", "v_mad_i16"):
        lanes_of(cases, mnemonic, SHORTS, (16, 16, 16), lambda a, b, c: a * b + c & U16, targets=having(mnemonic, ("gfx802", "gfx803")))
    # A mask chooses: bit of the lane in s[10:11].
    for mnemonic, low in (("v_cndmask_b16", True), ("v_cndmask_b32", False)):
        for rdna in (False, True):
            rows = INTEGERS
            cases.add(f"{mnemonic} by a mask", [t for t in having(mnemonic) if (t in RDNA) == rdna],
                      [f"{mnemonic} v8, v10, v12, s{'10' if rdna else '[10:11]'}" if low
                       else f"{mnemonic}_e64 v8, v10, v12, s{'10' if rdna else '[10:11]'}"],
                      [("exec", 31), ("s10", 0b01010), ("v8", 0xABCD0000 if low else 0)]
                      + [(f"v{10 + 2 * i}", [row[i] for row in rows]) for i in range(2)],
                      [("v8", [(0xABCD0000 | row[lane >> 0 & 1] & U16) if low else row[lane & 1]
                               for lane, row in enumerate(rows)])], ["lanes 32"] if rdna else [])
    # 64 bits.
    lanes_of(cases, "v_lshl_b64", LONGS, (64, 32), lambda a, b: a << (b & 63), 64)
    lanes_of(cases, "v_lshr_b64", LONGS, (64, 32), lambda a, b: a >> (b & 63), 64)
    lanes_of(cases, "v_ashr_i64", LONGS, (64, 32), lambda a, b: signed(a, 64) >> (b & 63), 64)
    lanes_of(cases, "v_mov_b64", LONGS, (64,), lambda a: a, 64)
    lanes_of(cases, "v_lshl_add_u64", [(a, b % 5, c) for a, b, c in LONGS], (64, 32, 64), lambda a, b, c: (a << b) + c, 64)


def carries(cases):
    """Additions with a carry: VCC on GCN, any mask on RDNA; the carry of a lane is its bit."""
    plain = {"add": lambda a, b, c: a + b + c, "sub": lambda a, b, c: a - b - c, "subrev": lambda a, b, c: b - a - c}
    carry_in = 0b01101
    for mnemonic, function, takes in (
            ("v_add_co_u32", plain["add"], False), ("v_sub_co_u32", plain["sub"], False),
            ("v_subrev_co_u32", plain["subrev"], False), ("v_add_co_ci_u32", plain["add"], True),
            ("v_sub_co_ci_u32", plain["sub"], True), ("v_subrev_co_ci_u32", plain["subrev"], True),
            ("v_sub_u32", plain["sub"], False), ("v_subrev_i32", plain["subrev"], False),
            ("v_subb_u32", plain["sub"], True)):
        if mnemonic == "v_sub_u32":
            targets = ["gfx802", "gfx803"]
        elif "_co_" in mnemonic:
            targets = having(mnemonic, RDNA)
        else:
            targets = [t for t in having(mnemonic) if t not in RDNA]
        rdna = bool(targets) and targets[0] in RDNA
        width = 32 if rdna else 64
        out = "s12" if rdna else "vcc"
        into = ("s10" if rdna else "vcc") if takes else ""
        suffix = "_e64" if rdna else "_e32"
        results = [function(a, b, (carry_in >> lane & 1) if takes else 0) for lane, (a, b, _) in enumerate(INTEGERS)]
        borrow = sum((not 0 <= r <= U32) << lane for lane, r in enumerate(results))
        before = [("exec", 31), ("v10", [row[0] for row in INTEGERS]), ("v12", [row[1] for row in INTEGERS])]
        if takes:
            before.append((into, carry_in))
        cases.add(mnemonic, targets, [f"{mnemonic}{suffix} v8, {out}, v10, v12{', ' + into if takes else ''}"], before,
                  [("v8", [r & U32 for r in results]), (out, borrow)], [f"lanes {width}"] if rdna else [])
    for mnemonic, is_signed in (("v_mad_u64_u32", False), ("v_mad_i64_i32", True), ("v_mad_co_u64_u32", False),
                                ("v_mad_co_i64_i32", True)):
        read = (lambda v: signed(v, 32)) if is_signed else (lambda v: v)
        wide = (lambda v: signed(v, 64)) if is_signed else (lambda v: v)
        rows = [(a, b, c[0]) for (a, b, _), c in zip(INTEGERS, LONGS)]
        results = [read(a) * read(b) + wide(c) for a, b, c in rows]
        cases.add(mnemonic, having(mnemonic, RDNA), [f"{mnemonic} v[8:9], s12, v10, v12, v[14:15]"],
                  [("exec", 15), ("v10", [r[0] for r in rows]), ("v12", [r[1] for r in rows]),
                   ("v[14:15]", [r[2] for r in rows])],
                  [("v[8:9]", [r & U64 for r in results]),
                   # The mask is bit 64 of a sum of 65 bits.
                   ("s12", sum((r >> 64 & 1) << lane for lane, r in enumerate(results)))], ["lanes 32"])


def floats(cases):
    fma = lambda a, b, c: a * b + c
    legacy = lambda a, b: Fraction(0) if a == 0 or b == 0 else a * b
    of_single = lambda f: lambda *v: to_single(f(*map(single, v)))
    of_half = lambda f: lambda *v: to_half(f(*map(half, v)))
    of_double = lambda f: lambda *v: to_double(f(*map(double, v)))
    zero_times_infinity = [(f32(0), bits_of(math.inf, "f32"), f32(3)), (bits_of(math.nan, "f32"), f32(0), f32(2))]
    for mnemonic in ("v_fmac_f32",):
        lanes_of(cases, mnemonic, SINGLES, (32, 32, 32), of_single(fma), accumulates=True, code=f"{mnemonic}_e32 v8, v10, v12")
    lanes_of(cases, "v_mac_legacy_f32", SINGLES + zero_times_infinity, (32, 32, 32),
             of_single(lambda a, b, c: legacy(a, b) + c), accumulates=True, code="v_mac_legacy_f32_e32 v8, v10, v12")
    for mnemonic in ("v_fmac_legacy_f32", "v_fmac_dx9_zero_f32"):
        lanes_of(cases, mnemonic, SINGLES + zero_times_infinity, (32, 32, 32),
                 of_single(lambda a, b, c: legacy(a, b) + c), accumulates=True, code=f"{mnemonic}_e32 v8, v10, v12")
    for mnemonic in ("v_fma_legacy_f32", "v_fma_dx9_zero_f32"):
        lanes_of(cases, mnemonic, SINGLES + zero_times_infinity, (32, 32, 32), of_single(lambda a, b, c: legacy(a, b) + c))
    lanes_of(cases, "v_mul_legacy_f32", SINGLES + zero_times_infinity, (32, 32), of_single(legacy))
    lanes_of(cases, "v_fmac_f64", DOUBLES, (64, 64, 64), of_double(fma), 64, accumulates=True,
             code="v_fmac_f64_e32 v[8:9], v[10:11], v[12:13]")
    lanes_of(cases, "v_fmac_f16", HALVES, (16, 16, 16), of_half(fma), accumulates=True, code="v_fmac_f16_e32 v8, v10, v12")
    for form, rows, of in (("f32", SINGLES, of_single), ("f16", HALVES, of_half)):
        constant = f32(4) if form == "f32" else f16(4)
        k = Fraction(4)
        shown = f"{constant:#x}"
        lanes_of(cases, f"v_fmamk_{form}", rows, (32, 32), of(lambda a, b, k=k: a * k + b),
                 code=f"v_fmamk_{form} v8, v10, {shown}, v12")
        lanes_of(cases, f"v_fmaak_{form}", rows, (32, 32), of(lambda a, b, k=k: a * b + k),
                 code=f"v_fmaak_{form} v8, v10, v12, {shown}")
    lanes_of(cases, "v_fma_legacy_f16", HALVES, (16, 16, 16), of_half(fma))
    # The quotient of the third by the second is what it finds: finite and normal ones pass with their sign.
    lanes_of(cases, "v_div_fixup_legacy_f16",
             [(f16(-2), f16(2), f16(-4)), (f16(5), f16(0), f16(3)), (f16(5), f16(3), f16(0)), (f16(7), bits_of(math.inf, "f16"), f16(1))],
             (16, 16, 16), lambda q, b, c: {f16(-2): f16(-2), f16(5): bits_of(math.inf, "f16") if b == 0 else 0, f16(7): 0}[q])
    # The second operand comes when one is a NaN: "D = (S0 < S1) ? S0 : S1".
    nans = [(bits_of(math.nan, "f32"), f32(2)), (f32(3), bits_of(math.nan, "f32"))]
    lanes_of(cases, "v_min_legacy_f32", SINGLES + nans[:1], (32, 32), lambda a, b: a if single(a) < single(b) else b)
    lanes_of(cases, "v_max_legacy_f32", SINGLES + nans[:1], (32, 32), lambda a, b: a if single(a) >= single(b) else b)
    with_nan = {"f32": SINGLES + [(bits_of(math.nan, "f32"), f32(2), f32(1))],
                "f16": HALVES + [(bits_of(math.nan, "f16"), f16(2), f16(1))],
                "f64": DOUBLES + [(bits_of(math.nan, "f64"), f64(2), f64(1))]}
    for form, of, bits in (("f32", of_single, 32), ("f16", of_half, 16), ("f64", of_double, 64)):
        lanes_of(cases, f"v_maximum_{form}", with_nan[form], (bits, bits), of(maximum), bits)
        lanes_of(cases, f"v_minimum_{form}", with_nan[form], (bits, bits), of(minimum), bits)
        if form == "f64":
            continue
        rows = SINGLES if form == "f32" else HALVES
        for mnemonic, function in ((f"v_maxmin_{form}", lambda a, b, c: min(max(a, b), c)),
                                   (f"v_minmax_{form}", lambda a, b, c: max(min(a, b), c)),
                                   (f"v_maxmin_num_{form}", lambda a, b, c: min(max(a, b), c)),
                                   (f"v_minmax_num_{form}", lambda a, b, c: max(min(a, b), c))):
            lanes_of(cases, mnemonic, rows, (bits, bits, bits), of(function))
    # Halves of mixed precision: op_sel_hi says that a source is a half, op_sel that it is the upper one; all f32 here.
    lanes_of(cases, "v_fma_mixlo_f16", SINGLES, (32, 32, 32), lambda a, b, c: 0xABCD0000 | to_half(fma(*map(single, (a, b, c)))),
             result_old=0xABCD1234)
    lanes_of(cases, "v_fma_mixhi_f16", SINGLES, (32, 32, 32),
             lambda a, b, c: 0x1234 | to_half(fma(*map(single, (a, b, c)))) << 16, result_old=0xABCD1234)
    pairs = [tuple(a | b << 16 for a, b in zip(HALVES[i], HALVES[(i + 1) % 4])) for i in range(4)]
    both = lambda f: lambda *v: to_half(f(*map(half, v))) | to_half(f(*(half(x >> 16) for x in v))) << 16
    lanes_of(cases, "v_pk_fmac_f16", pairs, (32, 32, 32), both(fma), accumulates=True)
    lanes_of(cases, "v_pk_maximum_f16", pairs, (32, 32), both(maximum))
    lanes_of(cases, "v_pk_minimum_f16", pairs, (32, 32), both(minimum))
    clamped = lambda low, high: lambda v: min(max(to_integer(v, "z"), low), high) & U16
    rows = [(f32(1.75), f32(-1.75)), (f32(40000), f32(-40000)), (f32(70000), f32(5))]
    for mnemonic, limits in (("v_cvt_pk_i16_f32", (-32768, 32767)), ("v_cvt_pk_u16_f32", (0, 65535))):
        lanes_of(cases, mnemonic, rows, (32, 32), lambda a, b, l=limits: clamped(*l)(single(a)) | clamped(*l)(single(b)) << 16)
    # A seed of a reciprocal square root of a power of four is exact; clamped beyond the largest.
    lanes_of(cases, "v_rsq_clamp_f64", [(f64(4),), (f64(0.25),), (f64(0),)], (64,),
             lambda a: {f64(4): f64(0.5), f64(0.25): f64(2), 0: 0x7FEFFFFFFFFFFFFF}[a], 64)
    # A quotient's scales: nothing to scale, so that VCC stays 0 and the operand comes back. v_div_fmas then is a fused
    # multiplication and addition.
    for form, rows, bits, of in (("f32", SINGLES[:3], 32, of_single), ("f64", DOUBLES[:3], 64, of_double)):
        for rdna in (False, True):
            some = [t for t in having(f"v_div_scale_{form}") if (t in RDNA) == rdna]
            for lane_bits in ((32,) if rdna else (64,)):
                mask = "vcc_lo" if rdna else "vcc"
                result, a, b, c = (operand(at, bits) for at in (8, 10, 12, 14))
                extra = ["lanes 32"] if rdna else []
                before = [("exec", 7)] + [(where, [row[i] for row in rows]) for i, where in enumerate((a, b, c))]
                cases.add(f"v_div_scale_{form} with nothing to scale", some,
                          [f"v_div_scale_{form} {result}, {mask}, {a}, {a}, {b}"], before,
                          [(result, [row[0] for row in rows]), ("vcc", 0)], extra)
                cases.add(f"v_div_fmas_{form} with nothing to scale", some, [f"v_div_fmas_{form} {result}, {a}, {b}, {c}"],
                          before, [(result, [of(fma)(*row) for row in rows])], extra)
    # Scalar results of the transcendental unit: powers of two are exact.
    for mnemonic, argument, result in (("v_s_exp_f32", 3, 8), ("v_s_log_f32", 8, 3), ("v_s_rcp_f32", 4, 0.25),
                                       ("v_s_rsq_f32", 16, 0.25), ("v_s_sqrt_f32", 16, 4)):
        cases.add(mnemonic, having(mnemonic), [f"{mnemonic} s8, s10"], [("s10", f32(argument))], [("s8", f32(result))])
    for name, function in (("max", max), ("min", min)):
        cases.add(f"v_dual_{name}_num_f32", having(f"v_dual_{name}_num_f32"),
                  [f"v_dual_{name}_num_f32 v8, v0, v1 :: v_dual_{name}_num_f32 v9, v2, v3"],
                  [(f"v{i}", [row[i % 2] if i < 2 else row[1 + i % 2] for row in SINGLES]) for i in range(4)] + [("exec", 15)],
                  [("v8", [to_single(function(single(r[0]), single(r[1]))) for r in SINGLES]),
                   ("v9", [to_single(function(single(r[1]), single(r[2]))) for r in SINGLES])], ["lanes 32"])


def small_floats(cases):
    """8-bit floats: fp8 is e4m3 and bf8 e5m2, as gfx940 has them, with one zero and a NaN in its place."""
    def bits8(value, form):
        # gfx942's formats have a bias one larger than OCP's; gfx12 has OCP's.
        return bits_of(value, form)
    # gfx942: fnuz, where a value is half of what OCP's bits say.
    fnuz = lambda value, form: bits_of(Fraction(value) * 2, form)
    rows = [(f32(1), f32(-2)), (f32(0.5), f32(1.75)), (f32(3), f32(-0.25))]
    lanes_of(cases, "v_cvt_pk_bf8_f32", rows, (32, 32),
             lambda a, b: 0xABCD0000 | fnuz(single(a), "e5m2") | fnuz(single(b), "e5m2") << 8, targets=["gfx942"],
             result_old=0xABCD1234)
    exact = [(f32(1), 0), (f32(-1.75), U32), (f32(0.5), 12345)]
    lanes_of(cases, "v_cvt_sr_bf8_f32", exact, (32, 32), lambda a, b: 0xABCD1200 | fnuz(single(a), "e5m2"), targets=["gfx942"],
             result_old=0xABCD1234)
    lanes_of(cases, "v_cvt_sr_fp8_f32", exact, (32, 32), lambda a, b: 0xABCD1200 | bits_of(single(a), "e4m3"),
             targets=["gfx1201"], result_old=0xABCD1234)
    packed = [bits_of(Fraction(a), "e5m2") | bits_of(Fraction(b), "e5m2") << 8 for a, b in ((1, -2), (0.5, 1.75), (3, -0.25))]
    lanes_of(cases, "v_cvt_pk_f32_bf8", [(word,) for word in packed], (32,),
             lambda a: to_single(value_of(a & 255, "e5m2")) | to_single(value_of(a >> 8 & 255, "e5m2")) << 32, 64,
             targets=["gfx1201"])


def moves(cases):
    every = (1, 2, 3, 4)
    for mnemonic in ("v_movrels_b32", "v_movreld_b32", "v_movrelsd_b32"):
        source, result = (2 if "rels" in mnemonic else 0), (2 if mnemonic != "v_movrels_b32" else 0)
        cases.add(mnemonic, having(mnemonic), [f"{mnemonic}_e32 v8, v10"],
                  [("m0", 2), ("exec", 15), (f"v{10 + source}", every)], [(f"v{8 + result}", every)])
    # Indices of 10 bits: of the source in bits 9:0 of M0, of the result in bits 25:16.
    cases.add("v_movrelsd_2_b32", having("v_movrelsd_2_b32"), ["v_movrelsd_2_b32_e32 v8, v10"],
              [("m0", 3 << 16 | 2), ("exec", 15), ("v12", every)], [("v11", every)])
    cases.add("v_readlane_b32", having("v_readlane_b32"), ["v_readlane_b32 s8, v10, s9", "v_readlane_b32 s10, v10, 1"],
              [("v10", [5, 6, 7, 8]), ("s9", 3), ("exec", 0)], [("s8", 8), ("s10", 6)])
    # Waves of 32 have one half: nothing happens.
    for lanes in (32, 64):
        cases.add(f"v_permlane64_b32 of {lanes}", having("v_permlane64_b32"), ["v_permlane64_b32_e32 v8, v10"],
                  [("v10", "lane")], [("v8", [i ^ 32 for i in range(64)] if lanes == 64 else 0)], [f"lanes {lanes}"])
    bytes_of = lambda v: [signed(v >> at, 8) for at in (0, 8, 16, 24)]
    rows = [(0x01FF0203, 0x04050680, 10), (0x7F7F7F7F, 0x80808080, 0)]
    lanes_of(cases, "v_dot4c_i32_i8", rows, (32, 32, 32), lambda a, b, c: c + sum(x * y for x, y in zip(bytes_of(a), bytes_of(b))),
             accumulates=True, code="v_dot4c_i32_i8_e32 v8, v10, v12")


def generate(folder):
    cases = Cases(__doc__)
    integers(cases)
    carries(cases)
    floats(cases)
    small_floats(cases)
    moves(cases)
    cases.write(folder / "amd_vector.case")
