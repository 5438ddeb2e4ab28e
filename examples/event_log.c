/* Keeps the last eight events, in slots that are used round and round. */
#include <stdint.h>

#define SLOTS 8

uint8_t __VERIFIER_nondet_uchar(void);

static uint8_t log_of_events[SLOTS];
static uint8_t slot;

int main(void)
{
    for (;;) {
        uint8_t event = __VERIFIER_nondet_uchar();
        if (event != 0) {
            log_of_events[slot] = event;
            if (++slot == SLOTS)
                slot = 0;
        }
    }
}
