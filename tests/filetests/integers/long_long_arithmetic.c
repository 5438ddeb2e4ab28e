// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>
signed char nondet_schar(void);

int main(void)
{
    int64_t a = nondet_schar(), b = nondet_schar();
    int64_t square = (a + b) * (a - b);
    assert(square == a * a - b * b);
    return 0;
}
