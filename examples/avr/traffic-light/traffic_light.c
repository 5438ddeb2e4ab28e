/* A traffic light with a crossing: timer 1 moves it from phase to phase, the button at INT0 asks for green
   for those on foot. Without a request the cars keep their green. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

/* Port B: lamps of the cars and, at the upper pins, of the people on foot. */
#define CAR_RED (1 << PB0)
#define CAR_YELLOW (1 << PB1)
#define CAR_GREEN (1 << PB2)
#define WALK_RED (1 << PB4)
#define WALK_GREEN (1 << PB5)

enum { DRIVE, SLOW, ALL_STOP, WALK, CLEAR, READY, PHASES };

/* Ticks that each phase lasts at least. */
static const uint8_t lasts[PHASES] = {20, 3, 2, 10, 5, 2};

static const uint8_t lamps[PHASES] = {
    CAR_GREEN | WALK_RED,             /* DRIVE */
    CAR_YELLOW | WALK_RED,            /* SLOW */
    CAR_RED | WALK_RED,               /* ALL_STOP */
    CAR_RED | WALK_GREEN,             /* WALK */
    CAR_RED | WALK_RED,               /* CLEAR */
    CAR_RED | CAR_YELLOW | WALK_RED,  /* READY */
};

volatile uint8_t phase = DRIVE;
volatile uint8_t ticks;
volatile uint8_t request;

ISR(TIMER1_COMPA_vect) {
    uint8_t now = phase;
    if (ticks < lasts[now]) {
        ticks++;
        return;
    }
    if (now == DRIVE && !request) {
        return;
    }
    now++;
    if (now == PHASES) {
        now = DRIVE;
    }
    if (now == WALK) {
        request = 0;
    }
    ticks = 0;
    phase = now;
    PORTB = lamps[now];
}

ISR(INT0_vect) {
    request = 1;
}

int main(void) {
    DDRB = CAR_RED | CAR_YELLOW | CAR_GREEN | WALK_RED | WALK_GREEN;
    PORTB = CAR_GREEN | WALK_RED;
    PORTD = 1 << PD2;
    MCUCR = 1 << ISC01;
    GICR = 1 << INT0;
    OCR1A = 7200;
    TCCR1B = (1 << WGM12) | (1 << CS12) | (1 << CS10);
    TIMSK = 1 << OCIE1A;
    sei();
    for (;;) {
    }
}
