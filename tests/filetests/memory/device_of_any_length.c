// kripke: check
// verdict: violated
// violates: assertion@15
//
// A device ends nowhere that is known: a copy of any length from it copies as many inputs.
#include <assert.h>
#include <string.h>
unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned char buffer[4] = {0};
    unsigned n = __VERIFIER_nondet_uint() % 5;
    memcpy(buffer, (void *)0x40001000, n);
    assert(buffer[0] == 0);
    return 0;
}
