// kripke: check
// verdict: error
// exit: 3
// prints: this contract of `next` has a side effect: it writes to an object

int next(int by) __CPROVER_requires((*(int *)&by = 0) == 0) { return by; }

int main(void)
{
    return next(1);
}
