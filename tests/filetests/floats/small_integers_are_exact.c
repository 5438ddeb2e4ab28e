// kripke: check
// verdict: holds

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int n = nondet_int();
    if (n >= -16777216 && n <= 16777216) {
        float f = (float)n;
        assert((int)f == n);
    }
    double d = n;
    assert((int)d == n);
    return 0;
}
