// kripke: check
// verdict: holds

#include <assert.h>

static void copy(char *restrict to, const char *restrict from, int n)
{
    while (n-- > 0)
        *to++ = *from++;
}

int main(void)
{
    char a[4] = "abc", b[4];
    copy(b, a, 4);
    assert(b[0] == 'a' && b[2] == 'c' && b[3] == 0);
    return 0;
}
