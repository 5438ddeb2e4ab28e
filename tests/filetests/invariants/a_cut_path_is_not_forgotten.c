// kripke: check --timeout 20s --max-unwind 4
// verdict: unknown
// The recursion goes 200 calls deep, past every bound here, and then breaks what seems to hold.

#include <assert.h>
unsigned char nondet_uchar(void);
unsigned level;

static unsigned spin(unsigned n)
{
    return n == 0 ? 0 : 1 + spin(n - 1);
}

int main(void)
{
    for (;;) {
        if (nondet_uchar() == 7 && spin(nondet_uchar()) == 200)
            level = 9;
        assert(level < 9);
    }
}
