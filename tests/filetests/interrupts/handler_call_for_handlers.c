// kripke: check --interrupt tick --check handler-call
// verdict: holds
/* What ends in FromISR is meant for them. */
int portSignalFromISR(void);
int xTaskGetTickCountFromISR(void);
void tick(void)
{
    xTaskGetTickCountFromISR();
    portSignalFromISR();
}
int main(void)
{
    return 0;
}
