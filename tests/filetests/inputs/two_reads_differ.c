// kripke: check
// verdict: violated
// violates: assertion@10

#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void)
{
    assert(__VERIFIER_nondet_int() == __VERIFIER_nondet_int());
    return 0;
}
