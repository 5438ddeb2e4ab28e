// kripke: check --interrupt tick --check atomicity
// verdict: holds
// The handler reads what it wrote: it could as well have come before.

static volatile int level, seen;
void tick(void)
{
    level = 7;
    seen = level;
}
int main(void)
{
    level = 0;
    level = 4;
    return 0;
}
