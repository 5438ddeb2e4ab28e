// kripke: check
// verdict: violated
// violates: unreachable@17

int nondet_int(void);

static int decode(int x)
{
    switch (x & 3) {
    case 0:
        return 10;
    case 1:
        return 20;
    case 2:
        return 30;
    }
    __builtin_unreachable();
}

int main(void)
{
    return decode(nondet_int());
}
