// kripke: check --all
// verdict: violated
// violates: assertion@20
// violates: postcondition@18
// violates: precondition@18

#include <assert.h>

// A program goes on where a contract is false: nothing behind it is taken to hold.
int twice(int x) __CPROVER_requires(x < 3)
    __CPROVER_ensures(__CPROVER_return_value < 5)
{
    return 2 * x;
}

int main(void)
{
    int y = twice(6);

    assert(y < 5);
    return y;
}
