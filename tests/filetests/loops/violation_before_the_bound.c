// kripke: check --unwind 4
// verdict: violated
// violates: assertion@12

#include <assert.h>
unsigned nondet_uint(void);

int main(void)
{
    unsigned n = nondet_uint(), i = 0;
    while (i < n) {
        assert(i != 3);
        i++;
    }
    return 0;
}
