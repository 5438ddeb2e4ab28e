/* Two clients and one resource, given to the first who asks. The second may wait for ever: a real infinite
   run, in which the state of the loop repeats. With ROUND_ROBIN the one who had it last comes second. */
#include <stdbool.h>

bool __VERIFIER_nondet_bool(void);

bool wants[2] = {false, false};
int owner = -1;
static int last = 1;

static void grant(int client) {
    owner = client;
    wants[client] = false;
    last = client;
    owner = -1;
}

int main(void) {
    while (1) {
        if (!wants[0]) {
            wants[0] = __VERIFIER_nondet_bool();
        }
        if (!wants[1]) {
            wants[1] = __VERIFIER_nondet_bool();
        }
#ifdef ROUND_ROBIN
        if (last == 0 && wants[1]) {
            grant(1);
            continue;
        }
#endif
        if (wants[0]) {
            grant(0);
        } else if (wants[1]) {
            grant(1);
        }
    }
}
