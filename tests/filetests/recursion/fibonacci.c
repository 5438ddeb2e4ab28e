// kripke: check
// verdict: holds

#include <assert.h>

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    assert(fibonacci(10) == 55);
    return 0;
}
