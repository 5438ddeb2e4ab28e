// kripke: check
// verdict: holds

#include <assert.h>
#include <stdlib.h>
int nondet_int(void);

static inline int clamp(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

static _Noreturn void stop(void)
{
    exit(0);
}

int main(void)
{
    int x = nondet_int();
    if (x > 100)
        stop();
    assert(x <= 100);
    int c = clamp(x, 0, 10);
    assert(c >= 0 && c <= 10);
    return 0;
}
