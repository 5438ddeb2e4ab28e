// kripke: check --property main.assertion.7
// verdict: error
// prints: main.assertion.7

#include <assert.h>
int nondet_int(void);

int main(void)
{
    assert(nondet_int());
    return 0;
}
