// kripke: check
// verdict: holds

#include <assert.h>
int nondet_int(void);

enum state { OFF, HEATING, COOLING };

int main(void)
{
    enum state s = OFF;
    _Bool heater = 0, fan = 0;
    for (;;) {
        int temperature = nondet_int();
        if (temperature < 18) {
            s = HEATING;
            heater = 1;
            fan = 0;
        } else if (temperature > 24) {
            s = COOLING;
            heater = 0;
            fan = 1;
        } else {
            s = OFF;
            heater = fan = 0;
        }
        assert(!(heater && fan));
        assert((s == OFF) == (!heater && !fan));
    }
}
