// kripke: check
// verdict: holds

int nondet_int(void);

int main(void)
{
    int total = 100;
    int count = nondet_int();
    if (count <= 0)
        return 1;
    return total / count;
}
