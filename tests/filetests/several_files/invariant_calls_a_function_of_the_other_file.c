// kripke: check parts/endless_digit.c
// verdict: error
// exit: 3
// prints: this `__CPROVER_loop_invariant` calls `isdigit`, which parts/endless_digit.c defines

#include <assert.h>
int isdigit(int);
int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    for (int i = 0; i < 3; i++)
        __CPROVER_loop_invariant(isdigit(x))
    {
    }
    assert(x == 1);
    return 0;
}
