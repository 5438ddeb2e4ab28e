// kripke: check --target thumbv7m-none-eabi --interrupt tick --check torn-access
// verdict: holds

#include <stdint.h>
static uint32_t time;
void tick(void)
{
    __atomic_fetch_add(&time, 1, __ATOMIC_SEQ_CST);
}
int main(void)
{
    return __atomic_load_n(&time, __ATOMIC_SEQ_CST) == 4;
}
