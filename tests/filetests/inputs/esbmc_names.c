// kripke: check
// verdict: violated
// violates: assertion@13

int nondet_int(void);
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);

int main(void)
{
    int x = nondet_int();
    __ESBMC_assume(x >= 10);
    __ESBMC_assert(x > 10, "x is above ten");
    return 0;
}
