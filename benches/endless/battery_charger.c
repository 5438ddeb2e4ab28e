// verdict: holds
// A lithium charger: precharge, constant current, constant voltage; the state limits the current.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum phase { IDLE, PRECHARGE, CURRENT, VOLTAGE, FULL, FAULT };

#define PRECHARGE_MA 100
#define CURRENT_MA 1000
#define CUTOFF_MA 50
#define TIMEOUT 36000u

extern uint16_t read_millivolts(void);
extern int16_t read_temperature(void);

static enum phase phase;
static uint16_t milliamps;
static uint16_t seconds;
static bool relay;

static void enter(enum phase next, uint16_t current) {
    phase = next;
    milliamps = current;
    seconds = 0;
    relay = current > 0;
}

static void regulate(uint16_t millivolts) {
    if (millivolts > 4200) {
        uint16_t less = milliamps / 16 + 1;
        milliamps = milliamps > less ? milliamps - less : 0;
    } else if (milliamps + 10 <= CURRENT_MA) {
        milliamps += 10;
    }
}

static void second(uint16_t millivolts, int16_t temperature) {
    if (phase != IDLE && phase != FULL && phase != FAULT && ++seconds > TIMEOUT)
        enter(FAULT, 0);
    if (phase != IDLE && (temperature < 0 || temperature > 45))
        enter(FAULT, 0);
    switch (phase) {
    case IDLE:
        if (millivolts > 1000)
            enter(PRECHARGE, PRECHARGE_MA);
        break;
    case PRECHARGE:
        if (millivolts >= 3000)
            enter(CURRENT, CURRENT_MA);
        break;
    case CURRENT:
        if (millivolts >= 4200)
            enter(VOLTAGE, CURRENT_MA);
        break;
    case VOLTAGE:
        regulate(millivolts);
        if (milliamps < CUTOFF_MA)
            enter(FULL, 0);
        break;
    case FULL:
    case FAULT:
        if (millivolts < 500)
            enter(IDLE, 0);
        break;
    }
}

static uint16_t minutes_left(void) {
    return (uint16_t)((TIMEOUT - seconds) / 60);
}

int main(void) {
    for (;;) {
        uint16_t millivolts = read_millivolts();
        second(millivolts, read_temperature());
        assert(milliamps <= CURRENT_MA);
        assert(relay == (milliamps > 0));
        assert(phase != PRECHARGE || milliamps <= PRECHARGE_MA);
        assert(minutes_left() <= TIMEOUT / 60);
    }
}
