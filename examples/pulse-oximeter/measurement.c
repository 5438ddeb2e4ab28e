/* The measurement. */
#include "measurement.h"

#include "board.h"
#include "log.h"
#include "menu.h"
#include "sensor.h"
#include "timer.h"

/* Pairs from which one saturation is computed. */
#define WINDOW_PAIRS 64

/* Seconds from which one heart rate is computed, and what turns beats in them into beats per minute. */
#define WINDOW_SECONDS 10
#define WINDOWS_PER_MINUTE 6

#define SATURATION_LOWEST 90

/* A swing smaller than this is noise. */
#define SWING_SMALLEST 4

/* The empirical line, saturation = 110 - 25 * ratio, for ratios in sixteenths from 0 to 15. */
static const uint8_t saturation_of[16] = {
    100, 100, 100, 100, 100, 100, 100, 99, 97, 96, 94, 93, 91, 90, 88, 87,
};

struct range {
    uint8_t least;
    uint8_t greatest;
};

/* A measurement was asked for and has not begun yet (property start_btn). */
static bool start_called;

static bool runs;
static uint16_t seconds_left;

static struct range red;
static struct range infrared;
static uint8_t pairs;

static uint8_t middle; /* of the infrared range of the last window: a beat is a way up through it */
static bool above;
static uint8_t beats;
static uint8_t seconds;

static uint8_t saturation;
static uint8_t heart_rate;
static bool alarm;

static void range_clear(struct range *range) {
    range->least = 255;
    range->greatest = 0;
}

static void range_extend(struct range *range, uint8_t value) {
    if (value < range->least) {
        range->least = value;
    }
    if (value > range->greatest) {
        range->greatest = value;
    }
}

static uint8_t range_swing(const struct range *range) {
    return range->greatest < range->least ? 0 : (uint8_t)(range->greatest - range->least);
}

static uint8_t range_middle(const struct range *range) {
    return (uint8_t)((range->least + range->greatest) / 2);
}

static void begin_window(void) {
    range_clear(&red);
    range_clear(&infrared);
    pairs = 0;
}

static void set_alarm(bool on) {
    if (on && !alarm) {
        log_event(LOG_ALARM, saturation);
    }
    alarm = on;
    if (on) {
        PORTD |= BUZZER;
    } else {
        PORTD &= (uint8_t)~BUZZER;
    }
}

void measurement_initialise(void) {
    DDRD |= BUZZER;
    start_called = false;
    runs = false;
    saturation = 0;
    heart_rate = 0;
    alarm = false;
    begin_window();
}

void measurement_call_start(void) {
    start_called = true;
}

static void begin(void) {
    runs = true;
    seconds_left = menu_measuring_time();
    middle = 128;
    above = false;
    beats = 0;
    seconds = 0;
    saturation = 0;
    heart_rate = 0;
    set_alarm(false);
    begin_window();
    sensor_start();
    log_event(LOG_START, 0);
}

void measurement_stop(void) {
    if (!runs) {
        return;
    }
    runs = false;
    sensor_stop();
    set_alarm(false);
    log_event(LOG_STOP, saturation);
}

/* `ratio`, or `part` more if the ratio of the swings is at least that. */
static uint8_t raise_ratio(uint8_t ratio, uint8_t part, uint8_t numerator, uint8_t denominator) {
    uint8_t higher = (uint8_t)(ratio + part);
    return higher * denominator <= numerator * 16 ? higher : ratio;
}

/* The ratio of two swings in sixteenths, at most 15, found by halves instead of by division. */
static uint8_t ratio_of(uint8_t numerator, uint8_t denominator) {
    uint8_t ratio = raise_ratio(0, 8, numerator, denominator);
    ratio = raise_ratio(ratio, 4, numerator, denominator);
    ratio = raise_ratio(ratio, 2, numerator, denominator);
    return raise_ratio(ratio, 1, numerator, denominator);
}

static void finish_window(void) {
    uint8_t swing = range_swing(&infrared);
    if (swing >= SWING_SMALLEST && !sensor_is_empty()) {
        saturation = saturation_of[ratio_of(range_swing(&red), swing)];
        set_alarm(saturation < SATURATION_LOWEST);
    } else {
        saturation = 0;
        set_alarm(false);
    }
    middle = range_middle(&infrared);
    log_event(LOG_RESULT, saturation);
    begin_window();
}

static void count_beat(uint8_t value) {
    bool is_above = value > middle;
    if (is_above && !above && beats < 42) {
        beats++; /* 42 in ten seconds is more than any heart does */
    }
    above = is_above;
}

static void take_pair(const struct sensor_pair *pair) {
    range_extend(&red, pair->red);
    range_extend(&infrared, pair->infrared);
    count_beat(pair->infrared);
    pairs++;
    if (pairs >= WINDOW_PAIRS) {
        finish_window();
    }
}

static void count_second(void) {
    seconds++;
    if (seconds >= WINDOW_SECONDS) {
        heart_rate = (uint8_t)(beats * WINDOWS_PER_MINUTE);
        beats = 0;
        seconds = 0;
    }
    if (seconds_left > 0) {
        seconds_left--;
    }
    if (seconds_left == 0) {
        measurement_stop();
    }
}

void measurement_step(void) {
    struct sensor_pair pair;
    if (start_called) {
        start_called = false;
        begin();
    }
    if (!runs) {
        return;
    }
    sensor_step();
    if (sensor_take(&pair)) {
        take_pair(&pair);
    }
    if (timer_second_ended()) {
        count_second();
    }
}

bool measurement_runs(void) {
    return runs;
}

uint8_t measurement_saturation(void) {
    return saturation;
}

uint8_t measurement_heart_rate(void) {
    return heart_rate;
}

bool measurement_alarm(void) {
    return alarm;
}
