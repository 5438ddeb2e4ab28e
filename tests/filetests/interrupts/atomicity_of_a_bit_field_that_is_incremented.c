// kripke: check --interrupt tick --check atomicity --all
// verdict: violated
// violates: atomicity@15
// prints: write-write-read
// prints: read-write-write

static volatile struct { unsigned first : 3, second : 5; } flags;
void tick(void)
{
    flags.first = 3;
}
int main(void)
{
    flags.first = 1;
    flags.first++;
    return 0;
}
