// kripke: check --interrupt tick --check atomicity
// verdict: violated
// violates: atomicity@13
// prints: read-write-write

static volatile struct { unsigned first : 3, second : 5; } flags;
void tick(void)
{
    flags.second = 3;
}
int main(void)
{
    flags.first = 1;
    return 0;
}
