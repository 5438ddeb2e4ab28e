// kripke: check
// verdict: violated
// violates: vla-bound@12

int nondet_int(void);

int main(void)
{
    int n = nondet_int();
    if (n > 4)
        return 0;
    char a[n];
    a[0] = 1;
    return a[0];
}
