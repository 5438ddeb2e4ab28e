// verdict: holds
// SLIP (RFC 1055) byte by byte: frames are unescaped into a buffer, too long ones are dropped.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define END 0xC0
#define ESC 0xDB
#define ESC_END 0xDC
#define ESC_ESC 0xDD
#define MTU 24

uint8_t __VERIFIER_nondet_uchar(void);

static struct {
    uint8_t frame[MTU];
    uint8_t *write;
    bool escaped, dropping;
} slip = {.write = slip.frame};

static uint16_t frames, errors;

static void restart(void) {
    slip.write = slip.frame;
    slip.escaped = false;
    slip.dropping = false;
}

static void store(uint8_t byte) {
    if (slip.write == slip.frame + MTU) {
        slip.dropping = true;
        errors++;
    } else {
        *slip.write++ = byte;
    }
}

static int receive(uint8_t byte) {
    if (byte == END) {
        int length = slip.dropping ? 0 : (int)(slip.write - slip.frame);
        restart();
        return length;
    }
    if (slip.dropping)
        return 0;
    if (slip.escaped) {
        slip.escaped = false;
        if (byte == ESC_END)
            store(END);
        else if (byte == ESC_ESC)
            store(ESC);
        else
            slip.dropping = true;
    } else if (byte == ESC) {
        slip.escaped = true;
    } else {
        store(byte);
    }
    return 0;
}

int main(void) {
    while (1) {
        int length = receive(__VERIFIER_nondet_uchar());
        if (length > 0)
            frames++;
        assert(length >= 0 && length <= MTU);
        assert(!(slip.dropping && slip.escaped));
        assert(length == 0 || slip.write == slip.frame);
    }
}
