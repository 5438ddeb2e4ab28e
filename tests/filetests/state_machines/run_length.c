// kripke: check
// verdict: holds

// What a state machine packs, another one unpacks. Where the last occurrence of a byte was stands in a table.
#include <assert.h>
#include <stdint.h>
#include <string.h>

#define BYTES 3
#ifndef TOO_FAR
#define TOO_FAR(distance) 0
#endif
uint8_t nondet_uchar(void);

enum state { SEARCH, LITERAL, DISTANCE, DONE };

static struct {
    enum state state;
    uint8_t position, match;
    uint8_t buffer[128 + BYTES];
    int16_t before[128 + BYTES];
} packer;

static void index_bytes(void)
{
    int16_t last[256];
    memset(last, 0xff, sizeof last);
    for (int i = 0; i < 128 + BYTES; i++) {
        uint8_t byte = packer.buffer[i];
        packer.before[i] = last[byte];
        last[byte] = (int16_t)i;
    }
}

static int pack(const uint8_t *in, uint8_t *out)
{
    int length = 0;
    memset(&packer, 0, sizeof packer);
    memcpy(packer.buffer + 128, in, BYTES);
    index_bytes();
    for (;;) {
        switch (packer.state) {
        case SEARCH:
            if (packer.position == BYTES) {
                packer.state = DONE;
                break;
            }
            packer.match = 0;
            if (packer.before[128 + packer.position] >= 0)
                packer.match = (uint8_t)(128 + packer.position - packer.before[128 + packer.position]);
            packer.state = packer.match == 0 ? LITERAL : DISTANCE;
            break;
        case LITERAL:
            out[length++] = 0;
            out[length++] = packer.buffer[128 + packer.position++];
            packer.state = SEARCH;
            break;
        case DISTANCE:
            out[length++] = packer.match;
            packer.position++;
            packer.state = SEARCH;
            break;
        default:
            return length;
        }
    }
}

static int unpack(const uint8_t *in, int length, uint8_t *out)
{
    static uint8_t window[128 + BYTES];
    int count = 0;
    for (int i = 0; i < length; i++) {
        uint8_t distance = in[i];
        window[128 + count] = distance == 0 ? in[++i] : window[128 + count - distance - TOO_FAR(distance)];
        out[count] = window[128 + count];
        count++;
    }
    return count;
}

int main(void)
{
    uint8_t in[BYTES], packed[2 * BYTES], out[BYTES];
    for (int i = 0; i < BYTES; i++)
        in[i] = nondet_uchar();
    int length = pack(in, packed);
    assert(length <= 2 * BYTES);
    assert(unpack(packed, length, out) == BYTES);
    assert(memcmp(in, out, BYTES) == 0);
    return 0;
}
