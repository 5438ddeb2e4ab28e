/* A watchdog that is served too late now and then, turned off in the timed sequence after each reset, and
   turned on again. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <stdint.h>

static volatile uint8_t resets __attribute__((section(".noinit")));
static volatile uint8_t rounds;

#ifdef WDT_vect
ISR(WDT_vect) {
    rounds = 0;
}
#endif

int main(void) {
#ifdef MCUSR
    uint8_t reason = MCUSR;
    MCUSR = 0;
#else
    uint8_t reason = MCUCSR;
    MCUCSR = 0;
#endif
    wdt_disable();
    resets = reason & (1 << WDRF) ? resets + 1 : 0;
    DDRB = 0xFF;
    PORTB = resets;
    for (uint8_t wait = 0; wait < 20; wait++) {
        PORTC = wait;
    }
#ifdef WDT_vect
    if (resets & 1) {
        WDTCSR = 1 << WDIE;
        sei();
    }
#endif
    wdt_enable(WDTO_15MS);
    for (;;) {
        rounds++;
        if (!(PIND & 1)) {
            wdt_reset();
        }
    }
}
