// kripke: check
// verdict: violated
// violates: loop-invariant@9

int main(void)
{
    unsigned i = 0;
    while (i < 1000000)
        __CPROVER_loop_invariant(i != 3)
    {
        i++;
    }
}
