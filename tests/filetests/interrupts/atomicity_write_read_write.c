// kripke: check --interrupt tick --check atomicity
// verdict: violated
// violates: atomicity@14
// prints: write-read-write: a handler reads between the write at

static volatile int level, seen;
void tick(void)
{
    seen = level;
}
int main(void)
{
    level = 0;
    level = 4;
    return 0;
}
