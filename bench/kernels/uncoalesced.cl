// Memory-bound and uncoalesced: every lane reads and writes its own 64-byte line.
// arg: a buffer float[1048576] random(seed=1,min=-1,max=1)
// arg: b buffer float[1048576] zero
// launch: kernel=uncoalesced global=65536 local=256
// compare: b exact
__kernel void uncoalesced(__global const float* a, __global float* b) {
  const int i = get_global_id(0);
  // Neighbours are 16 floats apart, so a wave of 64 touches 64 lines for each of the four elements.
  for (int k = 0; k < 4; ++k) {
    b[i * 16 + k * 4] = a[((i * 37) & 65535) * 16 + k * 4] + 1.0f;
  }
}
