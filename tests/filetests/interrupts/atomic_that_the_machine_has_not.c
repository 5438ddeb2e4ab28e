// kripke: check --target avr --check assertion
// verdict: unknown
/* A call of libatomic reads and writes memory: nobody may take it for a function without effect. */
#include <assert.h>
#include <stdint.h>
static _Atomic uint16_t x;
int main(void)
{
    x = 5;
    assert(x == 0);
    return 0;
}
