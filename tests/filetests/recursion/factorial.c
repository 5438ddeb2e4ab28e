// kripke: check
// verdict: holds

#include <assert.h>

static unsigned factorial(unsigned n)
{
    return n <= 1 ? 1 : n * factorial(n - 1);
}

int main(void)
{
    assert(factorial(10) == 3628800);
    return 0;
}
