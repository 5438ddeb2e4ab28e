// kripke: check --interrupt tick --interrupt-if tick:on --check none
// verdict: holds
// ltl: p: G ({x > 0} -> {on})
/* Formulas see the handlers that come. */
static volatile int on, x;
void tick(void)
{
    x = 1;
}
int main(void)
{
    on = 1;
    for (;;) {
    }
}
