#include <stdio.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <ctype.h>
#include <string.h>
#include <errno.h>
#include <stdint.h>
typedef int v4 __attribute__((vector_size(16))); typedef float f4 __attribute__((vector_size(16))); typedef unsigned char b16 __attribute__((vector_size(16)));
v4 addv(v4 a, v4 b) { return a + b * 2; } f4 gf = {1, 2, 3, 4};
static void bye(void) { puts("bye"); }
struct fl { int n; int data[]; };
static inline int sq(int x) { return x * x; }
_Static_assert(sizeof(int) == 4, "int");
_Thread_local int tls = 4;
int weak_one(void) __attribute__((weak)); int weak_one(void) { return 11; }
int aliased(void) { return 22; } int alias_of(void) __attribute__((alias("aliased")));
#define G(x) _Generic((x), int: 1, double: 2, default: 3)
int main(int argc, char **argv, char **envp) {
  v4 a = {1, 2, 3, 4}, b = {5, 6, 7, 8}; v4 c = addv(a, b); printf("%d %d %d %d\n", c[0], c[1], c[2], c[3]); int i = 2; c[i] = 100; printf("%d\n", c[i]);
  v4 m = a > (v4){2, 2, 2, 2}; printf("%d %d\n", m[0], m[3]); f4 f = gf * 1.5f; printf("%g\n", f[3]); b16 bb = (b16)a; printf("%d\n", bb[4]); v4 sh = __builtin_shufflevector(a, b, 0, 4, 1, 5); printf("%d %d\n", sh[1], sh[3]);
  atomic_int ai = 5; atomic_fetch_add(&ai, 3); int ex = 8; printf("%d", atomic_compare_exchange_strong(&ai, &ex, 20)); printf(" %d", atomic_load(&ai)); printf(" %d\n", atomic_exchange(&ai, 1)); __atomic_fetch_nand(&i, 3, 0); printf("%d\n", i);
  struct fl *p = malloc(sizeof *p + 4 * sizeof(int)); p->n = 4; for (int k = 0; k < p->n; k++) p->data[k] = sq(k); printf("%d\n", p->data[3]); free(p);
  printf("%d %d %d\n", isalpha('a') != 0, toupper('q'), isdigit('5') != 0); printf("%d\n", tls++); printf("%d %d %d\n", tls, weak_one(), alias_of());
  printf("%d %d %d %d\n", argc, argv[argc] == 0, G(1), G(2.0)); errno = 0; long l = strtol("0x1fz", &argv[0], 0); printf("%ld %s %d\n", l, argv[0], errno);
  char s[] = "a,b,,c"; for (char *t = strtok(s, ","); t; t = strtok(0, ",")) printf("[%s]", t); puts("");
  asm volatile("" ::: "memory"); int y = 3; asm("" : "+r"(y)); printf("%d\n", y);
  int *ap = __builtin_alloca(40); for (int k = 0; k < 10; k++) ap[k] = k; printf("%d\n", ap[9]); const char *str = "wide"; printf("%.2s|%*d|%-6s|%%\n", str, 4, 7, "ab");
  uintptr_t ip = (uintptr_t)&y; int *back = (int *)(ip & ~(uintptr_t)3); *back = 9; printf("%d\n", y); char tmp[64]; int n = snprintf(tmp, sizeof tmp, "%d-%s-%c", 5, "xy", 'z'); printf("%s %d\n", tmp, n);
  memmove(tmp + 1, tmp, 4); printf("%s\n", tmp); int (*fp)(int) = sq; printf("%d %d\n", fp(5), (*fp)(6)); int (*pf)(const char *) = puts; pf("via pointer"); int (*tf)(int) = toupper; printf("%c\n", tf('b'));
  atexit(bye); return 3;
}
