// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>
_Bool nondet_bool(void);

int main(void)
{
    uint8_t history = 0;
    _Bool stable = 0;
    for (;;) {
        history = (uint8_t)(history << 1 | nondet_bool());
        if (history == 0xff)
            stable = 1;
        else if (history == 0)
            stable = 0;
        if (history == 0xff)
            assert(stable);
        if (history == 0)
            assert(!stable);
    }
}
