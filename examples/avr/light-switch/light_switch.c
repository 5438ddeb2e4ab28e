/* A light switch: the button at PD2 turns the lamp at PB0 on and off. Timer 0 keeps contact bounce out, timer
   1 turns the lamp off when it was forgotten. No interrupts: the timers' flags are polled. */
#include <avr/io.h>
#include <stdint.h>

#define LAMP (1 << PB0)
#define BUTTON (1 << PD2)

enum { OFF, ON };

volatile uint8_t light = OFF;

/* The button as it was when it was last looked at: 1 when it is down. */
static uint8_t down;

static void start_bounce_timer(void) {
    TCNT0 = 0;
    TIFR = 1 << TOV0;
    TCCR0 = 1 << CS02;
}

static uint8_t bounce_is_over(void) {
    if (TCCR0 == 0) {
        return 1;
    }
    if (TIFR & (1 << TOV0)) {
        TCCR0 = 0;
        return 1;
    }
    return 0;
}

static void switch_on(void) {
    light = ON;
    PORTB = LAMP;
    TCNT1 = 0;
    TIFR = 1 << OCF1A;
    TCCR1B = (1 << CS12) | (1 << CS10);
}

static void switch_off(void) {
    TCCR1B = 0;
    PORTB = 0;
    light = OFF;
}

static void look_at_button(void) {
    uint8_t now = (PIND & BUTTON) ? 0 : 1;
    if (now == down) {
        return;
    }
    down = now;
    start_bounce_timer();
    if (now) {
        if (light == OFF) {
            switch_on();
        } else {
            switch_off();
        }
    }
}

int main(void) {
    DDRB = LAMP;
    PORTD = BUTTON; /* pull-up */
    OCR1A = 36000;
    for (;;) {
        if (bounce_is_over()) {
            look_at_button();
        }
        if (light == ON && (TIFR & (1 << OCF1A))) {
            switch_off();
        }
    }
}
