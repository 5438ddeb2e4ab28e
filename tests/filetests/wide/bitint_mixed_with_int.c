// kripke: check
// verdict: holds

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    _BitInt(40) wide = x;
    assert(wide + 1 > x);
    wide = wide * 4;
    assert(wide / 4 == x);
    return 0;
}
