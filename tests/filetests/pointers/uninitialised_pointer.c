// kripke: check
// verdict: violated
// violates: uninitialised@13

int nondet_int(void);

int main(void)
{
    int x = 1;
    int *p;
    if (nondet_int())
        p = &x;
    return *p;
}
