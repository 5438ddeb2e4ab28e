// kripke: check --entry steps
// verdict: violated
// violates: precondition@9

unsigned steps(unsigned n)
    __CPROVER_requires(n < 10 && n % 2 == 0)
    __CPROVER_ensures(__CPROVER_return_value <= 5)
{
    return n == 0 ? 0 : n == 6 ? steps(n - 1) : 1 + steps(n - 2);
}
