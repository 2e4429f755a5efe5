// A hand-written lexer over bytes: states and transitions as goto-like control flow with several exits.
// arg: text buffer uchar[4096] random(seed=381,min=32,max=63)
// arg: out buffer int4[256] zero
// launch: kernel=flow_state_machine global=256 local=64
// compare: out exact
__kernel void flow_state_machine(__global const uchar* text, __global int4* out) {
  const int i = get_global_id(0);
  int4 counts = (int4)(0);
  int at = i * 16;
  const int end = min(at + 48, 4096);
  int value = 0;
start:
  if (at >= end) {
    goto done;
  }
  if (text[at] >= '0' && text[at] <= '9') {
    goto number;
  }
  if (text[at] == '/' || text[at] == '*') {
    goto comment;
  }
  counts.x += text[at] == ' ';
  ++at;
  goto start;
number:
  value = value * 10 % 100003 + (text[at] - '0');
  ++at;
  if (at < end && text[at] >= '0' && text[at] <= '9') {
    goto number;
  }
  if (at < end && text[at] == '.') {
    ++at;
    ++counts.w;
    if (at < end) {
      goto comment;
    }
  }
  ++counts.y;
  goto start;
comment:
  ++counts.z;
  for (int k = 0; k < 5; ++k, ++at) {
    if (at >= end) {
      goto done;
    }
    if (text[at] == ';') {
      ++at;
      goto start;
    }
  }
  goto start;
done:
  counts.x += value;
  out[i] = counts;
}
