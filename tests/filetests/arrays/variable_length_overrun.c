// kripke: check
// verdict: violated
// violates: bounds@11

unsigned nondet_uint(void);

int main(void)
{
    unsigned n = nondet_uint() % 5 + 1;
    char a[n];
    a[n] = 0;
    return 0;
}
