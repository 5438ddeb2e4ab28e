// kripke: check
// verdict: holds

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    assert((x >> 31) == (x < 0 ? -1 : 0));
    assert((-5 >> 1) == -3);
    return 0;
}
