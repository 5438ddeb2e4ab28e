// verdict: holds
// Letters become large, what else is in a text stays.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

char __VERIFIER_nondet_char(void);
unsigned __VERIFIER_nondet_uint(void);

static char text[1500], large[1500];

int main(void) {
    unsigned length = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
    if (length > sizeof text || at >= length)
        return 0;
    for (unsigned i = 0; i < length; i++)
        text[i] = __VERIFIER_nondet_char();
    for (unsigned i = 0; i < length; i++)
        large[i] = text[i] >= 'a' && text[i] <= 'z' ? (char)(text[i] - 32) : text[i];
    assert(large[at] < 'a' || large[at] > 'z');
}
