// What it costs when a warp's lanes go different ways. n: turns; ways: how many different ways (1: all the same).
#define STEP(X) __asm__ volatile("mad.lo.s32 %0, %0, 3, 1;" : "+r"(X));
#define S4(X) STEP(X) STEP(X) STEP(X) STEP(X)
#define S8(X) S4(X) S4(X)
#define HEAD int x = get_local_id(0), lane = x & 31, way = lane % ways;
#define KERNEL(N) __kernel void N(__global int* out, int n, int ways)
#define TURNS _Pragma("unroll 1") for (int i = 0; i < n; ++i)
#define TAIL out[get_global_id(0)] = x;
// ways 1: all go to the first side, ways 2: half each
KERNEL(two_4) { HEAD TURNS { if (way == 0) { S4(x) } else { S4(x) STEP(x) } } TAIL }
KERNEL(two_16) { HEAD TURNS { if (way == 0) { S8(x) S8(x) } else { S8(x) S8(x) STEP(x) } } TAIL }
KERNEL(one_4) { HEAD TURNS { if (way == 0) { S4(x) } STEP(x) } TAIL }
KERNEL(one_16) { HEAD TURNS { if (way == 0) { S8(x) S8(x) } STEP(x) } TAIL }
KERNEL(tree_8) {
  HEAD TURNS {
    if (way < 4) { if (way < 2) { if (way < 1) { S4(x) } else { S4(x) STEP(x) } } else { if (way < 3) { S4(x) S4(x) } else { S4(x) S4(x) STEP(x) } } }
    else { if (way < 6) { if (way < 5) { S4(x) STEP(x) STEP(x) } else { S4(x) STEP(x) STEP(x) STEP(x) } } else { if (way < 7) { S8(x) STEP(x) STEP(x) } else { S8(x) STEP(x) STEP(x) STEP(x) } } }
  } TAIL
}
KERNEL(row_8) {
  HEAD TURNS {
    if (way == 0) { S4(x) } else if (way == 1) { S4(x) STEP(x) } else if (way == 2) { S4(x) STEP(x) STEP(x) } else if (way == 3) { S8(x) STEP(x) STEP(x) STEP(x)}
    else if (way == 4) { S8(x) } else if (way == 5) { S8(x) STEP(x) } else if (way == 6) { S8(x) STEP(x) STEP(x) } else { S8(x) S4(x) }
  } TAIL
}
KERNEL(loop) { HEAD TURNS { _Pragma("unroll 1") for (int k = 0; k <= way; ++k) { S4(x) } STEP(x) } TAIL }
KERNEL(leave) { HEAD TURNS { _Pragma("unroll 1") for (int k = 0; k < 8; ++k) { S4(x) if (k == way) break; } STEP(x) } TAIL }
