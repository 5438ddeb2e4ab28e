// verdict: holds
// Events that wait for their time, sorted by it: inserting shifts the later ones, taking the first too.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define QUEUE 6
#define HORIZON 10000u

uint8_t __VERIFIER_nondet_uchar(void);
uint16_t __VERIFIER_nondet_ushort(void);

struct event {
    uint32_t when;
    uint8_t kind;
};

static struct event queue[QUEUE];
static uint8_t waiting;
static uint32_t now;

static bool post(uint8_t kind, uint16_t delay) {
    if (waiting == QUEUE || delay > HORIZON)
        return false;
    uint32_t when = now + delay;
    uint8_t at = waiting++;
    while (at > 0 && queue[at - 1].when > when) {
        queue[at] = queue[at - 1];
        at--;
    }
    queue[at].when = when;
    queue[at].kind = kind & 7;
    return true;
}

static bool take(struct event *event) {
    if (waiting == 0 || queue[0].when > now)
        return false;
    *event = queue[0];
    waiting--;
    for (uint8_t i = 0; i < waiting; i++)
        queue[i] = queue[i + 1];
    return true;
}

int main(void) {
    uint16_t handled[8] = {0};
    for (;;) {
        struct event event;
        uint8_t input = __VERIFIER_nondet_uchar();
        if (input > 7)
            post(input, __VERIFIER_nondet_ushort());
        while (take(&event)) {
            assert(event.when == now);
            handled[event.kind]++;
        }
        for (uint8_t i = 1; i < waiting; i++)
            assert(queue[i - 1].when <= queue[i].when);
        if (now < UINT32_MAX - HORIZON)
            now++;
    }
}
