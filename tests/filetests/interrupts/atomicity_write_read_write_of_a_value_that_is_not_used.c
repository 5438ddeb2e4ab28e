// kripke: check --interrupt tick --check atomicity
// verdict: holds
// The handler cannot tell what it read.

static volatile int level;
void tick(void)
{
    (void)level;
}
int main(void)
{
    level = 0;
    level = 4;
    return 0;
}
