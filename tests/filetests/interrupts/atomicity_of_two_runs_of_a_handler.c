// kripke: check --interrupt low:1 --interrupt high:2 --check atomicity
// verdict: holds
// Accesses of two runs are no pair.

static volatile int count;
void low(void)
{
    count = 1;
}
void high(void)
{
    count = 0;
}
int main(void)
{
    return 0;
}
