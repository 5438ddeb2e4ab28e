// kripke: check
// verdict: holds

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    int sign = x > 0 ? 1 : x < 0 ? -1 : 0;
    assert(sign * sign <= 1);
    assert((sign == 0) == (x == 0));
    return 0;
}
