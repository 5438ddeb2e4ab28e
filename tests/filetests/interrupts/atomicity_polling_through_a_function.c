// kripke: check --interrupt tick --check atomicity
// verdict: holds

static volatile int ready;
void tick(void)
{
    ready = 1;
}
static int is_ready(void)
{
    return ready;
}
int main(void)
{
    while (!is_ready())
        ;
    return 0;
}
