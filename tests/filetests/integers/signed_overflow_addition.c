// kripke: check
// verdict: violated
// violates: overflow@11

int nondet_int(void);

int main(void)
{
    int a = nondet_int(), b = nondet_int();
    if (a > 0 && b > 0)
        return a + b;
    return 0;
}
