// kripke: check --replace-calls first
// verdict: violated
// violates: postcondition@10
// Objects without a name change, too.

#include <assert.h>

static int *values = (int[]){1, 2};

static int first(void) __CPROVER_ensures(__CPROVER_return_value == 1)
{
    return values[0];
}

int main(void)
{
    values[0] = 9;
    assert(first() == 1);
}
