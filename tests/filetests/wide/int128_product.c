// kripke: check
// verdict: holds

#include <assert.h>
unsigned long long nondet_ulonglong(void);

int main(void)
{
    unsigned long long a = nondet_ulonglong();
    unsigned __int128 doubled = (unsigned __int128)a * 2;
    assert((unsigned long long)doubled == a << 1);
    assert((unsigned long long)(doubled >> 64) == a >> 63);
    return 0;
}
