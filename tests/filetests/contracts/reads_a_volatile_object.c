// kripke: check
// verdict: error
// exit: 3
// prints: `__CPROVER_loop_invariant` has a side effect: it reads a volatile object

volatile int state;

int main(void)
{
    int i = 0;
    while (i < 10)
        __CPROVER_loop_invariant(state == 3)
    {
        i++;
    }
}
