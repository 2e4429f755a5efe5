// rule: integer-division
// gain v100: any
// groups: 256
// local: 256
// arg: width=int:48
// arg: x=int[4096]:ramp
// arg: out=int[$items]
// A place in a picture, taken apart in each turn.
__kernel void planted(int width, __global const int* x, __global int* out) {
  int sum = 0, place = get_global_id(0);
  for (int k = 0; k < 32; ++k) {
    const int row = place / width, column = place % width;
    sum += row ^ column;
    place += 7;
  }
  out[get_global_id(0)] = sum;
}

// Divided once, then counted on. (The counting takes instructions, too: where a division costs little, the twin saves less than its end would.)
__kernel void mended(int width, __global const int* x, __global int* out) {
  int sum = 0;
  const int place = get_global_id(0);
  int row = place / width, column = place % width;
  for (int k = 0; k < 32; ++k) {
    sum += row ^ column;
    column += 7;
    if (column >= width) {
      column -= width;
      ++row;
    }
  }
  out[get_global_id(0)] = sum;
}
