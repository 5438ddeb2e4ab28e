// verdict: holds
// An HDLC receiver: bits come one by one, stuffed zeros are taken out, bytes go into a frame.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define FRAME 16

_Bool __VERIFIER_nondet_bool(void);

static uint8_t frame[FRAME];
static uint8_t length, bits, ones, shift;
static bool in_frame;
static uint16_t runs[8]; /* How often so many ones came in a row. */

static void abort_frame(void) {
    in_frame = false;
    length = 0;
    bits = 0;
}

static uint8_t flag(void) {
    /* The flag's first seven bits went into the shift register. */
    uint8_t complete = in_frame && bits == 7 ? length : 0;
    in_frame = true;
    length = 0;
    bits = 0;
    return complete;
}

static void data_bit(bool bit) {
    shift = (uint8_t)(shift >> 1 | (bit ? 0x80 : 0));
    if (++bits < 8)
        return;
    bits = 0;
    if (length == FRAME)
        abort_frame();
    else
        frame[length++] = shift;
}

static uint8_t receive(bool bit) {
    if (bit) {
        if (ones < 7)
            ones++;
        if (ones == 7)
            abort_frame();
        else if (in_frame)
            data_bit(true);
        return 0;
    }
    uint8_t run = ones;
    ones = 0;
    if (runs[run] < UINT16_MAX)
        runs[run]++;
    if (run == 6)
        return flag();
    if (run != 5 && in_frame)
        data_bit(false);
    return 0;
}

int main(void) {
    while (1) {
        uint8_t complete = receive(__VERIFIER_nondet_bool());
        assert(complete <= FRAME);
        assert(in_frame || (length == 0 && bits == 0));
        assert(ones < 7 || !in_frame);
        for (uint8_t i = 0; i < complete; i++)
            frame[i] ^= 0xff;
    }
}
