/* The clock. The interrupt only counts; what a tick means is decided in the main loop. */
#include "timer.h"

#include "hardware.h"

/* 7.3728 MHz / 1024 / 72 = 100 Hz. */
#define COMPARE_VALUE 71

/* One byte, so that reading it cannot be torn by the interrupt. */
static volatile uint8_t ticks;

static uint8_t now;
static uint8_t second_began;
static bool second_ended;
static bool ticked;

INTERRUPT(timer_interrupt, VECTOR_TIMER0_COMP) {
    ticks++;
}

void timer_initialise(void) {
    TCCR0 = 0;
    TCNT0 = 0;
    OCR0 = COMPARE_VALUE;
    TIMSK |= TIMSK_OCIE0;
    TCCR0 = TCCR0_CLEAR_ON_COMPARE | TCCR0_PRESCALE_1024;
    ticks = 0;
    now = 0;
    second_began = 0;
    second_ended = false;
    ticked = false;
}

void timer_step(void) {
    uint8_t count = ticks;
    ticked = count != now;
    now = count;
    second_ended = timer_since(second_began) >= TICKS_PER_SECOND;
    if (second_ended) {
        second_began = (uint8_t)(second_began + TICKS_PER_SECOND);
    }
}

uint8_t timer_now(void) {
    return now;
}

uint8_t timer_since(uint8_t start) {
    return (uint8_t)(now - start);
}

bool timer_ticked(void) {
    return ticked;
}

bool timer_second_ended(void) {
    return second_ended;
}
