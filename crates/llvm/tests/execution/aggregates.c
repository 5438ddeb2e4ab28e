#include <stdio.h>
#include <stdarg.h>
#include <string.h>
#include <stddef.h>
struct s1 { char c; }; struct s3 { char c[3]; }; struct s7 { char c[7]; }; struct s12 { int a, b, c; };
struct sf { float x, y; }; struct sd { double a, b; }; struct sm { double d; int i; }; struct big { int v[20]; };
struct mix { short a; long b; char c; float f; };
union u { int i; float f; char c[8]; double d; };
struct nest { struct s3 a; union u u; struct sm m[2]; };
struct s3 mk3(int x) { struct s3 r = {{x, x+1, x+2}}; return r; }
struct s7 mk7(int x) { struct s7 r; for (int i = 0; i < 7; i++) r.c[i] = x + i; return r; }
struct s12 mk12(int x) { return (struct s12){x, x*2, x*3}; }
struct sf mkf(float x) { return (struct sf){x, x/2}; }
struct sd mkd(double x) { return (struct sd){x, x/3}; }
struct sm mkm(double x, int i) { struct sm m = {x, i}; return m; }
struct big mkb(int x) { struct big b; for (int i = 0; i < 20; i++) b.v[i] = x * i; return b; }
int sumb(struct big b, struct s12 s, struct s7 t, struct sf f, struct sd d, struct sm m, struct s1 one) {
  int r = 0; for (int i = 0; i < 20; i++) r += b.v[i];
  b.v[0] = 99;
  return r + s.a + s.b + s.c + t.c[6] + (int)f.x + (int)d.b + m.i + (int)m.d + one.c; }
struct nest mkn(struct nest n) { n.a.c[1] = 7; n.m[1].i += 5; return n; }
union u mku(union u u) { u.i++; return u; }
int vsum(int n, ...) { va_list ap, aq; va_start(ap, n); va_copy(aq, ap); long s = 0;
  for (int i = 0; i < n; i++) { int k = va_arg(ap, int); switch (k) { case 0: s += va_arg(ap, int); break; case 1: s += va_arg(ap, double); break;
   case 2: s += va_arg(ap, long long); break; case 3: { struct big b = va_arg(ap, struct big); s += b.v[19]; break; }
   case 4: { struct s12 b = va_arg(ap, struct s12); s += b.c; break; } case 5: { struct sd b = va_arg(ap, struct sd); s += b.a; break; }
   case 6: { struct s3 b = va_arg(ap, struct s3); s += b.c[2]; break; } case 7: { char *p = va_arg(ap, char*); s += strlen(p); break; }
   case 8: { long double p = va_arg(ap, long double); s += (int)p; break; } case 9: { struct sm p = va_arg(ap, struct sm); s += p.i; break; }
   case 10: { __int128 p = va_arg(ap, __int128); s += (long)(p >> 64); break; } } }
  s += va_arg(aq, int); va_end(ap); va_end(aq); return s; }
int vhelp(int n, va_list ap) { int s = 0; while (n--) s += va_arg(ap, int); return s; }
int vwrap(int n, ...) { va_list ap; va_start(ap, n); int r = vhelp(n, ap); r += va_arg(ap, int); va_end(ap); return r; }
struct bf { unsigned a:3; int b:5; unsigned c:20; unsigned long long d:40; _Bool e:1; signed char f:2; } ;
struct __attribute__((packed)) pk { char a; int b; short c; long long d; };
int main(void) {
  struct s3 a = mk3(5); struct s7 b = mk7(10); struct s12 c = mk12(3); struct sf f = mkf(3.5f); struct sd d = mkd(9); struct sm m = mkm(2.5, 4); struct big g = mkb(2); struct s1 one = {3};
  printf("%d %d %d %d %g %g %g %g %g %d %d\n", a.c[2], b.c[6], c.b, c.c, f.x, f.y, d.a, d.b, m.d, m.i, g.v[19]);
  printf("%d %d\n", sumb(g, c, b, f, d, m, one), g.v[0]);
  struct nest n; memset(&n, 0, sizeof n); n.u.d = 1.5; n.m[1].i = 10; n = mkn(n);
  printf("%d %g %d\n", n.a.c[1], n.u.d, n.m[1].i);
  union u u; u.d = 0; u.i = 41; printf("%d\n", mku(u).i);
  u.f = 1.0f; printf("%x %d\n", u.i, u.c[3]);
  printf("%d\n", vsum(11, 0, 5, 1, 2.5, 2, 100LL, 3, g, 4, c, 5, d, 6, a, 7, "hello", 8, 5.5L, 9, m, 10, ((__int128)7) << 64));
  printf("%d\n", vwrap(3, 1, 2, 3, 4));
  struct bf x = {5, -7, 0xabcde, 0x123456789aULL, 1, -2}; x.a += 4; x.b--; x.d <<= 3; x.c ^= 0xfff;
  printf("%u %d %u %llx %d %d %zu\n", x.a, x.b, x.c, (unsigned long long)x.d, x.e, x.f, sizeof x);
  struct pk p = {1, 2, 3, 4}; p.b += p.c; p.d *= p.b; printf("%d %lld %zu %zu\n", p.b, p.d, sizeof p, offsetof(struct pk, d));
  struct pk q = p; printf("%d\n", memcmp(&p, &q, sizeof p));
  int arr[3][4] = {{1,2},{3},{[2]=9}}; int t = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) t += arr[i][j] * (i + 1); printf("%d\n", t);
  int k = 5; int vla[k][k+1]; for (int i = 0; i < k; i++) for (int j = 0; j <= k; j++) vla[i][j] = i * j; printf("%d %zu\n", vla[4][5], sizeof vla);
  struct s12 *pc = &(struct s12){7, 8, 9}; printf("%d\n", pc->b);
  return c.a;
}
