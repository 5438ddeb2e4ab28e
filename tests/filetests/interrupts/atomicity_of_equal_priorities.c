// kripke: check --interrupt low:1 --interrupt high:1 --check atomicity
// verdict: holds

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
