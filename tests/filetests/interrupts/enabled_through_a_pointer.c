// kripke: check --interrupt tick --interrupt-enable unlock --check assertion
// verdict: violated
// violates: assertion@18
/* A driver calls what enables interrupts through a table. */
#include <assert.h>
static volatile int x;
void tick(void)
{
    x = 1;
}
void unlock(void) {}
static const struct {
    void (*enable)(void);
} operations = {unlock};
int main(void)
{
    operations.enable();
    assert(x == 0);
    return 0;
}
