// verdict: violated
// A token bucket for a radio's duty cycle; the addition that refills it wraps before it is compared.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define BUCKET 200
#define RATE 3

extern uint8_t timer_ticks(void);
extern uint8_t next_frame_length(void);

static uint8_t tokens;
static uint8_t last_ticks;
static uint16_t sent, refused;

static void refill(void) {
    uint8_t now = timer_ticks();
    uint8_t elapsed = (uint8_t)(now - last_ticks);
    last_ticks = now;
    if (elapsed > 20)
        elapsed = 20;
    uint8_t before = tokens;
    uint8_t sum = tokens + elapsed * RATE;
    tokens = sum < BUCKET ? sum : BUCKET;
    assert(tokens >= before);
}

static bool transmit(uint8_t length) {
    if (length == 0 || length > tokens) {
        refused++;
        return false;
    }
    tokens -= length;
    sent += length;
    return true;
}

int main(void) {
    while (1) {
        refill();
        uint8_t before = tokens;
        uint8_t length = next_frame_length();
        if (transmit(length))
            assert(tokens + length == before);
        assert(tokens <= BUCKET);
    }
}
