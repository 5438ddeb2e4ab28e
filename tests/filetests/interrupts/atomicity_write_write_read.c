// kripke: check --interrupt tick --check atomicity
// verdict: violated
// violates: atomicity@14
// prints: write-write-read: a handler writes between the write at

static volatile int mode;
void tick(void)
{
    mode = 3;
}
int main(void)
{
    mode = 1;
    return mode;
}
