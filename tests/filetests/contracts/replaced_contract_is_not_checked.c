// kripke: check --replace-calls half --check -postcondition
// verdict: holds
// prints: calls of `half` do what its contract says

#include <assert.h>

static int half(int number)
    __CPROVER_ensures(2 * __CPROVER_return_value == number)
{
    return number / 2;
}

int main(void)
{
    assert(2 * half(3) == 3);
}
