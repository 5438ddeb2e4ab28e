// kripke: check
// verdict: holds

#include <assert.h>

static int low(unsigned char c) { return c; }
static long long widen(long long x) { return x; }
static int truth(_Bool b) { return b; }
static float narrow(float f) { return f; }

int main(void)
{
    assert(low(0x1ff) == 255);
    assert(widen(-1) == -1LL);
    assert(truth(2) == 1);
    assert(narrow(0.1) == 0.1f);
    return 0;
}
