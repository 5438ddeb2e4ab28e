// kripke: check
// verdict: holds

// No object lies so close to the end of the address space that this wraps around.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static int decode(const unsigned char *src, const unsigned char *end)
{
    int groups = 0;
    while (src + 3 < end) {
        groups += src[0] & src[3];
        src += 4;
    }
    return groups;
}
int main(void)
{
    unsigned char text[3];
    for (int i = 0; i < 3; i++)
        text[i] = __VERIFIER_nondet_uchar();
    assert(decode(text, text + 2) == 0);
    return 0;
}
