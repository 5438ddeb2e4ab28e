// kripke: check --interrupt tick --check atomicity
// verdict: violated
// violates: atomicity@16

static volatile int count;
void tick(void)
{
    count = 0;
}
static int get(void)
{
    return count;
}
static void set(int value)
{
    count = value;
}
int main(void)
{
    set(get() + 1);
    return 0;
}
