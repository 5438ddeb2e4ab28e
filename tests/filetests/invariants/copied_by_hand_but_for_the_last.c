// kripke: check
// verdict: violated
// violates: assertion@24
// As copied_by_hand.c, but where the length is odd the last byte is left out.
#include <stddef.h>
size_t __VERIFIER_nondet_size_t(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assert(int);

static unsigned char from[1000], to[1000];

static void copy(unsigned char *target, const unsigned char *source, size_t left) {
    while (left--)
        *target++ = *source++;
}

int main(void) {
    size_t length = __VERIFIER_nondet_size_t(), at = __VERIFIER_nondet_size_t();
    if (length > sizeof from || at >= sizeof from)
        return 0;
    for (size_t i = 0; i < length; i++)
        from[i] = __VERIFIER_nondet_uchar();
    copy(to, from, length & ~(size_t)1);
    __VERIFIER_assert(to[at] == (at < length ? from[at] : 0));
}
