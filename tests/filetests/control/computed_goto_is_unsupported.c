// kripke: check
// verdict: unknown
// prints: unsupported

#include <assert.h>
_Bool nondet_bool(void);

int main(void)
{
    void *targets[] = {&&first, &&second};
    int x = 0;
    goto *targets[nondet_bool()];
first:
    x = 1;
second:
    x += 1;
    assert(x >= 1);
    return 0;
}
