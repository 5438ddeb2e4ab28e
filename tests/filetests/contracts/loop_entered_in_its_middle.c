// kripke: check
// verdict: error
// exit: 3
// prints: stands in a loop that is entered elsewhere than at its head

int main(int argc, char **argv)
{
    unsigned i = 0;
    if (argc > 1) {
        i = 20;
        goto inside;
    }
    while (i < 10)
        __CPROVER_loop_invariant(i <= 10)
    {
inside:
        i++;
    }
}
