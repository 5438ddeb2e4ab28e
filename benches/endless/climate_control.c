// verdict: holds
// A heater with hysteresis and a least time between switchings, and a fan whose PWM ramps up and down.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define BAND 5 /* Tenths of a degree around the setpoint. */
#define REST 30
#define PWM_TOP 250
#define RAMP 7

extern volatile uint8_t PIN_KEYS;
extern volatile uint8_t TIMER_COMPARE;
extern volatile int16_t SENSOR_TENTHS;

static int16_t setpoint = 200;
static bool heating;
static uint8_t rest;
static uint8_t duty, wanted_duty;

static void keys(uint8_t pressed) {
    if ((pressed & 1) && setpoint < 300)
        setpoint += 5;
    if ((pressed & 2) && setpoint > 50)
        setpoint -= 5;
}

static void regulate(int16_t tenths) {
    if (rest > 0) {
        rest--;
        return;
    }
    if (!heating && tenths < setpoint - BAND) {
        heating = true;
        rest = REST;
    } else if (heating && tenths > setpoint + BAND) {
        heating = false;
        rest = REST;
    }
    if (heating) {
        int16_t below = setpoint - tenths;
        wanted_duty = below > 100 ? PWM_TOP : below > 0 ? (uint8_t)(100 + below) : 100;
    } else {
        wanted_duty = 0;
    }
}

static void ramp(void) {
    if (duty < wanted_duty)
        duty = wanted_duty - duty > RAMP ? duty + RAMP : wanted_duty;
    else if (duty > wanted_duty)
        duty = duty - wanted_duty > RAMP ? duty - RAMP : wanted_duty;
    TIMER_COMPARE = PWM_TOP - duty;
}

int main(void) {
    while (1) {
        int16_t tenths = SENSOR_TENTHS;
        keys(PIN_KEYS);
        if (tenths >= -400 && tenths <= 1250) {
            regulate(tenths);
            ramp();
        }
        assert(setpoint >= 50 && setpoint <= 300);
        assert(setpoint % 5 == 0);
        assert(rest <= REST);
        assert(heating || rest > 0 || wanted_duty == 0);
        assert(duty <= PWM_TOP);
    }
}
