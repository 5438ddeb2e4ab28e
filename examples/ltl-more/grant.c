/* An endless loop that answers every request: that it does so for ever is proved, not only up to a bound. */
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

bool request = false;
bool grant = false;

int main(void) {
    while (1) {
        grant = false;
        request = __VERIFIER_nondet_bool();
        if (request) {
            grant = true;
        }
        request = false;
    }
}
