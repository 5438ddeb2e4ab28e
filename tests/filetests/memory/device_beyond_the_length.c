// kripke: check
// verdict: holds
//
// Bytes past the length are not touched, and a device that is filled has no effect on memory.
#include <assert.h>
#include <string.h>
unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned char buffer[4] = {0};
    unsigned n = __VERIFIER_nondet_uint() % 5;
    memcpy(buffer, (void *)0x40001000, n);
    memset((void *)0x40001000, 1, __VERIFIER_nondet_uint());
    memcpy((void *)0x40001000, buffer, n);
    for (unsigned i = n; i < 4; i++)
        assert(buffer[i] == 0);
    return 0;
}
