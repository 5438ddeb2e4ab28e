// kripke: check
// verdict: holds

int nondet_int(void);

int main(void)
{
    int value;
    int valid = nondet_int() > 3;
    if (valid)
        value = 5;
    if (valid)
        return value;
    return 0;
}
