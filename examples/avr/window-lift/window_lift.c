/* A car's power window. Buttons for up and down, end stops, a motor with two directions; timer 1 ends a
   movement that takes too long, and the pinch sensor at INT0 turns an upward movement round for a moment. */
#include <avr/cpufunc.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>

/* Port A: inputs, active high. */
#define BUTTON_UP (PINA & (1 << PA0))
#define BUTTON_DOWN (PINA & (1 << PA1))
#define END_TOP (PINA & (1 << PA2))
#define END_BOTTOM (PINA & (1 << PA3))

/* Port B: the motor. */
#define MOTOR_UP (1 << PB0)
#define MOTOR_DOWN (1 << PB1)

/* A movement ends after this many ticks; after a pinch the window moves down for some. */
#define TICKS_MOVE 200
#define TICKS_PINCH 50

enum { STILL, UP, DOWN, PINCHED, LOCKED };

volatile uint8_t direction = STILL;
volatile uint8_t ticks_left;

static inline void motor(uint8_t pins) {
    PORTB = 0; /* never both, not even for a moment */
    PORTB = pins;
}

static inline void timer_start(uint8_t ticks) {
    TCCR1B = 0;
    TIFR = 1 << OCF1A;
    TCNT1 = 0;
    ticks_left = ticks;
    TIMSK = 1 << OCIE1A;
    TCCR1B = (1 << WGM12) | (1 << CS12) | (1 << CS10);
}

static inline void timer_stop(void) {
    TCCR1B = 0;
    TIMSK = 0;
}

/* A movement has taken its time: after a pinch that was meant, else something is stuck and the motor is
   locked until both buttons are released. */
ISR(TIMER1_COMPA_vect) {
    if (ticks_left > 1) {
        ticks_left--;
        return;
    }
    ticks_left = 0;
    timer_stop();
    PORTB = 0;
    direction = LOCKED;
}

/* Something is in the way of the rising window. */
ISR(INT0_vect) {
    if (direction == UP) {
        motor(MOTOR_DOWN);
        direction = PINCHED;
        timer_start(TICKS_PINCH);
    }
}

static inline void stop(uint8_t next) {
    timer_stop();
    PORTB = 0;
    direction = next;
}

/* Down has precedence. */
static inline void move(void) {
    if (BUTTON_DOWN) {
        if (END_BOTTOM) {
            stop(STILL);
        } else if (direction != DOWN) {
            motor(MOTOR_DOWN);
            direction = DOWN;
            timer_start(TICKS_MOVE);
        }
    } else if (BUTTON_UP) {
        if (END_TOP) {
            stop(STILL);
        } else if (direction != UP) {
            motor(MOTOR_UP);
            direction = UP;
            timer_start(TICKS_MOVE);
        }
    } else {
        stop(STILL);
    }
}

static inline void step(void) {
    switch (direction) {
    case PINCHED:
        if (END_BOTTOM) {
            stop(LOCKED);
        }
        break;
    case LOCKED:
        if (!BUTTON_UP && !BUTTON_DOWN) {
            direction = STILL;
        }
        break;
    default:
        move();
        break;
    }
}

int main(void) {
    DDRB = MOTOR_UP | MOTOR_DOWN;
    OCR1A = 7200;
    MCUCR = (1 << ISC01) | (1 << ISC00);
    GICR = 1 << INT0;
    for (;;) {
        sei();
        _NOP(); /* one instruction follows sei before an interrupt: without this one that would be cli */
        cli();
        step();
    }
}
