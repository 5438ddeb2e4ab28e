// kripke: check
// verdict: holds

#include <assert.h>
double nondet_double(void);

int main(void)
{
    double x = nondet_double();
    if (x > -2147483649.0 && x < 2147483648.0) {
        int n = (int)x;
        assert(n <= x + 1 && n >= x - 1);
    }
    return 0;
}
