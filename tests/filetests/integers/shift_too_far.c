// kripke: check
// verdict: violated
// violates: shift@12

int nondet_int(void);

int main(void)
{
    int n = nondet_int();
    if (n < 0)
        return 0;
    return (int)(1u << n);
}
