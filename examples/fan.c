/* The speed of a fan, from the time between two pulses: a driver, which has no main. */
#include <stdint.h>

#define PULSES 4

struct fan {
    uint16_t periods[PULSES];
    uint8_t next;
};

static uint32_t rpm_of(uint32_t period) {
    return 60000000u / period;
}

void fan_pulse(struct fan *fan, uint16_t period) {
    fan->periods[fan->next] = period;
    fan->next = (fan->next + 1) % PULSES;
}

uint32_t fan_rpm(const struct fan *fan) {
    uint32_t sum = 0;
    for (int i = 0; i < PULSES; i++)
        sum += fan->periods[i];
    return sum == 0 ? 0 : rpm_of(sum / PULSES + 1);
}

int fan_percent(int rpm, int full) {
    return 100 * rpm / full;
}
