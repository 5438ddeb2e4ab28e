// kripke: check --target thumbv7m-none-eabi --interrupt tick --check torn-access
// verdict: holds

#include <stdint.h>
struct point { uint32_t x; uint32_t y; };
static struct point last;
void tick(void)
{
    last.y = 3;
    last.x = 2;
}
int main(void)
{
    struct point seen = last;
    return seen.x + seen.y == 3;
}
