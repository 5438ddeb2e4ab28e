// verdict: holds
// The digits of a text of any length, one after the other.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

char __VERIFIER_nondet_char(void);
unsigned __VERIFIER_nondet_uint(void);

static char text[1500], digits[1500];

int main(void) {
    unsigned length = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint(), kept = 0;
    if (length > sizeof text)
        return 0;
    for (unsigned i = 0; i < length; i++)
        text[i] = __VERIFIER_nondet_char();
    for (unsigned i = 0; i < length; i++)
        if (text[i] >= '0' && text[i] <= '9')
            digits[kept++] = text[i];
    if (at < kept)
        assert(digits[at] >= '0' && digits[at] <= '9');
}
