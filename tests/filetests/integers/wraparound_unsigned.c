// kripke: check
// verdict: holds

#include <assert.h>
unsigned int nondet_uint(void);

int main(void)
{
    unsigned int x = nondet_uint();
    unsigned int y = x + 1;
    assert(y != x);
    assert(y - 1 == x);
    assert(y > x || x == 0xffffffffu);
    return 0;
}
