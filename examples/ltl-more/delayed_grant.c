/* The same with a delay of two iterations, counted. To prove that no request waits for ever, three iterations
   in a row are needed. */
#include <stdbool.h>
#include <stdint.h>

bool __VERIFIER_nondet_bool(void);

bool request = false;
bool grant = false;
static uint8_t delay = 0;

int main(void) {
    while (1) {
        grant = false;
        if (!request && __VERIFIER_nondet_bool()) {
            delay = 2;
            request = true;
        }
        if (request) {
            if (delay == 0) {
                grant = true;
                request = false;
            } else {
                delay--;
            }
        }
    }
}
