// kripke: check
// verdict: violated
// violates: assertion@11

#include <assert.h>
double nondet_double(void);

int main(void)
{
    double x = nondet_double();
    assert(x == x);
    return 0;
}
