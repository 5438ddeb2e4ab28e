// kripke: check --entry last --entry-objects 3
// verdict: violated
// violates: assertion@14

#include <assert.h>

struct packet {
    unsigned short length;
    short data[];
};

void last(const struct packet *packet)
{
    assert(!packet || packet->length > 3 || packet->length == 0 || packet->data[packet->length - 1] != -9);
}
