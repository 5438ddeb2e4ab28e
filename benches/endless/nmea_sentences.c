// verdict: holds
// NMEA 0183 character by character: fields are cut out of the sentence, the checksum decides.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SENTENCE 40
#define FIELDS 8

char __VERIFIER_nondet_char(void);

enum state { WAIT, BODY, CHECK_HIGH, CHECK_LOW };

static enum state state;
static char text[SENTENCE];
static uint8_t starts[FIELDS];
static uint8_t length, fields, sum, stated;

static int8_t hex(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void body(char c) {
    if (length >= SENTENCE || c < ' ') {
        state = WAIT;
        return;
    }
    text[length++] = c == ',' || c == '*' ? '\0' : c;
    if (c == '*') {
        state = CHECK_HIGH;
        return;
    }
    sum ^= (uint8_t)c;
    if (c != ',')
        return;
    if (fields == FIELDS)
        state = WAIT;
    else
        starts[fields++] = length;
}

static bool receive(char c) {
    if (c == '$') {
        state = BODY;
        length = sum = 0;
        starts[0] = 0;
        fields = 1;
        return false;
    }
    switch (state) {
    case WAIT: break;
    case BODY: body(c); break;
    case CHECK_HIGH:
        stated = (uint8_t)(hex(c) * 16);
        state = hex(c) < 0 ? WAIT : CHECK_LOW;
        break;
    case CHECK_LOW:
        state = WAIT;
        return hex(c) >= 0 && (stated | (uint8_t)hex(c)) == sum;
    }
    return false;
}

int main(void) {
    for (;;) {
        if (receive(__VERIFIER_nondet_char())) {
            assert(fields >= 1 && fields <= FIELDS);
            for (uint8_t i = 0; i < fields; i++) {
                const char *field = text + starts[i];
                assert(starts[i] < length);
                assert(strlen(field) < SENTENCE);
            }
        }
    }
}
