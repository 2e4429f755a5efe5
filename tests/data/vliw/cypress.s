	.text
	.section	.AMDGPU.config,"",@progbits
	.long	166100
	.long	259
	.long	165900
	.long	0
	.long	166120
	.long	0
	.text
	.globl	saxpy                           ; -- Begin function saxpy
	.p2align	8
	.type	saxpy,@function
saxpy:                                  ; @saxpy
saxpy$local:
	.type	saxpy$local,@function
	.file	1 "." "kernels.cl"
	.loc	1 6 11 prologue_end             ; kernels.cl:6:11
	ALU_PUSH_BEFORE 4, @14, KC0[CB0:0-32], KC1[]
	.loc	1 7 7                           ; kernels.cl:7:7
	JUMP @9 POP:1
	.loc	1 7 26 is_stmt 0                ; kernels.cl:7:26
	ALU 3, @19, KC0[CB0:0-32], KC1[]
	TEX 0 @10
	ALU 1, @23, KC0[CB0:0-32], KC1[]
	.loc	1 7 38                          ; kernels.cl:7:38
	TEX 0 @12
	.loc	1 7 21                          ; kernels.cl:7:21
	ALU 14, @25, KC0[CB0:0-32], KC1[]
	.loc	1 7 19                          ; kernels.cl:7:19
	MEM_RAT_CACHELESS STORE_RAW T2.XYZW, T0.X, 0
	POP @9 POP:1
	.loc	1 8 1 is_stmt 1                 ; kernels.cl:8:1
	CF_END
	Fetch clause starting at 10:
	.loc	1 7 26                          ; kernels.cl:7:26
	  VTX_READ_128 T1.XYZW, T0.X, 0, #1
	.loc	1 8 1                           ; kernels.cl:8:1
	Fetch clause starting at 12:
	.loc	1 7 38                          ; kernels.cl:7:38
	  VTX_READ_128 T2.XYZW, T0.X, 0, #1
	.loc	1 8 1                           ; kernels.cl:8:1
	ALU clause starting at 14:
	.loc	1 6 11                          ; kernels.cl:6:11
	  MULLO_INT * T0.Y, T1.X, KC0[1].Z,
	  ADD_INT * T0.W, PS, T0.X,
	  ADD_INT * T0.W, PV.W, KC0[3].Z,
	.loc	1 7 9                           ; kernels.cl:7:9
	  SETGE_INT * T1.W, PV.W, KC0[3].X,
	.loc	1 7 7 is_stmt 0                 ; kernels.cl:7:7
	  PRED_SETE_INT * ExecMask,PredicateBit (MASKED), PV.W, 0.0,
	.loc	1 8 1 is_stmt 1                 ; kernels.cl:8:1
	ALU clause starting at 19:
	.loc	1 7 26                          ; kernels.cl:7:26
	  LSHL   T0.W, T0.W, literal.x,
	  MOV * T1.W, KC0[2].Y,
	4(5.605194e-45), 0(0.000000e+00)
	  ADD_INT * T0.X, PS, PV.W,
	.loc	1 8 1                           ; kernels.cl:8:1
	ALU clause starting at 23:
	  MOV * T2.W, KC0[2].Z,
	.loc	1 7 38                          ; kernels.cl:7:38
	  ADD_INT * T0.X, PV.W, T0.W,
	.loc	1 8 1                           ; kernels.cl:8:1
	ALU clause starting at 25:
	.loc	1 7 21                          ; kernels.cl:7:21
	  RECIPSQRT_IEEE * T0.Y, T1.X,
	  RECIPSQRT_IEEE * T0.Z, T1.Y,
	  RECIPSQRT_IEEE * T0.W, T1.Z,
	  RECIPSQRT_IEEE * T1.X, T1.W,
	  MOV   T1.W, KC0[2].W,
	  RECIP_IEEE * T1.X, PS,
	.loc	1 7 36 is_stmt 0                ; kernels.cl:7:36
	  MULADD_IEEE   T2.W, PS, PV.W, T2.W, BS:VEC_021/SCL_122
	.loc	1 7 21                          ; kernels.cl:7:21
	  RECIP_IEEE * T0.W, T0.W,
	.loc	1 7 36                          ; kernels.cl:7:36
	  MULADD_IEEE   T2.Z, PS, T1.W, T2.Z, BS:VEC_021/SCL_122
	.loc	1 7 21                          ; kernels.cl:7:21
	  RECIP_IEEE * T0.Z, T0.Z,
	.loc	1 7 36                          ; kernels.cl:7:36
	  MULADD_IEEE   T2.Y, PS, T1.W, T2.Y, BS:VEC_021/SCL_122
	.loc	1 7 21                          ; kernels.cl:7:21
	  RECIP_IEEE * T0.Y, T0.Y,
	.loc	1 7 36                          ; kernels.cl:7:36
	  MULADD_IEEE   T2.X, PS, T1.W, T2.X, BS:VEC_021/SCL_122
	.loc	1 7 19                          ; kernels.cl:7:19
	  LSHR * T0.X, T0.X, literal.x,
	2(2.802597e-45), 0(0.000000e+00)
	.size	saxpy, .Lfunc_end0-saxpy
	.size	saxpy$local, .Lfunc_end0-saxpy
                                        ; -- End function
	.section	.AMDGPU.config,"",@progbits
	.long	166100
	.long	516
	.long	165900
	.long	0
	.long	166120
	.long	64
	.text
	.globl	group_sums                      ; -- Begin function group_sums
	.p2align	8
	.type	group_sums,@function
group_sums:                             ; @group_sums
group_sums$local:
	.type	group_sums$local,@function
	.loc	1 13 18 prologue_end is_stmt 1  ; kernels.cl:13:18
	ALU 12, @22, KC0[CB0:0-32], KC1[]
	.loc	1 13 16 is_stmt 0               ; kernels.cl:13:16
	TEX 1 @18
	.loc	1 13 36                         ; kernels.cl:13:36
	ALU_PUSH_BEFORE 5, @35, KC0[CB0:0-32], KC1[]
	.loc	1 14 3 is_stmt 1                ; kernels.cl:14:3
	JUMP @12 POP:1
	LOOP_START_DX10 @11
	.loc	1 14 0 is_stmt 0                ; kernels.cl:14:0
	ALU 2, @41, KC0[], KC1[]
	.loc	1 16 9 is_stmt 1                ; kernels.cl:16:9
	ALU_PUSH_BEFORE 13, @44, KC0[], KC1[]
	.loc	1 14 3                          ; kernels.cl:14:3
	JUMP @10 POP:1
	LOOP_BREAK @10
	POP @10 POP:1
	END_LOOP @5
	POP @12 POP:1
	.loc	1 18 12                         ; kernels.cl:18:12
	ALU_PUSH_BEFORE 1, @58, KC0[], KC1[]
	.loc	1 18 7 is_stmt 0                ; kernels.cl:18:7
	JUMP @17 POP:1
	.loc	1 18 18                         ; kernels.cl:18:18
	ALU 8, @60, KC0[CB0:0-32], KC1[]
	.loc	1 18 40                         ; kernels.cl:18:40
	MEM_RAT_CACHELESS STORE_RAW T1.X, T0.X, 0
	POP @17 POP:1
	.loc	1 19 1 is_stmt 1                ; kernels.cl:19:1
	CF_END
	Fetch clause starting at 18:
	.loc	1 13 16                         ; kernels.cl:13:16
	  VTX_READ_32 T3.X, T3.X, 0, #1
	.loc	1 13 38 is_stmt 0               ; kernels.cl:13:38
	  VTX_READ_32 T2.X, T2.X, 0, #2
	.loc	1 19 1 is_stmt 1                ; kernels.cl:19:1
	ALU clause starting at 22:
	.loc	1 13 18                         ; kernels.cl:13:18
	  MULLO_INT * T0.Y, T1.X, KC0[1].Z,
	.loc	1 13 51 is_stmt 0               ; kernels.cl:13:51
	  AND_INT   T1.W, T0.X, literal.x,
	.loc	1 13 16                         ; kernels.cl:13:16
	  LSHL * T0.W, PS, literal.y,
	3(4.203895e-45), 2(2.802597e-45)
	  ADD_INT   T0.Z, KC0[2].Y, PS,
	  LSHL   T0.W, T0.X, literal.x,
	.loc	1 13 38                         ; kernels.cl:13:38
	  LSHL * T1.W, PV.W, literal.x,
	2(2.802597e-45), 0(0.000000e+00)
	  ADD_INT   T2.X, literal.x, PS,
	.loc	1 13 16                         ; kernels.cl:13:16
	  ADD_INT   T1.W, PV.Z, PV.W,
	  LSHL * T2.W, KC0[3].X, literal.y,
	@weights, 2(2.802597e-45)
                                        ;   fixup A - offset: 0, value: weights, kind: FK_SecRel_4
	  ADD_INT * T3.X, PV.W, PS,
	.loc	1 19 1 is_stmt 1                ; kernels.cl:19:1
	ALU clause starting at 35:
	.loc	1 13 36                         ; kernels.cl:13:36
	  MULLO_INT * T0.Y, T2.X, T3.X,
	.loc	1 13 14 is_stmt 0               ; kernels.cl:13:14
	  LDS_WRITE * T0.W, T0.Y,
	.loc	1 13 18                         ; kernels.cl:13:18
	  MOV   T1.W, KC0[1].Z,
	.loc	1 14 47 is_stmt 1               ; kernels.cl:14:47
	  SETGT_UINT * T2.W, literal.x, KC0[1].Z,
	.loc	1 14 3 is_stmt 0                ; kernels.cl:14:3
	2(2.802597e-45), 0(0.000000e+00)
	  PRED_SETE_INT * ExecMask,PredicateBit (MASKED), PS, 0.0,
	.loc	1 19 1 is_stmt 1                ; kernels.cl:19:1
	ALU clause starting at 41:
	.loc	1 14 0                          ; kernels.cl:14:0
	  LSHR * T2.W, T1.W, 1,
	.loc	1 16 14                         ; kernels.cl:16:14
	  SETGE_UINT * T3.W, T0.X, PV.W,
	.loc	1 15 5                          ; kernels.cl:15:5
	  GROUP_BARRIER
	.loc	1 19 1                          ; kernels.cl:19:1
	ALU clause starting at 44:
	.loc	1 16 36                         ; kernels.cl:16:36
	  PRED_SETNE_INT * Pred,PredicateBit (MASKED), T3.W, 0.0,
	  LSHL * T3.W, T2.W, literal.x, Pred_sel_zero
	2(2.802597e-45), 0(0.000000e+00)
	  ADD_INT * T3.W, T0.W, T3.W, Pred_sel_zero
	  LDS_READ_RET * OQAP, T3.W Pred_sel_zero
	.loc	1 16 33 is_stmt 0               ; kernels.cl:16:33
	  MOV * T0.Y, OQAP, Pred_sel_zero
	  LDS_READ_RET * OQAP, T0.W Pred_sel_zero
	  MOV * T0.Z, OQAP, Pred_sel_zero
	  ADD_INT * T3.W, T0.Z, T0.Y, Pred_sel_zero
	  LDS_WRITE * T0.W, T3.W, Pred_sel_zero
	.loc	1 14 47 is_stmt 1               ; kernels.cl:14:47
	  SETGT_UINT   T3.W, literal.x, T1.W,
	  MOV * T1.W, T2.W,
	.loc	1 14 3 is_stmt 0                ; kernels.cl:14:3
	4(5.605194e-45), 0(0.000000e+00)
	  PRED_SETNE_INT * ExecMask,PredicateBit (MASKED), PV.W, 0.0,
	.loc	1 19 1 is_stmt 1                ; kernels.cl:19:1
	ALU clause starting at 58:
	.loc	1 18 12                         ; kernels.cl:18:12
	  SETE_INT * T0.W, T0.X, 0.0,
	.loc	1 18 7 is_stmt 0                ; kernels.cl:18:7
	  PRED_SETNE_INT * ExecMask,PredicateBit (MASKED), PV.W, 0.0,
	.loc	1 19 1 is_stmt 1                ; kernels.cl:19:1
	ALU clause starting at 60:
	.loc	1 18 18                         ; kernels.cl:18:18
	  LSHL   T0.W, T1.X, literal.x,
	  MOV * T1.W, KC0[2].Z,
	2(2.802597e-45), 0(0.000000e+00)
	  ADD_INT * T0.W, PS, PV.W,
	.loc	1 18 40 is_stmt 0               ; kernels.cl:18:40
	  LSHR   T0.X, PV.W, literal.x,
	  MOV * T0.W, literal.y,
	.loc	1 18 42                         ; kernels.cl:18:42
	2(2.802597e-45), 0(0.000000e+00)
	  LDS_READ_RET * OQAP, T0.W
	.loc	1 18 40                         ; kernels.cl:18:40
	  MOV * T1.X, OQAP,
	.size	group_sums, .Lfunc_end1-group_sums
	.size	group_sums$local, .Lfunc_end1-group_sums
                                        ; -- End function
	.section	.AMDGPU.config,"",@progbits
	.long	166100
	.long	518
	.long	165900
	.long	0
	.long	166120
	.long	0
	.text
	.globl	counts                          ; -- Begin function counts
	.p2align	8
	.type	counts,@function
counts:                                 ; @counts
counts$local:
	.type	counts$local,@function
	.loc	1 22 17 prologue_end is_stmt 1  ; kernels.cl:22:17
	ALU 3, @34, KC0[CB0:0-32], KC1[]
	.loc	1 23 53                         ; kernels.cl:23:53
	TEX 0 @28
	.loc	1 23 47 is_stmt 0               ; kernels.cl:23:47
	ALU 9, @38, KC0[CB0:0-32], KC1[]
	.loc	1 24 23 is_stmt 1               ; kernels.cl:24:23
	TEX 0 @30
	ALU_PUSH_BEFORE 3, @48, KC0[], KC1[]
	.loc	1 24 3 is_stmt 0                ; kernels.cl:24:3
	JUMP @23 POP:1
	ALU 6, @52, KC0[CB0:0-32], KC1[]
	LOOP_START_DX10 @22
	.loc	1 25 12 is_stmt 1               ; kernels.cl:25:12
	ALU_PUSH_BEFORE 5, @59, KC0[], KC1[]
	.loc	1 25 9 is_stmt 0                ; kernels.cl:25:9
	JUMP @17 POP:1
	ALU_PUSH_BEFORE 3, @65, KC0[], KC1[]
	.loc	1 26 9 is_stmt 1                ; kernels.cl:26:9
	JUMP @16 POP:1
	.loc	1 27 24                         ; kernels.cl:27:24
	ALU 8, @69, KC0[], KC1[]
	.loc	1 27 5 is_stmt 0                ; kernels.cl:27:5
	MEM_RAT ATOMIC_ADD T4, T1.X
	.loc	1 24 23 is_stmt 1               ; kernels.cl:24:23
	TEX 0 @32
	ALU_POP_AFTER 0, @78, KC0[], KC1[]
	POP @17 POP:1
	.loc	1 25 9                          ; kernels.cl:25:9
	ALU_PUSH_BEFORE 9, @79, KC0[], KC1[]
	JUMP @21 POP:1
	LOOP_BREAK @21
	POP @21 POP:1
	END_LOOP @8
	.loc	1 29 19                         ; kernels.cl:29:19
	ALU_POP_AFTER 0, @89, KC0[], KC1[]
	ALU 15, @90, KC0[CB0:0-32], KC1[]
	.loc	1 29 12 is_stmt 0               ; kernels.cl:29:12
	MEM_RAT MSKOR T3.XW, T1.X
	.loc	1 30 36 is_stmt 1               ; kernels.cl:30:36
	ALU 19, @106, KC0[], KC1[]
	.loc	1 30 13 is_stmt 0               ; kernels.cl:30:13
	MEM_RAT MSKOR T1.XW, T0.X
	.loc	1 31 1 is_stmt 1                ; kernels.cl:31:1
	CF_END
	Fetch clause starting at 28:
	.loc	1 23 53                         ; kernels.cl:23:53
	  VTX_READ_8 T2.X, T1.X, 0, #1
	.loc	1 31 1                          ; kernels.cl:31:1
	Fetch clause starting at 30:
	.loc	1 24 23                         ; kernels.cl:24:23
	  VTX_READ_8 T1.X, T1.X, 0, #1
	.loc	1 31 1                          ; kernels.cl:31:1
	Fetch clause starting at 32:
	.loc	1 24 23                         ; kernels.cl:24:23
	  VTX_READ_8 T1.X, T2.X, 0, #1
	.loc	1 31 1                          ; kernels.cl:31:1
	ALU clause starting at 34:
	.loc	1 22 17                         ; kernels.cl:22:17
	  MULLO_INT * T0.Y, T1.X, KC0[1].Z,
	  ADD_INT * T0.W, PS, T0.X,
	  ADD_INT * T0.W, PV.W, KC0[3].W,
	.loc	1 23 53                         ; kernels.cl:23:53
	  ADD_INT * T1.X, KC0[2].Y, PV.W,
	.loc	1 31 1                          ; kernels.cl:31:1
	ALU clause starting at 38:
	.loc	1 23 47                         ; kernels.cl:23:47
	  AND_INT * T1.W, T0.W, literal.x,
	.loc	1 23 40 is_stmt 0               ; kernels.cl:23:40
	7(9.809089e-45), 0(0.000000e+00)
	  LSHL   T1.W, PV.W, literal.x,
	.loc	1 23 3                          ; kernels.cl:23:3
	  LSHL * T2.W, T0.X, literal.x,
	.loc	1 23 40                         ; kernels.cl:23:40
	2(2.802597e-45), 0(0.000000e+00)
	  ADD_INT * T1.W, KC0[3].Y, PV.W,
	.loc	1 23 27                         ; kernels.cl:23:27
	  LDS_WRXCHG_RET * OQAP, T1.W, T2.X,
	.loc	1 23 3                          ; kernels.cl:23:3
	  MOV   T0.Y, OQAP,
	  ADD_INT * T1.W, KC0[3].Y, T2.W,
	.loc	1 23 25                         ; kernels.cl:23:25
	  LDS_WRITE * T1.W, T0.Y,
	.loc	1 31 1 is_stmt 1                ; kernels.cl:31:1
	ALU clause starting at 48:
	  MOV   T3.W, literal.x,
	.loc	1 24 21                         ; kernels.cl:24:21
	  SETE_INT * T1.W, T1.X, 0.0,
	.loc	1 24 3 is_stmt 0                ; kernels.cl:24:3
	1(1.401298e-45), 0(0.000000e+00)
	  PRED_SETE_INT * ExecMask,PredicateBit (MASKED), PS, 0.0,
	.loc	1 31 1 is_stmt 1                ; kernels.cl:31:1
	ALU clause starting at 52:
	  MOV * T1.W, KC0[2].Y,
	  ADD_INT   T2.X, PV.W, T0.W,
	  MOV   T1.W, literal.x,
	  MOV * T3.X, literal.y,
	0(0.000000e+00), 1(1.401298e-45)
	  MOV   T0.Y, PV.W,
	  MOV * T2.W, KC0[2].Z,
	ALU clause starting at 59:
	.loc	1 25 12                         ; kernels.cl:25:12
	  XOR_INT * T3.W, T0.Y, T0.W,
	.loc	1 25 17 is_stmt 0               ; kernels.cl:25:17
	  AND_INT * T3.W, PV.W, literal.x,
	4(5.605194e-45), 0(0.000000e+00)
	  MOV   T0.Z, T3.X,
	  SETNE_INT * T3.W, PV.W, 0.0,
	.loc	1 25 9                          ; kernels.cl:25:9
	  PRED_SETE_INT * ExecMask,PredicateBit (MASKED), PV.W, 0.0,
	.loc	1 31 1 is_stmt 1                ; kernels.cl:31:1
	ALU clause starting at 65:
	  MOV   T0.Z, T1.W,
	.loc	1 26 11                         ; kernels.cl:26:11
	  SETGT_UINT * T3.W, literal.x, T0.Y,
	.loc	1 26 9 is_stmt 0                ; kernels.cl:26:9
	21(2.942727e-44), 0(0.000000e+00)
	  PRED_SETNE_INT * ExecMask,PredicateBit (MASKED), PV.W, 0.0,
	.loc	1 31 1 is_stmt 1                ; kernels.cl:31:1
	ALU clause starting at 69:
	.loc	1 27 24                         ; kernels.cl:27:24
	  AND_INT * T3.W, T0.Y, literal.x,
	.loc	1 27 17 is_stmt 0               ; kernels.cl:27:17
	7(9.809089e-45), 0(0.000000e+00)
	  LSHL * T3.W, PV.W, literal.x,
	2(2.802597e-45), 0(0.000000e+00)
	  ADD_INT   T1.X, T2.W, PV.W,
	.loc	1 27 5                          ; kernels.cl:27:5
	  MOV * T4.X, T3.X,
	  MOV   T4.Y, T3.Y,
	  MOV   T4.Z, T3.Z,
	  MOV * T4.W, T3.W,
	.loc	1 31 1 is_stmt 1                ; kernels.cl:31:1
	ALU clause starting at 78:
	  MOV * T0.Z, T3.X,
	ALU clause starting at 79:
	.loc	1 25 9                          ; kernels.cl:25:9
	  BFE_INT   T4.W, T0.Z, 0.0, 1,
	  MOV * T3.W, T3.X,
	.loc	1 24 23                         ; kernels.cl:24:23
	  PRED_SETE_INT * Pred,PredicateBit (MASKED), PV.W, 0.0,
	  AND_INT * T3.W, T1.X, literal.x, Pred_sel_zero
	.loc	1 24 29 is_stmt 0               ; kernels.cl:24:29
	255(3.573311e-43), 0(0.000000e+00)
	  ADD_INT * T0.Y, T0.Y, 1, Pred_sel_zero
	.loc	1 24 21                         ; kernels.cl:24:21
	  SETGE_UINT * T3.W, T0.Y, T3.W, Pred_sel_zero
	.loc	1 25 9 is_stmt 1                ; kernels.cl:25:9
	  AND_INT * T3.W, T3.W, 1,
	  SETE_INT * T3.W, PV.W, 0.0,
	  PRED_SETE_INT * ExecMask,PredicateBit (MASKED), PV.W, 0.0,
	.loc	1 31 1                          ; kernels.cl:31:1
	ALU clause starting at 89:
	.loc	1 29 19                         ; kernels.cl:29:19
	  ADD_INT * T3.W, T1.X, 1,
	.loc	1 31 1                          ; kernels.cl:31:1
	ALU clause starting at 90:
	  MOV   T0.Z, KC0[2].W,
	  MOV   T1.W, KC0[3].X,
	  MOV * T2.W, KC0[3].Y,
	.loc	1 29 3                          ; kernels.cl:29:3
	  ADD_INT * T4.W, PV.Z, T0.W,
	.loc	1 29 12 is_stmt 0               ; kernels.cl:29:12
	  AND_INT * T5.W, PV.W, literal.x,
	3(4.203895e-45), 0(0.000000e+00)
	  LSHL   T5.W, PV.W, literal.x,
	  AND_INT * T3.W, T3.W, literal.y,
	3(4.203895e-45), 255(3.573311e-43)
	  LSHL   T3.X, PS, PV.W,
	  LSHL * T3.W, literal.x, PV.W,
	255(3.573311e-43), 0(0.000000e+00)
	  MOV   T3.Y, 0.0,
	  MOV * T3.Z, 0.0,
	  LSHR * T1.X, T4.W, literal.x,
	2(2.802597e-45), 0(0.000000e+00)
	.loc	1 31 1 is_stmt 1                ; kernels.cl:31:1
	ALU clause starting at 106:
	.loc	1 30 36                         ; kernels.cl:30:36
	  XOR_INT * T3.W, T0.X, 1,
	.loc	1 30 15 is_stmt 0               ; kernels.cl:30:15
	  LSHL   T3.W, PV.W, literal.x,
	.loc	1 30 3                          ; kernels.cl:30:3
	  LSHL * T0.W, T0.W, 1,
	2(2.802597e-45), 0(0.000000e+00)
	  ADD_INT   T0.W, T1.W, PS,
	.loc	1 30 15                         ; kernels.cl:30:15
	  ADD_INT * T1.W, T2.W, PV.W,
	  LDS_READ_RET * OQAP, T1.W
	.loc	1 30 13                         ; kernels.cl:30:13
	  MOV   T0.X, OQAP,
	  AND_INT * T1.W, T0.W, literal.x,
	3(4.203895e-45), 0(0.000000e+00)
	  AND_INT   T2.W, PV.X, literal.x,
	  LSHL * T1.W, PV.W, literal.y,
	65535(9.183409e-41), 3(4.203895e-45)
	  LSHL   T1.X, PV.W, PS,
	  LSHL * T1.W, literal.x, PS,
	65535(9.183409e-41), 0(0.000000e+00)
	  MOV   T1.Y, 0.0,
	  MOV * T1.Z, 0.0,
	  LSHR * T0.X, T0.W, literal.x,
	2(2.802597e-45), 0(0.000000e+00)
	.size	counts, .Lfunc_end2-counts
	.size	counts$local, .Lfunc_end2-counts
                                        ; -- End function
	.section	.AMDGPU.config,"",@progbits
	.long	166100
	.long	6
	.long	165900
	.long	0
	.long	166120
	.long	0
	.text
	.globl	rotated                         ; -- Begin function rotated
	.p2align	8
	.type	rotated,@function
rotated:                                ; @rotated
rotated$local:
	.type	rotated$local,@function
	.loc	1 35 17 prologue_end is_stmt 1  ; kernels.cl:35:17
	ALU 5, @8, KC0[CB0:0-32], KC1[]
	TEX 0 @6
	.loc	1 36 45                         ; kernels.cl:36:45
	ALU 36, @14, KC0[CB0:0-32], KC1[]
	.loc	1 37 8                          ; kernels.cl:37:8
	MEM_RAT_CACHELESS STORE_RAW T0.X, T1.X, 1
	.loc	1 38 1                          ; kernels.cl:38:1
	CF_END
	PAD
	Fetch clause starting at 6:
	  VTX_READ_32 T0.X, T0.X, 0, #1
	ALU clause starting at 8:
	.loc	1 35 17                         ; kernels.cl:35:17
	  MULLO_INT * T0.Y, T1.X, KC0[1].Z,
	  ADD_INT * T0.W, PS, T0.X,
	  ADD_INT * T0.W, PV.W, KC0[3].Y,
	  LSHL * T1.W, PV.W, literal.x,
	2(2.802597e-45), 0(0.000000e+00)
	  ADD_INT * T0.X, KC0[2].Y, PV.W,
	.loc	1 38 1                          ; kernels.cl:38:1
	ALU clause starting at 14:
	.loc	1 36 45                         ; kernels.cl:36:45
	  ADD_INT   T1.X, T0.X, 1,
	  ADD_INT * T2.X, T0.X, literal.x,
	.loc	1 37 17                         ; kernels.cl:37:17
	2(2.802597e-45), 0(0.000000e+00)
	  ADD_INT * T0.W, T0.W, KC0[2].W,
	.loc	1 37 23 is_stmt 0               ; kernels.cl:37:23
	  AND_INT * T0.W, PV.W, literal.x,
	.loc	1 36 45 is_stmt 1               ; kernels.cl:36:45
	3(4.203895e-45), 0(0.000000e+00)
	  ADD_INT * T3.X, T0.X, literal.x,
	.loc	1 37 10                         ; kernels.cl:37:10
	3(4.203895e-45), 0(0.000000e+00)
	  MOVA_INT * AR.x (MASKED), T0.W,
	  MOV   T0.X, T(0 + AR.x).X+,
	.loc	1 37 34 is_stmt 0               ; kernels.cl:37:34
	  ADD_INT * T0.W, KC0[2].W, 1,
	.loc	1 37 28                         ; kernels.cl:37:28
	  SETGT_INT * T2.W, 0.0, PV.W,
	  ADD_INT * T0.W, T0.W, PV.W,
	  XOR_INT * T0.W, PV.W, T2.W,
	  SUB_INT   T2.W, 0.0, PV.W,
	  RECIP_UINT * T0.Y, PV.W,
	  SETGT_INT   T3.W, 0.0, T0.X,
	  MULLO_INT * T0.Z, PV.W, PS,
	  ADD_INT   T2.W, T0.X, PV.W,
	  MULHI * T0.X, T0.Y, PS,
	  XOR_INT   T2.W, PV.W, T3.W,
	  ADD_INT * T4.W, T0.Y, PS,
	  MULHI * T0.X, PV.W, PS,
	  MULLO_INT * T0.X, PS, T0.W,
	  SUB_INT * T2.W, T2.W, PS,
	  SETGE_UINT   T4.W, PV.W, T0.W,
	  SUB_INT * T5.W, PV.W, T0.W,
	  CNDE_INT * T2.W, PV.W, T2.W, PS,
	  SETGE_UINT   T4.W, PV.W, T0.W,
	  SUB_INT * T0.W, PV.W, T0.W,
	  CNDE_INT * T0.W, PV.W, T2.W, PS,
	  XOR_INT * T0.W, PV.W, T3.W,
	  SUB_INT * T0.W, PV.W, T3.W,
	.loc	1 37 39                         ; kernels.cl:37:39
	  ADD_INT   T0.X, PV.W, KC0[3].Y,
	.loc	1 37 3                          ; kernels.cl:37:3
	  ADD_INT * T0.W, KC0[2].Z, T1.W,
	.loc	1 37 8                          ; kernels.cl:37:8
	  LSHR * T1.X, PV.W, literal.x,
	2(2.802597e-45), 0(0.000000e+00)
	.size	rotated, .Lfunc_end3-rotated
	.size	rotated$local, .Lfunc_end3-rotated
                                        ; -- End function
	.text
	.globl	weights
	.p2align	2
weights:
weights$local:
	.long	1                               ; 0x1
	.long	10                              ; 0xa
	.long	100                             ; 0x64
	.long	1000                            ; 0x3e8
	.size	weights, 16

	.hidden	__oclc_ABI_version              ; @__oclc_ABI_version
	.type	__oclc_ABI_version,@object
	.weak	__oclc_ABI_version
	.p2align	2
__oclc_ABI_version:
	.long	500                             ; 0x1f4
	.size	__oclc_ABI_version, 4

	.type	llvm.amdgcn.kernel.group_sums.lds,@object ; @llvm.amdgcn.kernel.group_sums.lds
	.local	llvm.amdgcn.kernel.group_sums.lds
	.comm	llvm.amdgcn.kernel.group_sums.lds,256,4
//@lockstep kernel saxpy
//@lockstep parameter saxpy global 0 4 4
//@lockstep parameter saxpy global 4 4 4
//@lockstep parameter saxpy value 8 4 4
//@lockstep parameter saxpy value 12 4 4
//@lockstep kernel group_sums
//@lockstep parameter group_sums global 0 4 4
//@lockstep parameter group_sums global 4 4 4
//@lockstep required_group_size group_sums 64 1 1
//@lockstep kernel counts
//@lockstep parameter counts global 0 4 4
//@lockstep parameter counts global 4 4 4
//@lockstep parameter counts global 8 4 4
//@lockstep parameter counts global 12 4 4
//@lockstep parameter counts local 16 4 4
//@lockstep kernel rotated
//@lockstep parameter rotated global 0 4 4
//@lockstep parameter rotated global 4 4 4
//@lockstep parameter rotated value 8 4 4
//@lockstep argument saxpy x float4*
//@lockstep argument saxpy y float4*
//@lockstep argument saxpy a float
//@lockstep argument saxpy n int
//@lockstep qualifiers saxpy none const
//@lockstep qualifiers saxpy none
//@lockstep qualifiers saxpy none
//@lockstep qualifiers saxpy none
//@lockstep argument group_sums x int*
//@lockstep argument group_sums sums int*
//@lockstep qualifiers group_sums none const
//@lockstep qualifiers group_sums none
//@lockstep argument counts x uchar*
//@lockstep argument counts bins int*
//@lockstep argument counts bytes uchar*
//@lockstep argument counts halves short*
//@lockstep argument counts near int*
//@lockstep qualifiers counts none const
//@lockstep qualifiers counts none
//@lockstep qualifiers counts none
//@lockstep qualifiers counts none
//@lockstep qualifiers counts none
//@lockstep argument rotated x int*
//@lockstep argument rotated y int*
//@lockstep argument rotated by int
//@lockstep qualifiers rotated none const
//@lockstep qualifiers rotated none
//@lockstep qualifiers rotated none