// verdict: holds
// The last events are kept in a ring of records; pointers walk through it, and reading goes from old to new.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define EVENTS 10

uint8_t __VERIFIER_nondet_uchar(void);
_Bool __VERIFIER_nondet_bool(void);

struct event {
    uint32_t time;
    uint8_t code;
    uint8_t repeats;
};

static struct event events[EVENTS];
static struct event *newest = &events[EVENTS - 1];
static uint8_t stored;
static uint32_t now;

static struct event *after(struct event *event) {
    return ++event == events + EVENTS ? events : event;
}

static void record(uint8_t code) {
    if (stored > 0 && newest->code == code && newest->repeats < UINT8_MAX) {
        newest->repeats++;
        return;
    }
    newest = after(newest);
    newest->time = now;
    newest->code = code;
    newest->repeats = 1;
    if (stored < EVENTS)
        stored++;
}

static const struct event *oldest(void) {
    if (stored == 0)
        return NULL;
    ptrdiff_t at = newest - events - (stored - 1);
    return &events[at < 0 ? at + EVENTS : at];
}

int main(void) {
    for (;;) {
        if (now < UINT32_MAX)
            now++;
        if (__VERIFIER_nondet_bool())
            record(__VERIFIER_nondet_uchar() & 0x3f);
        const struct event *first = oldest();
        if (first != NULL) {
            assert(first->time <= now);
            assert(first->time <= newest->time);
            assert(first->repeats > 0);
            assert(newest->code < 64);
        }
    }
}
