// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    int total = 0;
    for (int i = 0; i < 1000; i++)
        __CPROVER_loop_invariant(0 <= i && i <= 1000 && total == i)
    {
        int first = 1;
        while (first == 1)
            __CPROVER_loop_invariant(i < 1000 && total == i)
        {
            total++;
            break;
        }
    }
    assert(total == 1000);
}
