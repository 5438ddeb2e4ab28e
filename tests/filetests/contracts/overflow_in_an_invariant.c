// kripke: check
// verdict: violated
// violates: overflow@11

#include <limits.h>

int main(void)
{
    int i = INT_MAX - 3;
    while (i < INT_MAX)
        __CPROVER_loop_invariant(i + 1 != 0)
    {
        i++;
    }
}
