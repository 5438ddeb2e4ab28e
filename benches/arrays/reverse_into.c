// verdict: holds
// An array of any length is written backwards into another.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

unsigned __VERIFIER_nondet_uint(void);

static uint32_t from[800], to[800];

int main(void) {
    unsigned count = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
    if (count > 800 || at >= count)
        return 0;
    for (unsigned i = 0; i < count; i++)
        from[i] = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < count; i++)
        to[count - 1 - i] = from[i];
    assert(to[at] == from[count - 1 - at]);
}
