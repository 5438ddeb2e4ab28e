// compiler: clang-19
#include <stdio.h>
typedef unsigned _BitInt(200) u200;
static u200 square(u200 x) { return x * x; }
int main(void)
{
  _BitInt(37) bi = 12345678901; bi = bi * 3 + 7; printf("%lld\n", (long long)bi); unsigned _BitInt(200) wide = 1; wide <<= 190; wide -= 1; printf("%llx\n", (unsigned long long)(wide >> 130));
  struct { _BitInt(20) x; unsigned _BitInt(3) y; } bs = { -5, 7 }; bs.y += 2; printf("%d %d\n", (int)bs.x, (int)bs.y);
  _BitInt(128) a[3] = {1, -2, 3}; a[1] *= a[2]; printf("%lld %zu\n", (long long)a[1], sizeof a);
  u200 s = square((u200)1 << 70); printf("%llx\n", (unsigned long long)(s >> 130));
  unsigned _BitInt(1) bit = 1; printf("%d\n", (int)bit);
  return 0;
}
