// kripke: check --interrupt tick --check atomicity
// verdict: holds

static volatile int ready;
void tick(void)
{
    ready = 1;
}
int main(void)
{
    while (!ready)
        ;
    return 0;
}
