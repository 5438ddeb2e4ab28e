// kripke: check --timeout 10s --max-unwind 8
// verdict: unknown
// The counter overflows after two thousand million iterations: far beyond the bound, and no induction holds.

int nondet_int(void);

int main(void)
{
    int uptime = 0;
    while (nondet_int())
        uptime++;
    return uptime > 0;
}
