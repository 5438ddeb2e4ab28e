/* A program with the driver of fan.c. */
#include <stdint.h>

struct fan {
    uint16_t periods[4];
    uint8_t next;
};

void fan_pulse(struct fan *fan, uint16_t period);
uint32_t fan_rpm(const struct fan *fan);
int fan_percent(int rpm, int full);
uint16_t capture_period(void);

static struct fan fan;
int percent;

int main(void) {
    for (;;) {
        fan_pulse(&fan, capture_period());
        uint32_t rpm = fan_rpm(&fan);
        percent = fan_percent(rpm > 3000 ? 3000 : (int)rpm, 3000);
    }
}
