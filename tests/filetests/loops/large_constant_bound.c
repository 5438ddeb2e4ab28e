// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 1000; i++)
        sum += i;
    assert(sum == 499500);
    return 0;
}
