// kripke: check
// verdict: holds

#include <assert.h>

unsigned fill(unsigned depth)
{
    unsigned done = 0;
    while (done < 100000)
        __CPROVER_loop_invariant(done <= 100000)
    {
        done++;
    }
    return depth == 0 ? done : fill(depth - 1);
}

int main(void)
{
    assert(fill(3) == 100000);
}
