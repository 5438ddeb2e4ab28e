/* Code beyond 128 KiB of flash: called directly and by pointers, interrupted there, and with data in flash
   there. All code lies behind four tables of 32 KiB each. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <stdint.h>

#define FAR __attribute__((noinline))
#define TABLE static const uint8_t __attribute__((used, progmem))

TABLE first[32767] = {1, 2, 3}, second[32767] = {4, 5, 6}, third[32767] = {7, 8, 9}, fourth[32767] = {10, 11, 12};
TABLE fifth[16] = {13, 14, 15};

static volatile uint8_t ticks, sum;

FAR uint8_t step(uint8_t value) {
    for (uint8_t i = 0; i < 5; i++) {
        value += ticks ^ i;
    }
    return value;
}

FAR uint8_t choose(uint8_t value) {
    switch (value & 7) {
    case 0: return 13;
    case 1: return 7;
    case 2: return 99;
    case 3: return PINB;
    case 4: return sum;
    case 5: return ticks;
    default: return step(value);
    }
}

static uint8_t (*const volatile functions[])(uint8_t) = {step, choose};

ISR(TIMER0_OVF_vect) {
    ticks++;
}

int main(void) {
    TCCR0B = 1;
    TIMSK0 = 1 << TOIE0;
    sei();
    for (uint8_t round = 0;; round++) {
        sum = functions[round & 1](round);
        sum += choose(round);
        sum ^= pgm_read_byte_far(pgm_get_far_address(fifth) + (round & 15));
    }
}
