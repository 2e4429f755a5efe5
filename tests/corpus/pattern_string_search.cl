// Occurrences of a pattern with wildcards in a text of four letters, a hash of windows, and a longest common run.
// arg: text buffer char[2064] random(seed=931,min=97,max=100)
// arg: pattern buffer char[4] values(97,63,98,99)
// arg: found buffer int[2048] zero
// arg: count buffer int[1] zero
// launch: kernel=search global=2048 local=256
// compare: found exact
// compare: count exact
__kernel void search(__global const char* text, __constant char* pattern, __global int* found,
                     __global int* count) {
  const int i = get_global_id(0);
  bool match = true;
  for (int k = 0; k < 4 && match; ++k) {
    match = pattern[k] == '?' || text[i + k] == pattern[k];
  }
  uint hash = 2166136261u;
  for (int k = 0; k < 8; ++k) {
    hash = (hash ^ (uint)text[i + k]) * 16777619u;
  }
  int run = 0;
  while (run < 16 && text[i + run] == text[2048 - i > 16 ? (i * 7) % 2000 + run : run]) {
    ++run;
  }
  found[i] = match ? -1 : (int)(hash >> 8) * 32 + run;
  if (match) {
    atomic_inc(count);
  }
}
