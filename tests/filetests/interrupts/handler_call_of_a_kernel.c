// kripke: check --interrupt tick --check handler-call
// verdict: violated
// violates: tick.handler-call.1
/* Only tasks may wait. */
void vTaskDelay(unsigned ticks);
static volatile int n;
void tick(void)
{
    if (n == 2)
        vTaskDelay(1);
}
int main(void)
{
    n = 2;
    return 0;
}
