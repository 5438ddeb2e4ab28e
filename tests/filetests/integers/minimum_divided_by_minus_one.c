// kripke: check
// verdict: violated
// violates: division-by-zero@12

int nondet_int(void);

int main(void)
{
    int a = nondet_int();
    int b = nondet_int();
    if (b == -1)
        return a / b > 0;
    return 0;
}
