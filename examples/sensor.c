/* A sensor that is read by a handler whenever a conversion is complete; the main loop uses the last value.
 *
 * On an 8-bit machine the value is read in two pieces, and the handler may come between them: of 0x02ff and
 * then 0x0300 the main loop sees 0x03ff. With FIXED interrupts are disabled while it is read. */
#include <assert.h>
#include <stdint.h>

#define cli() __asm__ __volatile__("cli" ::: "memory")
#define sei() __asm__ __volatile__("sei" ::: "memory")

uint16_t adc_result(void);

static volatile uint16_t per_mille;
static volatile uint8_t fresh;
uint8_t alarm;

void adc_complete(void)
{
    uint16_t value = adc_result();
    per_mille = value > 1000 ? 1000 : value;
    fresh = 1;
}

static uint16_t measured(void)
{
#ifdef FIXED
    cli();
    uint16_t copy = per_mille;
    sei();
    return copy;
#else
    return per_mille;
#endif
}

int main(void)
{
    sei();
    for (;;) {
        uint16_t value = measured();
        assert(value <= 1000);
        alarm = value > 900;
        fresh = 0;
    }
}
