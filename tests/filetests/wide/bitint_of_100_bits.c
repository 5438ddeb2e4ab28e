// kripke: check
// verdict: holds

#include <assert.h>
unsigned long long nondet_ulonglong(void);

int main(void)
{
    unsigned _BitInt(100) x = nondet_ulonglong();
    unsigned _BitInt(100) shifted = x << 36;
    assert(shifted >> 36 == x);
    return 0;
}
