// kripke: check
// verdict: holds
// How far a loader is follows from its state, the length of a block, and whether one was refused.

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
unsigned char nondet_uchar(void);
enum state { IDLE, LENGTH, DATA, CHECK };
static enum state state;
static uint8_t expected, taken, errors;
static bool refused, last;
static uint8_t block[32];

int main(void)
{
    for (;;) {
        uint8_t byte = nondet_uchar();
        switch (state) {
        case IDLE:
            if (byte == 0x55) { state = LENGTH; last = false; }
            if (byte == 0x56) { state = LENGTH; last = true; }
            break;
        case LENGTH:
            refused = byte > 32 || (last && byte > 8);
            expected = refused ? 0 : byte;
            taken = 0;
            state = expected ? DATA : CHECK;
            break;
        case DATA:
            block[taken++] = byte;
            if (taken == expected) state = CHECK;
            break;
        case CHECK:
            assert(refused || taken == expected);
            assert(!last || refused || taken <= 8);
            if (refused) errors = errors < 3 ? errors + 1 : 3;
            state = IDLE;
            break;
        }
    }
}
