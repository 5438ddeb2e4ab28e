// kripke: check
// verdict: holds

#include <assert.h>
#include <math.h>
double nondet_double(void);

int main(void)
{
    double a = nondet_double(), b = nondet_double();
    double low = fmin(a, b), high = fmax(a, b);
    if (isnan(a))
        assert(low == b || isnan(b));
    else if (!isnan(b))
        assert(low <= high && (low == a || low == b));
    return 0;
}
