// kripke: check
// verdict: violated
// violates: uninitialised@15

int nondet_int(void);

int main(void)
{
    int result;
    int mode = nondet_int();
    if (mode == 1)
        result = 10;
    else if (mode == 2)
        result = 20;
    return result;
}
