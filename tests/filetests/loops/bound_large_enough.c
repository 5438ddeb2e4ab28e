// kripke: check --unwind 11
// verdict: holds

#include <assert.h>

int main(void)
{
    unsigned n = 0;
    while (n < 10)
        n++;
    assert(n == 10);
    return 0;
}
