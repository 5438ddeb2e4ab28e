// kripke: check
// verdict: holds

#include <assert.h>
float nondet_float(void);

int main(void)
{
    float x = nondet_float();
    float square = x * x;
    assert(square >= 0 || square != square);
    return 0;
}
