// kripke: check
// verdict: error
// exit: 3
// prints: belongs_to_no_loop.c:10:9: this `__ESBMC_loop_invariant` belongs to no loop

int main(void)
{
    int i;
    if (main)
        __ESBMC_loop_invariant(i <= 5);
    for (i = 0; i < 5; i++) { }
}
