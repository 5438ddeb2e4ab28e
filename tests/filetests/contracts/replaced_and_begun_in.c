// kripke: check --replace-calls above --entry above
// verdict: holds
// prints: `above` is called as its contract requires
// Nobody checks what the function requires that the program begins in.

#include <assert.h>

static int above(int value)
    __CPROVER_requires(value > 3)
    __CPROVER_ensures(__CPROVER_return_value > 3)
{
    assert(value > 3);
    return value;
}

int main(void)
{
    return above(1);
}
