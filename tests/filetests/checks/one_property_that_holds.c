// kripke: check --property main.assertion.2
// verdict: holds

#include <assert.h>
int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    assert(x != 1);
    assert(x < 5 || x > 2);
    return 0;
}
