// kripke: check --timeout 1s --check assertion
// verdict: unknown
// True, but no solver multiplies 64-bit numbers in a second.

#include <assert.h>
#include <stdint.h>
int nondet_int(void);

int main(void)
{
    int64_t a = nondet_int(), b = nondet_int(), c = nondet_int();
    assert((a + b) * (a - b) * c + b * b * c == a * (a * c));
    return 0;
}
