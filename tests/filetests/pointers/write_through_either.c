// kripke: check
// verdict: holds

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int a = 1, b = 2;
    int which = nondet_int();
    int *p = which ? &a : &b;
    *p = 10;
    assert(a + b == (which ? 12 : 11));
    return 0;
}
