// verdict: violated
// A clock with a calendar; setting the month checks the month alone, so that 31 February can be set.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

uint8_t __VERIFIER_nondet_uchar(void);

static struct {
    uint8_t second, minute, hour, day, month, year;
} clock = {.day = 1, .month = 1};

static const uint8_t lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static uint8_t days(void) {
    bool leap = clock.year % 4 == 0;
    return lengths[clock.month - 1] + (clock.month == 2 && leap);
}

static void next_day(void) {
    if (++clock.day <= days())
        return;
    clock.day = 1;
    if (++clock.month <= 12)
        return;
    clock.month = 1;
    clock.year = clock.year == 99 ? 0 : clock.year + 1;
}

static void tick(void) {
    if (++clock.second < 60)
        return;
    clock.second = 0;
    if (++clock.minute < 60)
        return;
    clock.minute = 0;
    if (++clock.hour < 24)
        return;
    clock.hour = 0;
    next_day();
}

static void set(uint8_t field, uint8_t value) {
    switch (field) {
    case 'h':
        if (value < 24)
            clock.hour = value;
        break;
    case 'd':
        if (value >= 1 && value <= days())
            clock.day = value;
        break;
    case 'm':
        if (value >= 1 && value <= 12)
            clock.month = value;
        break;
    }
}

int main(void) {
    for (;;) {
        uint8_t command = __VERIFIER_nondet_uchar();
        if (command)
            set(command, __VERIFIER_nondet_uchar());
        else
            tick();
        assert(clock.second < 60 && clock.minute < 60 && clock.hour < 24);
        assert(clock.month >= 1 && clock.month <= 12);
        assert(clock.day >= 1 && clock.day <= days());
    }
}
