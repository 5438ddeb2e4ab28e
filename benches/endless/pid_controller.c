// verdict: holds
// A PID controller in fixed point whose integrator and output saturate; nothing overflows.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define KP 48 /* All gains have 4 fractional bits. */
#define KI 3
#define KD 20
#define INTEGRAL_MAX 200000
#define OUT_MAX 1023

uint16_t __VERIFIER_nondet_ushort(void);
_Bool __VERIFIER_nondet_bool(void);

struct pid {
    int32_t integral;
    int16_t last_error;
    int16_t setpoint;
    bool primed;
};

static struct pid loop;

static int32_t clamp(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

static int16_t step(struct pid *pid, int16_t measured) {
    int16_t error = pid->setpoint - measured;
    pid->integral = clamp(pid->integral + error * KI, -INTEGRAL_MAX, INTEGRAL_MAX);
    int32_t slope = pid->primed ? error - pid->last_error : 0;
    pid->last_error = error;
    pid->primed = true;
    int32_t out = error * KP + pid->integral + slope * KD;
    return (int16_t)clamp(out / 16, 0, OUT_MAX);
}

int main(void) {
    loop.setpoint = 2048;
    for (;;) {
        uint16_t raw = __VERIFIER_nondet_ushort() & 0xfff;
        if (__VERIFIER_nondet_bool()) {
            uint16_t wanted = __VERIFIER_nondet_ushort();
            if (wanted <= 4000)
                loop.setpoint = (int16_t)wanted;
        }
        int16_t duty = step(&loop, (int16_t)raw);
        assert(duty >= 0 && duty <= OUT_MAX);
        assert(loop.last_error >= -4095 && loop.last_error <= 4000);
        if (__VERIFIER_nondet_bool()) {
            loop.integral = 0;
            loop.primed = false;
        }
        assert(loop.setpoint <= 4000);
    }
}
