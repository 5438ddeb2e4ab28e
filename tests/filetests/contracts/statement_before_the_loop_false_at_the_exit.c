// kripke: check
// verdict: violated
// violates: loop-invariant@8

int main(void)
{
    int i;
    __ESBMC_loop_invariant(i < 5 || i < 0);
    for (i = 0; i < 5; i++) { }
}
