// rule: partial-waves
// rule rx6900xt: none
// groups: 2048
// groups hd530: 256
// local: 48
// mended local: 192
// arg: n=int:96
// arg: x=float[$items]:random(seed=1,min=0,max=1)
// A quarter of the lanes have no work-item.
#include "sixteen_items.cl"
