// Private structures with bytes and half words beside each other in one word, copied and changed by an index that is known
// when the kernel runs: each keeps what was stored to it.
// arg: in buffer int[256] random(seed=7001,min=-1000,max=1000)
// arg: out buffer int[512] zero
// launch: kernel=structs_narrow global=64 local=32
// compare: out exact
typedef struct {
  char tag;
  short step;
  int whole;
  long wide;
  uchar3 colour;
} Item;

Item changed(Item item, int by) {
  item.tag += by;
  item.step -= by;
  item.whole ^= by;
  item.wide += (long)by << 20;
  item.colour.y += 3;
  return item;
}

__kernel void structs_narrow(__global const int* in, __global int* out) {
  const int i = get_global_id(0);
  Item pair[2];
  for (int k = 0; k < 2; ++k) {
    pair[k].tag = (char)in[i];
    pair[k].step = (short)in[i + 64];
    pair[k].whole = k;
    pair[k].wide = in[i + 128];
    pair[k].colour = (uchar3)(1, (uchar)i, 5);
  }
  for (int k = 0; k < (in[i] & 3) + 1; ++k) pair[k & 1] = changed(pair[k & 1], in[i + 192]);
  for (int k = 0; k < 2; ++k) {
    __global int* to = out + i * 8 + k * 4;
    to[0] = pair[k].tag;
    to[1] = pair[k].step;
    to[2] = pair[k].whole + (int)(pair[k].wide >> 10);
    to[3] = pair[k].colour.x + pair[k].colour.y * 256 + pair[k].colour.z * 65536;
  }
}
