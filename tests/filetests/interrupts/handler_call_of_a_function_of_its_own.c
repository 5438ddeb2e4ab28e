// kripke: check --interrupt tick --check handler-call
// verdict: holds
/* It has the name of one of the library, but a body of its own. */
static volatile int seed;
int rand(void)
{
    return seed = seed * 5 & 255;
}
void tick(void)
{
    rand();
}
int main(void)
{
    return 0;
}
