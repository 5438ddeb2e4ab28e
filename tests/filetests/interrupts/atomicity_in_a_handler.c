// kripke: check --interrupt low:1 --interrupt high:2 --check atomicity
// verdict: violated
// violates: atomicity@8

static volatile int count;
void low(void)
{
    count++;
}
void high(void)
{
    count = 0;
}
int main(void)
{
    return 0;
}
