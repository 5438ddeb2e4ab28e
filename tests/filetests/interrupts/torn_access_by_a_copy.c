// kripke: check --target avr --interrupt tick --check torn-access
// verdict: violated
// violates: torn-access@15
// prints: between the 4 pieces of this copy, to an object of which one part is copied

#include <stdint.h>
struct point { uint16_t x; uint16_t y; };
static struct point last;
void tick(void)
{
    last.y = 3;
}
int main(void)
{
    struct point seen = last;
    return seen.x + seen.y == 3;
}
