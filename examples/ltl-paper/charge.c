/* The formula of the introduction, G({pressed} -> F {charge > min}), on a charger of our own: pressing the
   button starts a charge of two steps. With SLOW the third step would be needed. */
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

bool pressed = false;
int charge = 0;
#ifdef SLOW
int min = 2;
#else
int min = 1;
#endif

int main(void) {
    while (1) {
        pressed = __VERIFIER_nondet_bool();
        if (pressed) {
            charge = 0;
            charge++;
            charge++;
        }
        pressed = false;
    }
}
