// kripke: check parts/endless_digit.c
// verdict: error
// exit: 3
// prints: this contract of `f` calls `isdigit`, which parts/endless_digit.c defines

#include <assert.h>
int isdigit(int);
int nondet_int(void);

int f(int x) __CPROVER_requires(isdigit(x)) { return x; }

int main(void)
{
    int x = nondet_int();
    f(x);
    assert(x == 1);
    return 0;
}
