// kripke: check --only-invariants
// verdict: holds
// What a filter keeps is what it looks for, all of it was written, and a scan ends where it should.
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
char __VERIFIER_nondet_char(void);
void __VERIFIER_assert(int);

static char text[400], digits[400];

int main(void) {
    unsigned length = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
    if (length >= sizeof text)
        return 0;
    for (unsigned i = 0; i < length; i++)
        text[i] = __VERIFIER_nondet_char();
    text[length] = 0;
    unsigned end = 0, count = 0;
    while (text[end])
        end++;
    __VERIFIER_assert(end <= length);
    for (unsigned i = 0; i < end; i++)
        if (text[i] >= '0' && text[i] <= '9')
            digits[count++] = text[i];
    if (at < count)
        __VERIFIER_assert(digits[at] >= '0' && digits[at] <= '9');
}
