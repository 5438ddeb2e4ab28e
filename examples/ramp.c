/* A motor's speed follows the wanted one in steps. The control loop is proved with what the contract says of
   a step, whatever its body does: kripke check ramp.c --replace-calls approach */
#include <assert.h>
#include <stdint.h>

uint16_t __VERIFIER_nondet_ushort(void);

static uint16_t speed;

static void approach(uint16_t wanted)
    __CPROVER_requires(wanted <= 3000 && speed <= 3000)
    __CPROVER_assigns(speed)
    __CPROVER_ensures(speed <= 3000)
{
    uint16_t distance = wanted > speed ? wanted - speed : speed - wanted;
    uint16_t step = distance > 20 ? 20 : distance;
    speed = wanted > speed ? speed + step : speed - step;
}

int main(void)
{
    for (;;) {
        uint16_t wanted = __VERIFIER_nondet_ushort();
        approach(wanted > 3000 ? 3000 : wanted);
        assert(speed <= 3000);
    }
}
