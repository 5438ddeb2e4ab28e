// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    int n = 0;
again:
    n += 3;
    if (n < 10)
        goto again;
    assert(n == 12);
    return 0;
}
