// kripke: check
// verdict: holds

#include <assert.h>
#include <float.h>
#include <math.h>

int main(void)
{
    volatile double largest = DBL_MAX;
    assert(isinf(largest * 2));
    assert(largest + 1 == largest);
    assert((float)largest == INFINITY);
    assert(isnan(INFINITY - INFINITY));
    assert(isnan(0 * INFINITY));
    return 0;
}
