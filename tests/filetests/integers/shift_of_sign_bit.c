// kripke: check
// verdict: violated
// violates: shift@8

int main(void)
{
    volatile int n = 31;
    return (2 << n) != 0;
}
