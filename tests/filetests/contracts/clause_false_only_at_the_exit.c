// kripke: check
// verdict: violated
// violates: loop-invariant@9

int main(void)
{
    int i = 0;
    while (i < 10)
        __CPROVER_loop_invariant(0 <= i && i < 10)
    {
        i++;
    }
}
