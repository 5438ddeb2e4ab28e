// kripke: check
// verdict: holds
// Linear equations: what is sent is what was queued and is not waiting.

#include <assert.h>
_Bool nondet_bool(void);
unsigned queued, sent, waiting;

int main(void)
{
    for (;;) {
        if (nondet_bool() && waiting < 5) {
            queued++;
            waiting++;
        } else if (waiting > 0) {
            waiting--;
            sent++;
        }
        assert(queued - sent == waiting);
        assert(queued - sent <= 5);
    }
}
