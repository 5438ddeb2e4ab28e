// kripke: check --interrupt tick --check atomicity
// verdict: violated
// violates: atomicity@14
// prints: read-write-read: a handler writes between the read at

static volatile int limit;
void tick(void)
{
    limit = 3;
}
int main(void)
{
    if (limit > 0)
        return 100 / limit;
    return 0;
}
