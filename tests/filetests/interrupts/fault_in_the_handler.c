// kripke: check --interrupt tick
// verdict: violated
// violates: bounds@9
/* Nothing that main does afterwards depends on the handler. */
int table[4];
static int at;
void tick(void)
{
    table[at] = 1;
}
int main(void)
{
    at = 4;
    for (;;)
        ;
}
