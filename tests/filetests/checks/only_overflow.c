// kripke: check --check overflow
// verdict: violated
// violates: overflow@12

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    assert(x != 3);
    return x + 1 > x;
}
