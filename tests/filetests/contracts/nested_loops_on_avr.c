// kripke: check --target avr
// verdict: holds

#include <assert.h>

int main(void)
{
    unsigned cells = 0;
    for (unsigned row = 0; row < 300; row++)
        __CPROVER_loop_invariant(row <= 300)
        __CPROVER_loop_invariant(cells == 200 * row)
    {
        for (unsigned column = 0; column < 200; column++)
            __CPROVER_assigns(column, cells)
            __CPROVER_loop_invariant(column <= 200 && row < 300 && cells == 200 * row + column)
        {
            cells++;
        }
    }
    assert(cells == 60000);
}
