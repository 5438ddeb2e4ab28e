// kripke: check --interrupt tick --check atomicity
// verdict: violated
// violates: atomicity@14
// prints: read-write-write: a handler writes between the read at

static volatile int count;
void tick(void)
{
    count++;
}
int main(void)
{
    for (;;)
        count--;
}
