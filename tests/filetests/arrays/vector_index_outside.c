// kripke: check
// verdict: violated
// violates: bounds@15

#include <assert.h>

typedef int four __attribute__((vector_size(16)));

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    four zeros = {0, 0, 0, 0};
    int at = __VERIFIER_nondet_int();
    assert(zeros[at] == 0);
    return 0;
}
