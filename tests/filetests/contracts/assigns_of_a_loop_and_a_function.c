// kripke: check
// verdict: holds
// prints: __CPROVER_assigns is neither checked nor used
// Clang refuses the attribute in a loop: then no clause of the file is one of a function.

#include <assert.h>

static int sum;

static void add(int by) __CPROVER_assigns() { sum += by; }

int main(void)
{
    int i = 0;
    while (i < 100000)
        __CPROVER_assigns(i)
        __CPROVER_loop_invariant(i <= 100000)
    {
        i++;
    }
    add(3);
    assert(i == 100000);
}
