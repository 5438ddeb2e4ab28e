// verdict: holds
// An ADC scans six channels and averages sixteen conversions of each; a mask says which results are valid.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define CHANNELS 6
#define CONVERSIONS 16
#define FULL_SCALE 1023

extern volatile uint16_t ADC_DATA;
extern volatile uint8_t ADC_STATUS;

struct channel {
    uint16_t sum, result;
    uint8_t count;
};

static struct channel channels[CHANNELS];
static const uint8_t sequence[] = {0, 2, 4, 1, 3, 5, 0};
static uint8_t step, valid;

static void converted(uint16_t raw) {
    struct channel *channel = &channels[sequence[step]];
    channel->sum += raw;
    if (++channel->count == CONVERSIONS) {
        channel->result = channel->sum / CONVERSIONS;
        valid |= (uint8_t)(1u << sequence[step]);
        channel->sum = 0;
        channel->count = 0;
    }
    assert(channel->count < CONVERSIONS);
    assert(channel->sum <= channel->count * FULL_SCALE);
    if (++step >= sizeof sequence)
        step = 0;
}

static bool read_channel(uint8_t number, uint16_t *value) {
    if (!(valid >> number & 1))
        return false;
    *value = channels[number].result;
    valid &= (uint8_t)~(1u << number);
    return true;
}

int main(void) {
    for (;;) {
        uint16_t value;
        uint8_t status = ADC_STATUS;
        if (status & 0x10)
            converted(ADC_DATA & FULL_SCALE);
        if (read_channel(status % CHANNELS, &value))
            assert(value <= FULL_SCALE);
        assert(valid < 1u << CHANNELS);
    }
}
