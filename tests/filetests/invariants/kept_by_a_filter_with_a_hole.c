// kripke: check
// verdict: violated
// violates: assertion@22
// As kept_by_a_filter.c, but a colon is taken for a digit.
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
    unsigned count = 0;
    for (unsigned i = 0; i < length; i++)
        if (text[i] >= '0' && text[i] <= '9' + 1)
            digits[count++] = text[i];
    if (at < count)
        __VERIFIER_assert(digits[at] >= '0' && digits[at] <= '9');
}
