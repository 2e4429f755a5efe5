// A step of the lattice Boltzmann method: nineteen velocities, a single relaxation time, values of 32 bits, in place. Of each pair of opposite
// directions a cell reads one value of its own and one of its neighbour's, and writes each to where it read the other (Esoteric Pull: M. Lehmann,
// Computation 10(6):92, 2022). A cell moves nineteen values each way and reads a byte that says what it is: 153 bytes.
#define WIDTH 256u
#define HEIGHT 256u
#define LAYERS (PARTS * LAYERS_OF_PART)
#define PAIRS 9

// Of each pair the first direction: faces, then edges.
__constant int way[PAIRS][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, -1, 0}, {1, 0, -1}, {0, 1, -1}};

uint next(const uint at, const int by, const uint size) {
  return by == 0 ? at : by > 0 ? (at + 1) % size : (at + size - 1) % size;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void step(__global float* values, __global const uchar* kinds, const uint odd,
                                                                  const float relaxation) {
  const uint cells = WIDTH * HEIGHT * LAYERS;
  const uint n = get_global_id(0);
  if (n >= cells || kinds[n] != 0) return;
  const uint x = n % WIDTH, y = n / WIDTH % HEIGHT, z = n / (WIDTH * HEIGHT);
  uint neighbour[PAIRS];
  float here[PAIRS], there[PAIRS];
  float rest = values[n];
#pragma unroll
  for (int i = 0; i < PAIRS; ++i)
    neighbour[i] = (next(z, way[i][2], LAYERS) * HEIGHT + next(y, way[i][1], HEIGHT)) * WIDTH + next(x, way[i][0], WIDTH);
#pragma unroll
  for (int i = 0; i < PAIRS; ++i) {
    here[i] = values[(ulong)(2 * i + 2 - odd) * cells + n];
    there[i] = values[(ulong)(2 * i + 1 + odd) * cells + neighbour[i]];
  }

  // Values are kept less what they are at rest.
  float density = rest, u = 0, v = 0, w = 0;
#pragma unroll
  for (int i = 0; i < PAIRS; ++i) {
    const float flow = here[i] - there[i];
    density += here[i] + there[i];
    u += way[i][0] * flow;
    v += way[i][1] * flow;
    w += way[i][2] * flow;
  }
  const float excess = density;
  density += 1.0f;
  u /= density;
  v /= density;
  w /= density;
  const float square = -1.5f * (u * u + v * v + w * w), keep = 1.0f - relaxation;
  rest = keep * rest + relaxation / 3.0f * (density * square + excess);
#pragma unroll
  for (int i = 0; i < PAIRS; ++i) {
    const float weight = relaxation * (i < 3 ? 1.0f / 18.0f : 1.0f / 36.0f);
    const float along = way[i][0] * u + way[i][1] * v + way[i][2] * w;
    const float both = density * (square + 4.5f * along * along) + excess, difference = density * 3.0f * along;
    here[i] = keep * here[i] + weight * (both + difference);
    there[i] = keep * there[i] + weight * (both - difference);
  }

  values[n] = rest;
#pragma unroll
  for (int i = 0; i < PAIRS; ++i) {
    values[(ulong)(2 * i + 1 + odd) * cells + neighbour[i]] = here[i];
    values[(ulong)(2 * i + 2 - odd) * cells + n] = there[i];
  }
}
