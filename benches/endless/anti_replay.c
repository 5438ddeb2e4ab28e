// verdict: holds
// The window of sequence numbers of a radio link: a frame is taken once, and never one that is too old.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define WINDOW 32

uint16_t __VERIFIER_nondet_ushort(void);
_Bool __VERIFIER_nondet_bool(void);

struct peer {
    uint32_t newest;
    uint32_t seen; /* Bit i: frame newest - i has come. */
    bool known;
};

static struct peer peers[2];

static bool accept(struct peer *peer, uint32_t number) {
    if (!peer->known) {
        peer->known = true;
        peer->newest = number;
        peer->seen = 1;
        return true;
    }
    if (number > peer->newest) {
        uint32_t ahead = number - peer->newest;
        peer->seen = ahead < WINDOW ? peer->seen << ahead : 0;
        peer->seen |= 1;
        peer->newest = number;
        return true;
    }
    uint32_t behind = peer->newest - number;
    if (behind >= WINDOW || (peer->seen >> behind & 1))
        return false;
    peer->seen |= 1u << behind;
    return true;
}

int main(void) {
    for (;;) {
        struct peer *peer = &peers[__VERIFIER_nondet_bool()];
        uint32_t number = __VERIFIER_nondet_ushort();
        if (accept(peer, number)) {
            assert(number <= peer->newest);
            assert(!accept(peer, number));
        }
        assert(!peer->known || (peer->seen & 1));
        if (peer->known)
            assert(peer->newest - number < WINDOW || peer->newest > number);
        assert(peer->newest <= UINT16_MAX);
    }
}
