// kripke: check --interrupt tick --check atomicity
// verdict: holds
// The handler comes before or after.

static volatile int level, seen;
void tick(void)
{
    seen = level;
}
int main(void)
{
    level++;
    return 0;
}
