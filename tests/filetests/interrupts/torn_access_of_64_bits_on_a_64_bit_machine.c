// kripke: check --interrupt tick --check torn-access
// verdict: holds

#include <stdint.h>
static volatile uint64_t time;
void tick(void)
{
    time++;
}
int main(void)
{
    return time == 4;
}
