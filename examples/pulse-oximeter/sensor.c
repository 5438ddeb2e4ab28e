/* The sensor: a state machine with one step per conversion. */
#include "sensor.h"

#include "board.h"

/* Brighter than this is daylight. */
#define DAYLIGHT 250

enum sensor_state {
    SENSOR_OFF,
    SENSOR_RED,      /* the red lamp is on, a conversion runs */
    SENSOR_INFRARED  /* the infrared lamp is on, a conversion runs */
};

static enum sensor_state state;

/* Written by the interrupt: the flag last, and read by the main loop: the flag first. */
static volatile uint8_t conversion;
static volatile uint8_t conversion_ready;

static uint8_t red;
static struct sensor_pair complete;
static bool is_complete;
static bool is_empty;

INTERRUPT(sensor_interrupt, VECTOR_ADC) {
    conversion = ADCH; /* left adjusted: the upper eight bits */
    conversion_ready = 1;
}

static void lamps(uint8_t on) {
    PORTB = (uint8_t)((PORTB & (uint8_t) ~(LAMP_RED | LAMP_INFRARED)) | on);
}

static void convert(void) {
    conversion_ready = 0;
    ADCSRA |= ADCSRA_ADSC;
}

void sensor_initialise(void) {
    DDRB |= LAMP_RED | LAMP_INFRARED;
    ADMUX = ADMUX_AVCC | ADMUX_LEFT_ADJUST | ADMUX_CHANNEL_0;
    ADCSRA = ADCSRA_ADEN | ADCSRA_ADIE | ADCSRA_PRESCALE_64;
    is_complete = false;
    is_empty = false;
    sensor_stop();
}

void sensor_start(void) {
    state = SENSOR_RED;
    is_complete = false;
    lamps(LAMP_RED);
    convert();
}

void sensor_stop(void) {
    state = SENSOR_OFF;
    conversion_ready = 0;
    lamps(0);
}

static void finish_pair(uint8_t infrared) {
    complete.red = red;
    complete.infrared = infrared;
    is_empty = red > DAYLIGHT && infrared > DAYLIGHT;
    is_complete = true;
}

void sensor_step(void) {
    uint8_t value;
    if (state == SENSOR_OFF || !conversion_ready) {
        return;
    }
    value = conversion;
    if (state == SENSOR_RED) {
        red = value;
        state = SENSOR_INFRARED;
        lamps(LAMP_INFRARED);
    } else {
        finish_pair(value);
        state = SENSOR_RED;
        lamps(LAMP_RED);
    }
    convert();
}

bool sensor_take(struct sensor_pair *pair) {
    if (!is_complete) {
        return false;
    }
    *pair = complete;
    is_complete = false;
    return true;
}

bool sensor_is_empty(void) {
    return is_empty;
}
