// kripke: check
// verdict: holds

#include <assert.h>
_Bool nondet_bool(void);

int main(void)
{
    _Bool led = 0, previous;
    for (;;) {
        previous = led;
        if (nondet_bool())
            led = !led;
        assert(led == 0 || led == 1);
        assert(led == previous || led != previous);
    }
}
