// kripke: check --interrupt tick --check atomicity
// verdict: holds
// prints: is benign

static volatile int limit;
void tick(void)
{
    limit = 3;
}
int main(void)
{
    int now = limit;
    now = limit;
    return now;
}
