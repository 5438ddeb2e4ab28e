// kripke: check
// verdict: holds

#include <assert.h>
#include <string.h>
unsigned char nondet_uchar(void);

int main(void)
{
    unsigned char a[8], b[8];
    unsigned char fill = nondet_uchar();
    memset(a, fill, sizeof a);
    memcpy(b, a, sizeof b);
    assert(memcmp(a, b, 8) == 0);
    b[5]++;
    assert(memcmp(a, b, 8) != 0 && memcmp(a, b, 5) == 0);
    assert(memchr(b, b[5], 8) == b + 5);
    memmove(b + 1, b, 7);
    assert(b[6] == (unsigned char)(fill + 1));
    return 0;
}
