// verdict: holds
// A small terminal: characters, line feeds, tabulators, scrolling, and ESC [ row ; column H.
#include <assert.h>
#include <stdint.h>
#include <string.h>

#define ROWS 4
#define COLUMNS 20
#define PARAMETERS 2

uint8_t __VERIFIER_nondet_uchar(void);

static char screen[ROWS][COLUMNS];
static uint8_t row, column;
static enum { TEXT, ESCAPE, SEQUENCE } state;
static uint8_t parameters[PARAMETERS];
static uint8_t current;

static void line_feed(void) {
    column = 0;
    if (++row < ROWS)
        return;
    row = ROWS - 1;
    memmove(screen[0], screen[1], (ROWS - 1) * COLUMNS);
    memset(screen[ROWS - 1], ' ', COLUMNS);
}

static void text(uint8_t byte) {
    if (byte == 0x1b) {
        state = ESCAPE;
    } else if (byte == '\n') {
        line_feed();
    } else if (byte == '\t') {
        column = (column + 8) & ~7;
        if (column >= COLUMNS)
            line_feed();
    } else if (byte >= ' ') {
        screen[row][column] = (char)byte;
        if (++column == COLUMNS)
            line_feed();
    }
}

static void place(void) {
    row = parameters[0] > 0 ? parameters[0] - 1 : 0;
    column = parameters[1] > 0 ? parameters[1] - 1 : 0;
    row = row < ROWS ? row : ROWS - 1;
    column = column < COLUMNS ? column : COLUMNS - 1;
}

static void sequence(uint8_t byte) {
    if (byte >= '0' && byte <= '9') {
        uint16_t value = parameters[current] * 10 + (byte - '0');
        parameters[current] = value < 99 ? (uint8_t)value : 99;
    } else if (byte == ';' && current < PARAMETERS - 1) {
        current++;
    } else {
        if (byte == 'H')
            place();
        state = TEXT;
    }
}

int main(void) {
    memset(screen, ' ', sizeof screen);
    for (;;) {
        uint8_t byte = __VERIFIER_nondet_uchar();
        if (state == TEXT) {
            text(byte);
        } else if (state == ESCAPE) {
            state = byte == '[' ? SEQUENCE : TEXT;
            memset(parameters, 0, sizeof parameters);
            current = 0;
        } else {
            sequence(byte);
        }
        char shown = screen[row][column];
        assert(shown < 0 || shown >= ' ');
        assert(parameters[0] <= 99 && parameters[1] <= 99);
    }
}
