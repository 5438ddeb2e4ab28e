// kripke: check
// verdict: holds

int nondet_int(void);
void __CPROVER_assume(int);
void __CPROVER_assert(int, const char *);

int main(void)
{
    int x = nondet_int();
    __CPROVER_assume(x >= 10);
    __CPROVER_assert(x >= 10, "at least ten");
    return 0;
}
