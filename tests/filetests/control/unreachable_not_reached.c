// kripke: check
// verdict: holds

int nondet_int(void);

static int decode(int x)
{
    switch (x & 1) {
    case 0:
        return 10;
    case 1:
        return 20;
    }
    __builtin_unreachable();
}

int main(void)
{
    return decode(nondet_int());
}
