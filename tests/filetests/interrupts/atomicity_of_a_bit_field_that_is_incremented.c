// kripke: check --interrupt tick --check atomicity --all
// verdict: violated
// violates: atomicity@16
// violates: atomicity@17
// prints: write-write-read
// prints: read-write-write

// The unit of the bit-field is read to keep what is beside it, and then the write of the handler is lost.
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
