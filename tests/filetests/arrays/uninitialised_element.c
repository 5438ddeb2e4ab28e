// kripke: check
// verdict: violated
// violates: uninitialised@11

unsigned nondet_uint(void);

int main(void)
{
    int a[4];
    a[0] = a[1] = a[3] = 1;
    return a[nondet_uint() % 4];
}
