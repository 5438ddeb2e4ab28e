// kripke: check --interrupt tick --check atomicity
// verdict: holds

static volatile int level, seen;
void tick(void)
{
    seen = level;
}
int main(void)
{
    return level + level;
}
