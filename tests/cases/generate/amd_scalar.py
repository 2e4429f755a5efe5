"""Scalar arithmetic of RDNA 4, EXEC's instructions of 32 lanes, program flow, hints and caches. Sources: "RDNA 4", "RDNA 3",
"RDNA 1" and "Vega Instruction Set Architecture", chapters on SOP1, SOP2, SOPC, SOPP and SMEM."""
from common import *

U32, U64 = (1 << 32) - 1, (1 << 64) - 1
EXEC, MASK = 0b1100, 0b1010


def execs(cases):
    """The old EXEC goes to the result, the combination to EXEC; of the andn2 family in the order of its name."""
    functions = {
        "and": lambda s, e: s & e, "or": lambda s, e: s | e, "xor": lambda s, e: s ^ e, "nand": lambda s, e: ~(s & e),
        "nor": lambda s, e: ~(s | e), "xnor": lambda s, e: ~(s ^ e), "andn1": lambda s, e: ~s & e,
        "andn2": lambda s, e: s & ~e, "orn1": lambda s, e: ~s | e, "orn2": lambda s, e: s | ~e,
        "and_not0": lambda s, e: ~s & e, "and_not1": lambda s, e: s & ~e, "or_not0": lambda s, e: ~s | e,
        "or_not1": lambda s, e: s | ~e,
    }
    for name, function in functions.items():
        value = function(MASK, EXEC) & U32
        cases.add(f"s_{name}_saveexec_b32", having(f"s_{name}_saveexec_b32"), [f"s_{name}_saveexec_b32 s8, s10"],
                  [("exec", EXEC), ("s10", MASK)], [("s8", EXEC), ("exec", value), ("scc", int(value != 0))], ["lanes 32"])
        cases.add(f"s_{name}_wrexec_b32", having(f"s_{name}_wrexec_b32"), [f"s_{name}_wrexec_b32 s8, s10"],
                  [("exec", EXEC), ("s10", MASK)], [("s8", value), ("exec", value), ("scc", int(value != 0))], ["lanes 32"])


def arithmetic(cases):
    def one(mnemonic, before, after, operands=None):
        cases.add(mnemonic, having(mnemonic), [f"{mnemonic} {operands or 's8, s10, s12'}"], before, after)

    for form in ("f32", "f16"):
        number = f32 if form == "f32" else f16
        a, b = Fraction(-3), Fraction(9, 4)
        for name, result in (("add", a + b), ("sub", a - b), ("mul", a * b), ("max_num", max(a, b)), ("min_num", min(a, b)),
                             ("maximum", max(a, b)), ("minimum", min(a, b))):
            one(f"s_{name}_{form}", [("s10", number(a)), ("s12", number(b))], [("s8", number(result))])
        one(f"s_fmac_{form}", [("s10", number(a)), ("s12", number(b)), ("s8", number(7))], [("s8", number(a * b + 7))])
        for name, mode in (("ceil", "p"), ("floor", "m"), ("trunc", "z"), ("rndne", "n")):
            for value in (Fraction(-5, 2), Fraction(7, 2), Fraction(9, 4)):
                one(f"s_{name}_{form}", [("s10", number(value))], [("s8", number(to_integer(value, mode)))], "s8, s10")
    one("s_fmamk_f32", [("s10", f32(-3)), ("s12", f32(2))], [("s8", f32(-10))], "s8, s10, 0x40800000, s12")
    one("s_fmaak_f32", [("s10", f32(-3)), ("s12", f32(2))], [("s8", f32(-2))], "s8, s10, s12, 0x40800000")
    one("s_cvt_f32_i32", [("s10", -7 & U32)], [("s8", f32(-7))], "s8, s10")
    one("s_cvt_f32_u32", [("s10", 0x80000000)], [("s8", f32(1 << 31))], "s8, s10")
    one("s_cvt_i32_f32", [("s10", f32(-7.75))], [("s8", -7 & U32)], "s8, s10")
    one("s_cvt_u32_f32", [("s10", f32(7.75))], [("s8", 7)], "s8, s10")
    one("s_cvt_f16_f32", [("s10", f32(-1.5))], [("s8", f16(-1.5))], "s8, s10")
    one("s_cvt_f32_f16", [("s10", f16(-1.5))], [("s8", f32(-1.5))], "s8, s10")
    one("s_cvt_pk_rtz_f16_f32", [("s10", f32(2049.75)), ("s12", f32(-1.5))],
        [("s8", bits_of(Fraction(204975, 100), "f16", "z") | f16(-1.5) << 16)])
    a, b = 0xFEDCBA9876543210, 0x123456789ABCDEF
    for name, result in (("add_nc", a + b), ("sub_nc", a - b), ("mul", a * b)):
        one(f"s_{name}_u64", [("s[10:11]", a), ("s[12:13]", b)], [("s[8:9]", result & U64)], "s[8:9], s[10:11], s[12:13]")
    one("s_pack_hl_b32_b16", [("s10", 0x11112222), ("s12", 0x33334444)], [("s8", 0x44441111)])


def hints(cases):
    """What changes no register and no memory: the instructions around them work as ever."""
    texts = {
        "s_atc_probe": "s_atc_probe 1, s[2:3], 0x10", "s_atc_probe_buffer": "s_atc_probe_buffer 1, s[4:7], 0x10",
        "s_barrier": "s_barrier", "s_clause": "s_clause 0x1", "s_dcache_discard": "s_dcache_discard s[2:3], 0x10",
        "s_dcache_discard_x2": "s_dcache_discard_x2 s[2:3], 0x10", "s_dcache_inv": "s_dcache_inv",
        "s_dcache_inv_vol": "s_dcache_inv_vol", "s_dcache_wb": "s_dcache_wb", "s_dcache_wb_vol": "s_dcache_wb_vol",
        "s_decperflevel": "s_decperflevel 3", "s_incperflevel": "s_incperflevel 3",
        "s_delay_alu": "s_delay_alu instid0(VALU_DEP_1)", "s_gl1_inv": "s_gl1_inv", "s_inst_prefetch": "s_inst_prefetch 0x1",
        "s_set_inst_prefetch_distance": "s_set_inst_prefetch_distance 0x1", "s_prefetch_data_pc_rel": "s_prefetch_data_pc_rel 0x10, s8, 0",
        "s_prefetch_inst": "s_prefetch_inst s[2:3], 0x10, s8, 0", "s_prefetch_inst_pc_rel": "s_prefetch_inst_pc_rel 0x10, s8, 0",
        "s_buffer_prefetch_data": "s_buffer_prefetch_data s[4:7], 0x10, s8, 0",
        "s_sethalt": "s_sethalt 0", "s_setkill": "s_setkill 0", "s_singleuse_vdst": "s_singleuse_vdst 0x1", "s_sleep": "s_sleep 1",
        "s_ttracedata": "s_ttracedata", "s_ttracedata_imm": "s_ttracedata_imm 0x1", "s_version": "s_version 0x1",
        "s_wait_alu": "s_wait_alu 0xfffe", "s_wait_event": "s_wait_event 0x0", "s_wait_idle": "s_wait_idle",
        "s_waitcnt_depctr": "s_waitcnt_depctr 0xfffe", "s_waitcnt_expcnt": "s_waitcnt_expcnt null, 0x0",
        "s_waitcnt_lgkmcnt": "s_waitcnt_lgkmcnt null, 0x0", "s_waitcnt_vmcnt": "s_waitcnt_vmcnt null, 0x0",
        "s_waitcnt_vscnt": "s_waitcnt_vscnt null, 0x0", "s_wakeup": "s_wakeup", "v_clrexcp": "v_clrexcp", "v_nop": "v_nop",
        "ds_nop": "ds_nop", "buffer_gl0_inv": "buffer_gl0_inv", "buffer_gl1_inv": "buffer_gl1_inv", "buffer_inv": "buffer_inv sc0",
        "buffer_invl2": "buffer_invl2", "buffer_wbinvl1": "buffer_wbinvl1", "buffer_wbinvl1_sc": "buffer_wbinvl1_sc",
        "buffer_wbl2": "buffer_wbl2 sc0", "global_inv": "global_inv", "global_wb": "global_wb", "global_wbinv": "global_wbinv",
        "s_icache_inv": "s_icache_inv",
    }
    for mnemonic, text in texts.items():
        for target in having(mnemonic):
            shown = "buffer_wbl2" if mnemonic == "buffer_wbl2" and target == "gfx90a" else text
            cases.add(f"{mnemonic} changes nothing", [target], ["s_mov_b32 s10, 5", shown, "v_mov_b32_e32 v8, s10"],
                      [("s5", 0x10), ("s6", 4096), ("mem[0x10]", [1, 2])], [("s10", 5), ("v8", 5)])


def flow(cases):
    # No debugger is there.
    for name in ("cdbgsys", "cdbguser", "cdbgsys_or_user", "cdbgsys_and_user"):
        mnemonic = f"s_cbranch_{name}"
        cases.add(f"{mnemonic} goes on", having(mnemonic), [f"{mnemonic} over_{name}", "s_mov_b32 s8, 1", f"over_{name}:", "s_mov_b32 s9, 2"], [],
                  [("s8", 1), ("s9", 2)])
    for vcc, taken in ((0, False), (8, True)):
        cases.add(f"s_cbranch_vccnz of {vcc}", having("s_cbranch_vccnz"),
                  [f"s_cbranch_vccnz over_{vcc}", "s_mov_b32 s8, 1", f"over_{vcc}:", "s_mov_b32 s9, 2"], [("vcc", vcc)],
                  [("s8", 0 if taken else 1), ("s9", 2)])
    for mnemonic in ("s_memtime", "s_memrealtime"):
        for target in having(mnemonic):
            wait = "s_waitcnt lgkmcnt(0)"
            # Time goes on, and begins again with the machine.
            cases.add(f"{mnemonic} never goes back", [target],
                      [f"{mnemonic} s[8:9]", wait, f"{mnemonic} s[10:11]", wait, "s_sub_u32 s12, s10, s8", "s_subb_u32 s13, s11, s9",
                       "s_lshr_b32 s13, s13, 31"], [], [("s[8:9]", "any"), ("s[10:11]", "any"), ("s12", "any"), ("s13", 0),
                                                       ("scc", 0)])
    for bits in (32, 64):
        mnemonic = f"s_sendmsg_rtn_b{bits}"
        register = "s8" if bits == 32 else "s[8:9]"
        message = "MSG_RTN_GET_REALTIME"
        if bits == 64:
            cases.add(f"{mnemonic} of the time", having(mnemonic), [f"{mnemonic} {register}, sendmsg({message})"], [],
                      [(register, "any")])
        else:
            cases.add(f"{mnemonic} of another message", having(mnemonic), [f"{mnemonic} {register}, sendmsg(MSG_RTN_GET_DOORBELL)"])
            cases.text += ["faults s_sendmsg_rtn with a message other than MSG_RTN_GET_REALTIME"]
    cases.add("s_get_waveid_in_workgroup", having("s_get_waveid_in_workgroup"), ["s_get_waveid_in_workgroup s8"], [("s8", 7)],
              [("s8", 0)])
    for mnemonic, code in (("s_sethalt", "s_sethalt 1"), ("s_setkill", "s_setkill 1")):
        cases.add(f"{code} is for debuggers", having(mnemonic), [code])
        cases.text += [f"faults {code}"]
    # GPR indexing of GCN 3 to CDNA 3: bit 0 of the mode moves the first source, bit 3 the result.
    targets = having("s_set_gpr_idx_on")
    cases.add("s_set_gpr_idx_on, _idx, _mode and _off", targets,
              ["s_set_gpr_idx_on s4, gpr_idx(SRC0)", "v_mov_b32_e32 v8, v10", "s_set_gpr_idx_idx s5", "v_mov_b32_e32 v9, v10",
               "s_set_gpr_idx_mode gpr_idx(DST)", "v_mov_b32_e32 v14, v10", "s_set_gpr_idx_off", "v_mov_b32_e32 v20, v10"],
              [("exec", 3), ("s4", 1), ("s5", 2), ("v10", [1, 2]), ("v11", [3, 4]), ("v12", [5, 6])],
              [("v8", [3, 4]), ("v9", [5, 6]), ("v16", [1, 2]), ("v20", [1, 2]), ("m0", "any")])


def generate(folder):
    cases = Cases(__doc__)
    execs(cases)
    arithmetic(cases)
    hints(cases)
    flow(cases)
    cases.write(folder / "amd_scalar.case")
