// kripke: check
// verdict: error
// exit: 3
// prints: side_effect.c:13:9: this `__CPROVER_loop_invariant` has a side effect: it writes to an object

int calls;

int main(void)
{
    int i = 0;

    while (i < 10)
        __CPROVER_loop_invariant(++calls)
    {
        i++;
    }
}
