/* memcpy and memset write watched memory, too: settings are loaded from a block and checked, or erased. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

bool __VERIFIER_nondet_bool(void);
uint8_t __VERIFIER_nondet_uchar(void);

struct settings {
    uint8_t limit;
    uint8_t check; /* the complement of the limit */
};

struct settings settings = {10, (uint8_t)~10};
bool valid = true;

int main(void) {
    struct settings stored;
    stored.limit = __VERIFIER_nondet_uchar();
    stored.check = __VERIFIER_nondet_uchar();
    valid = false;
    if (__VERIFIER_nondet_bool()) {
        memcpy(&settings, &stored, sizeof settings);
    } else {
        memset(&settings, 0, sizeof settings);
    }
#ifndef SEED_UNCHECKED
    if ((settings.limit ^ settings.check) != 0xFF) {
        settings.limit = 10;
        settings.check = (uint8_t)~10;
    }
#endif
    valid = true;
    return 0;
}
