// kripke: check --replace-calls all
// verdict: unknown
// prints: a contract in the place of a call of `stop`, which does not return

#include <assert.h>

_Noreturn static void stop(void) __CPROVER_assigns()
{
    for (;;) {
    }
}

int main(void)
{
    stop();
}
