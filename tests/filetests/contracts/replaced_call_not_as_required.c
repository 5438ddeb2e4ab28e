// kripke: check --replace-calls half
// verdict: violated
// violates: precondition@16

#include <assert.h>

static int half(int even)
    __CPROVER_requires(even % 2 == 0)
    __CPROVER_ensures(2 * __CPROVER_return_value == even)
{
    return even / 2;
}

int main(void)
{
    assert(2 * half(3) == 3);
}
