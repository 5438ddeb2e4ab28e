// kripke: check
// verdict: violated
// violates: loop-invariant@12

int main(void)
{
    unsigned cells = 0;
    for (unsigned row = 0; row < 3; row++)
        __CPROVER_loop_invariant(cells == 2 * row)
    {
        for (unsigned column = 0; column < 2; column++)
            __CPROVER_loop_invariant(cells == row + column)
        {
            cells++;
        }
    }
}
