// kripke: check --check none
// verdict: holds

int nondet_int(void);

int main(void)
{
    return 1 / nondet_int();
}
