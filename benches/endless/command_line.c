// verdict: holds
// The command line of a serial console: editing with a cursor in the line, and the line before as history.
#include <assert.h>
#include <stdint.h>
#include <string.h>

#define WIDTH 20

char __VERIFIER_nondet_char(void);

static char line[WIDTH + 1], previous[WIDTH + 1];
static uint8_t length, cursor;

static void insert(char c) {
    if (length == WIDTH)
        return;
    memmove(line + cursor + 1, line + cursor, length - cursor);
    line[cursor++] = c;
    line[++length] = '\0';
}

static void backspace(void) {
    if (cursor == 0)
        return;
    cursor--;
    memmove(line + cursor, line + cursor + 1, length - cursor);
    length--;
}

static void recall(void) {
    strcpy(line, previous);
    length = cursor = (uint8_t)strlen(line);
}

static void enter(void) {
    if (length > 0)
        memcpy(previous, line, length + 1u);
    length = cursor = 0;
    line[0] = '\0';
}

static void key(char c) {
    switch (c) {
    case '\r': enter(); break;
    case '\b': backspace(); break;
    case 'P' - '@': recall(); break;
    case 'A' - '@': cursor = 0; break;
    case 'E' - '@': cursor = length; break;
    case 'B' - '@':
        if (cursor > 0)
            cursor--;
        break;
    case 'F' - '@':
        if (cursor < length)
            cursor++;
        break;
    default:
        if (c >= ' ' && c <= '~')
            insert(c);
    }
}

int main(void) {
    for (;;) {
        key(__VERIFIER_nondet_char());
        assert(cursor <= length && length <= WIDTH);
        assert(line[length] == '\0');
    }
}
