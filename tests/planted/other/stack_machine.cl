// rule: private-memory
// mended rule: divergence
// rule hd530: divergence
// mended rule hd530: instruction-fetch
// groups: 128
// gain h200: least
// local: 128
// arg: program=int[64]:random(seed=5,min=0,max=3)
// arg: out=float[$items]
// A stack whose height the data decides.
__kernel void planted(__global const int* program, __global float* out) {
  float stack[32];
  int top = 1;
  for (int k = 0; k < 32; ++k) stack[k] = k + get_global_id(0);
  for (int k = 0; k < 64; ++k) {
    const int op = program[(k + get_local_id(0)) & 63];
    if (op == 0) { top = (top + 1) & 31; stack[top] = k; }
    else if (op == 1) { stack[(top - 1) & 31] += stack[top]; top = (top - 1) & 31; }
    else if (op == 2) stack[top] *= 0.5f;
    else stack[top] += stack[(top - 1) & 31];
  }
  out[get_global_id(0)] = stack[top];
}

// Its two highest places in registers. (Nor does it fill the other thirty; where the stack costs little, that is part of what it saves.)
__kernel void mended(__global const int* program, __global float* out) {
  float a = get_global_id(0), b = 1;
  for (int k = 0; k < 64; ++k) {
    const int op = program[(k + get_local_id(0)) & 63];
    if (op == 0) { b = a; a = k; }
    else if (op == 1) { a = b + a; b = k; }
    else if (op == 2) a *= 0.5f;
    else a += b;
  }
  out[get_global_id(0)] = a;
}
