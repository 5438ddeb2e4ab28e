// kripke: check --replace-calls all
// verdict: violated
// violates: assertion@18
// What is assigned and not ensured has any value behind the call.

#include <assert.h>

static unsigned calls;

static void count(void) __CPROVER_assigns(calls)
{
    calls++;
}

int main(void)
{
    count();
    assert(calls == 1);
}
