// kripke: check
// verdict: violated
// violates: overflow@9

unsigned nondet_uint(void);

static int power(int base, unsigned n)
{
    return n == 0 ? 1 : base * power(base, n - 1);
}

int main(void)
{
    return power(7, nondet_uint() % 13) != 0;
}
