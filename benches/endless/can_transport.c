// verdict: holds
// ISO 15765-2 over CAN: single, first and consecutive frames are put together into one message.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define MESSAGE 64
#define DATA 8

uint8_t __VERIFIER_nondet_uchar(void);

struct frame {
    uint8_t dlc : 4;
    uint8_t extended : 1;
    uint8_t data[DATA];
};

static uint8_t message[MESSAGE];
static uint16_t expected, got;
static uint8_t sequence;
static bool receiving;

static uint16_t single(const struct frame *frame) {
    uint8_t length = frame->data[0] & 0xf;
    receiving = false;
    if (length == 0 || length >= frame->dlc || frame->dlc > DATA)
        return 0;
    memcpy(message, frame->data + 1, length);
    return length;
}

static void first(const struct frame *frame) {
    uint16_t length = (uint16_t)((frame->data[0] & 0xf) << 8 | frame->data[1]);
    receiving = frame->dlc == DATA && length >= DATA && length <= MESSAGE;
    if (!receiving)
        return;
    memcpy(message, frame->data + 2, DATA - 2);
    got = DATA - 2;
    expected = length;
    sequence = 1;
}

static uint16_t consecutive(const struct frame *frame) {
    if (!receiving || (frame->data[0] & 0xf) != sequence) {
        receiving = false;
        return 0;
    }
    sequence = (sequence + 1) & 0xf;
    uint16_t length = expected - got;
    if (length > DATA - 1)
        length = DATA - 1;
    if (length >= frame->dlc) {
        receiving = false;
        return 0;
    }
    memcpy(message + got, frame->data + 1, length);
    got += length;
    if (got < expected)
        return 0;
    receiving = false;
    return got;
}

int main(void) {
    while (1) {
        struct frame frame;
        frame.dlc = __VERIFIER_nondet_uchar() & 0xf;
        frame.extended = 0;
        for (int i = 0; i < DATA; i++)
            frame.data[i] = __VERIFIER_nondet_uchar();
        uint16_t length = 0;
        switch (frame.data[0] >> 4) {
        case 0: length = single(&frame); break;
        case 1: first(&frame); break;
        case 2: length = consecutive(&frame); break;
        }
        assert(length <= MESSAGE);
        assert(got <= sizeof message);
        assert(sequence <= 15);
    }
}
