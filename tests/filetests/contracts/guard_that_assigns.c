// kripke: check
// verdict: violated
// violates: uninitialised@14

// An invariant holds before the condition is evaluated, also the first time.

int next(void);

int main(void)
{
    int c;

    while ((c = next()) >= 0)
        __CPROVER_loop_invariant(c >= -1)
    {
    }
}
