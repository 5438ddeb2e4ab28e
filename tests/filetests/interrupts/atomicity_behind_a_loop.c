// kripke: check --interrupt tick --check atomicity
// verdict: violated
// violates: atomicity@16
// A loop in between is no end of a pass of a loop that has the first access.

static volatile int count, delay;
void tick(void)
{
    count = 0;
}
int main(void)
{
    int seen = count;
    for (int i = 0; i < 3; i++)
        delay = i;
    count = seen + 1;
    return 0;
}
