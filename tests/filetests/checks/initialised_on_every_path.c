// kripke: check
// verdict: holds

int nondet_int(void);

int main(void)
{
    int result;
    switch (nondet_int()) {
    case 1:
        result = 10;
        break;
    default:
        result = 20;
    }
    return result;
}
