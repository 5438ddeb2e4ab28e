// kripke: check --replace-calls half --all
// verdict: violated
// violates: postcondition@8
// prints: it holds with the contract of half in the place of its calls, which is not proved

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
