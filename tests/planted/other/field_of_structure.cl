// rule: coalescing
// groups: 512
// local: 256
// arg: particles=float[$items*8]:ramp
// arg: energy=float[$items]
struct particle {
  float x, y, z, mass, vx, vy, vz, charge;
};
// One field of each structure, at eight times the lines.
__kernel void planted(__global const struct particle* particles, __global float* energy) {
  const int i = get_global_id(0);
  energy[i] = 0.5f * particles[i].mass;
}

// The field in an array of its own.
__kernel void mended(__global const float* particles, __global float* energy) {
  const int i = get_global_id(0);
  energy[i] = 0.5f * particles[i];
}
