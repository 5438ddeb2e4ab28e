// kripke: check --unwind 7
// verdict: holds

#include <assert.h>
_Bool nondet_bool(void);

enum state { IDLE, STARTING, RUNNING, STOPPING };

int main(void)
{
    enum state s = IDLE;
    int started = 0, stopped = 0;
    for (int i = 0; i < 6; i++) {
        _Bool event = nondet_bool();
        switch (s) {
        case IDLE:
            if (event)
                s = STARTING;
            break;
        case STARTING:
            s = RUNNING;
            started++;
            break;
        case RUNNING:
            if (event)
                s = STOPPING;
            break;
        case STOPPING:
            s = IDLE;
            stopped++;
            break;
        }
        assert(started - stopped == (s == RUNNING || s == STOPPING));
    }
    return 0;
}
