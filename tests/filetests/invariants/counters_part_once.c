// kripke: check
// verdict: violated
// violates: assertion@19
// The equation holds until an error is counted twice, in the third iteration at the earliest.

#include <assert.h>
_Bool nondet_bool(void);
unsigned queued, sent, errors;

int main(void)
{
    for (;;) {
        if (nondet_bool())
            queued++;
        else if (queued - sent - errors > 0 && nondet_bool())
            sent++;
        else if (queued - sent - errors > 1)
            errors += 2 + (errors == 0);
        assert(sent + errors <= queued);
    }
}
