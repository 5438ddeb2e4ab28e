// kripke: check
// verdict: holds

#include <assert.h>
signed char nondet_schar(void);

int main(void)
{
    int a = nondet_schar(), b = nondet_schar();
    if (b != 0) {
        int q = a / b, r = a % b;
        assert(q * b + r == a);
        assert(r == 0 || (r < 0) == (a < 0));
    }
    return 0;
}
