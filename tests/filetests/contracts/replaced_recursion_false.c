// kripke: check --replace-calls sum
// verdict: violated
// violates: postcondition@8

#include <assert.h>
static unsigned sum(unsigned count, unsigned step)
    __CPROVER_requires(step <= 8)
    __CPROVER_ensures(__CPROVER_return_value % 2 == 0)
{
    return count == 0 ? 0 : step + sum(count - 1, step);
}

int main(void)
{
    assert(sum(100000, 3) % 2 == 0);
}
