#include <stdio.h>

int strong(void) { return 1; }
int alias_of_strong(void) __attribute__((alias("strong")));
extern int weak_alias(void) __attribute__((weak, alias("strong")));
static int (*resolve(void))(void) { return strong; }
int indirect(void) __attribute__((ifunc("resolve")));
int tentative;
int common_one __attribute__((common));
__attribute__((weak)) int weak_variable = 3;
__attribute__((section(".special"), used)) static int placed = 4;
__attribute__((visibility("hidden"))) int hidden = 5;
__attribute__((aligned(64))) char aligned_buffer[3];
int renamed(void) __asm__("\01renamed_symbol");
const int odd_name __asm__("odd name $1") = 3;
__attribute__((constructor)) static void before(void) { placed++; }
__attribute__((destructor(200))) static void after(void) { placed--; }
__attribute__((always_inline)) static inline int inlined(int x) { return x * 2; }
__attribute__((noinline, cold, pure)) static int pure(int x) { return x + 1; }
inline int available(int x) { return x + 2; }
extern inline __attribute__((gnu_inline)) int gnu(int x) { return x + 3; }
static int maybe_unused(void) __attribute__((unused));
_Thread_local static int own = 2;
extern _Thread_local int foreign_own;
__attribute__((naked)) void bare(void) { __asm__("ret"); }

int main(void) {
    static const char *const names[] = {"a", __FILE__, __func__};
    return alias_of_strong() + weak_alias() + indirect() + tentative + common_one + weak_variable + placed
        + hidden + aligned_buffer[0] + renamed() + inlined(2) + pure(3) + available(4) + gnu(1) + own
        + foreign_own + names[0][0] + odd_name + (stdout != 0);
}
