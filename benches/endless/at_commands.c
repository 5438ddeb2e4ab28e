// verdict: violated
// AT commands from a modem line; the check for a full line forgets the room for the terminator.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LINE 12

char __VERIFIER_nondet_char(void);

static struct {
    char line[LINE];
    uint8_t length;
    bool overlong;
} input;
static uint8_t echo, volume = 4;

static void execute(const char *command) {
    if (strncmp(command, "AT", 2) != 0)
        return;
    if (strcmp(command + 2, "E0") == 0)
        echo = 0;
    else if (strcmp(command + 2, "E1") == 0)
        echo = 1;
    else if (command[2] == 'L' && command[3] >= '0' && command[3] <= '9')
        volume = (uint8_t)(command[3] - '0');
}

static void receive(char c) {
    if (c == '\r') {
        if (!input.overlong) {
            input.line[input.length] = '\0';
            execute(input.line);
        }
        input.length = 0;
        input.overlong = false;
    } else if (input.length < LINE) {
        input.line[input.length++] = c;
    } else {
        input.overlong = true;
    }
}

int main(void) {
    for (;;) {
        receive(__VERIFIER_nondet_char());
        assert(input.length <= LINE);
        assert(echo <= 1 && volume <= 9);
    }
}
