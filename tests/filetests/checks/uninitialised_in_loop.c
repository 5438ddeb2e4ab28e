// kripke: check
// verdict: violated
// violates: uninitialised@13

unsigned nondet_uint(void);

int main(void)
{
    int last;
    unsigned n = nondet_uint() % 4;
    for (unsigned i = 0; i < n; i++)
        last = (int)i;
    return last;
}
