// kripke: check --interrupt tick --check atomicity --interrupt-bound 1
// verdict: violated
// violates: atomicity@14
// What was counted in between is lost.

static volatile unsigned events, total;
void tick(void)
{
    events++;
}
int main(void)
{
    unsigned new = events;
    events = 0;
    total += new;
    return 0;
}
