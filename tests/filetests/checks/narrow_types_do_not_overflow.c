// kripke: check
// verdict: holds

#include <assert.h>
signed char nondet_schar(void);

int main(void)
{
    signed char c = nondet_schar();
    c++;
    c = c * 2;
    short s = 32767;
    s += 1;
    assert(s == -32768);
    return 0;
}
