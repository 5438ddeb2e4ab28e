// kripke: check --entry sum
// verdict: violated
// violates: overflow@8

int sum(int a, int b)
    __CPROVER_requires(a >= 0)
    // The sum in the condition overflows before anything says that it does not.
    __CPROVER_requires(a + b < 100)
{
    return a + b;
}
