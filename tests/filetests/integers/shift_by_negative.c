// kripke: check
// verdict: violated
// violates: shift@8

int main(void)
{
    volatile int n = -1;
    return 1 >> n;
}
