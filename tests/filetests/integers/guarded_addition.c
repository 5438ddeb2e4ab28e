// kripke: check
// verdict: holds

#include <limits.h>
int nondet_int(void);

int main(void)
{
    int a = nondet_int(), b = nondet_int();
    if (a > 0 && b > INT_MAX - a)
        return 0;
    if (a < 0 && b < INT_MIN - a)
        return 0;
    return (a + b) & 1;
}
