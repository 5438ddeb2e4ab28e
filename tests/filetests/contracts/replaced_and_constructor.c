// kripke: check --replace-calls level
// verdict: violated
// violates: postcondition@15
// What a constructor sets the program may have changed when the function is called.

#include <assert.h>

static int start;

__attribute__((constructor)) static void begin(void)
{
    start = 5;
}

static int level(void) __CPROVER_ensures(__CPROVER_return_value == 5)
{
    return start;
}

int main(void)
{
    start = 7;
    assert(level() == 5);
}
