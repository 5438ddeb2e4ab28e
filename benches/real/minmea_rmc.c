// minmea: every string of up to N characters is parsed as an RMC sentence; times and dates have two digits.
#include <assert.h>
#include "minmea.h"

char __VERIFIER_nondet_char(void);

int main(void) {
    char text[N + 1];
    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    text[N] = '\0';
    struct minmea_sentence_rmc frame;
    if (minmea_parse_rmc(&frame, text)) {
        assert(frame.time.hours >= -1 && frame.time.hours <= 99);
        assert(frame.time.microseconds >= -1 && frame.time.microseconds < 1000000);
        assert(frame.date.day >= -1 && frame.date.day <= 99);
        assert(frame.latitude.scale >= 0);
    }
    return 0;
}
