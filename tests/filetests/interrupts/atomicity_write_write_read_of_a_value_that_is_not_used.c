// kripke: check --interrupt tick --check atomicity
// verdict: holds
// prints: is benign

static volatile int mode;
void tick(void)
{
    mode = 3;
}
int main(void)
{
    mode = 1;
    (void)mode;
    return 0;
}
