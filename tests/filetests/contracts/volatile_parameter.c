// kripke: check
// verdict: violated
// violates: precondition@9

int once(volatile int x) __CPROVER_requires(x < 4) { return x; }

int main(void)
{
    return once(3) + once(4);
}
