#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <limits.h>
static int fib(int n) { return n < 2 ? n : fib(n-1) + fib(n-2); }
static int even(unsigned n); static int odd(unsigned n) { return n ? even(n-1) : 0; } static int even(unsigned n) { return n ? odd(n-1) : 1; }
static int cmp(const void *a, const void *b) { return *(const int*)a - *(const int*)b; }
typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; } static int mul(int a, int b) { return a * b; }
static op ops[] = {add, mul};
enum e { A, B = 5, C };
int sw(int x) { switch (x) { case 0: return 1; case 1: case 2: x += 10; /* fallthrough */ case 3: x *= 2; break; case 100 ... 110: return 77; default: x = -1; case -5: x--; } return x; }
unsigned long long swl(unsigned long long x) { switch (x) { case 0xffffffffffffffffULL: return 1; case 5: return 2; } return 3; }
struct node { int v; struct node *next; };
static struct node *push(struct node *l, int v) { struct node *n = malloc(sizeof *n); n->v = v; n->next = l; return n; }
int kr(a, b) int a; char b; { return a + b; }
int counter(void) { static int c = 10; return c++; }
const char *names[] = {"zero", "one", "two"};
int g1 = 3, *gp = &g1, ga[5] = {1,2,3}, *gq = ga + 2; char gs[] = "text"; struct { int a; char *s; double d; int (*f)(int,int); } gi = { 4, "init", 2.5, mul };
void (*table[])() = { (void(*)())0, 0 };
int proto();
int main(void) {
  printf("%d %d %d\n", fib(15), even(10), odd(7));
  int a[] = {5, 3, 9, -1, 7, 0}; qsort(a, 6, sizeof *a, cmp); for (int i = 0; i < 6; i++) printf("%d ", a[i]); puts("");
  int key = 7; int *f = bsearch(&key, a, 6, sizeof *a, cmp); printf("%ld\n", (long)(f - a));
  for (int i = 0; i < 2; i++) printf("%d ", ops[i](6, 7)); puts("");
  int xs[] = {0, 1, 2, 3, -5, 105, 50}; for (int i = 0; i < 7; i++) printf("%d ", sw(xs[i])); printf("%llu %llu\n", swl(-1ULL), swl(5));
  struct node *l = 0; for (int i = 0; i < 5; i++) l = push(l, i * i); int s = 0; for (struct node *n = l; n; n = n->next) s += n->v; while (l) { struct node *n = l->next; free(l); l = n; } printf("%d\n", s);
  printf("%d\n", kr(1, 2)); printf("%d\n", counter()); printf("%d\n", counter());
  int i = 0; again: if (i++ < 3) goto again; do { i += 2; if (i > 8) break; } while (1); printf("%d\n", i);
  for (int x = 0; x < 10; x++) { if (x % 2) continue; int y; y = x; i += y; } printf("%d\n", i);
  printf("%s %s %d %d %s %g %d\n", names[1], gi.s, *gp, *gq, gs, gi.d, gi.f(3, 4));
  char buf[32]; strcpy(buf, "abc"); strcat(buf, "def"); printf("%s %zu %d %d\n", buf, strlen(buf), strcmp(buf, "abd") < 0, memcmp(buf, "abc", 3));
  char *d = strdup(buf); d[0] = 'X'; printf("%s %s\n", d, strchr(d, 'd')); d = realloc(d, 100); strcat(d, "!"); puts(d); free(d);
  int *z = calloc(10, sizeof(int)); z[3] = 4; s = 0; for (int i = 0; i < 10; i++) s += z[i]; printf("%d\n", s); free(z);
  unsigned char uc = 250; uc += 10; signed char sc = 127; sc++; short sh = (short)40000; printf("%d %d %d\n", uc, sc, sh);
  long long ll = LLONG_MAX; ll ^= 0x55; printf("%lld %llu %ld\n", ll, (unsigned long long)ll * 3, (long)INT_MIN);
  printf("%d %d %d %d\n", -7 / 2, -7 % 2, -7 >> 1, (unsigned)-7 >> 28);
  printf("%c%c %5d|%-5d|%05d|%x|%X|%o|%p\n", 'o', 'k', 42, 42, 42, 255, 255, 8, (void*)0);
  int c = (i = 3, i + 1) ? A : C; printf("%d %d\n", c, sizeof(enum e) == 4);
  printf("%d\n", atoi("  -123x")); printf("%d %d\n", abs(-5), proto(3, 4));
  void *vp = &i; *(int *)vp = 12; printf("%d\n", i);
  _Bool bb = 5; bb += 1; printf("%d %d\n", bb, !bb);
  int arr[10]; int *p = arr, *q = arr + 10; while (p < q) *p++ = (int)(q - p); printf("%d %d %td\n", arr[0], arr[9], q - arr);
  exit(7);
}
int proto(a, b) int a, b; { return a * b; }
