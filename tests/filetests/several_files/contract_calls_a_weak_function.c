// kripke: check parts/strong_positive.c
// verdict: error
// exit: 3
// prints: calls `is_positive`, which parts/strong_positive.c defines

#include <assert.h>
extern int calls;

__attribute__((weak)) int is_positive(int x) { return x > 0; }
static int is_fine(int x) { return x < 5 && is_positive(x); }

int f(int x) __CPROVER_requires(is_fine(x)) { return x; }

int main(void)
{
    f(1);
    assert(calls == 0);
    return 0;
}
