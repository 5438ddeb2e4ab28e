// kripke: check
// verdict: holds

#include <assert.h>
float nondet_float(void);

int main(void)
{
    float a = nondet_float(), b = nondet_float();
    float x = a + b, y = b + a;
    assert(x == y || (x != x && y != y));
    return 0;
}
