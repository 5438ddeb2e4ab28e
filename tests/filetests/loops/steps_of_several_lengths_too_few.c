// kripke: check --check assertion,bounds,pointer,uninitialised
// verdict: violated
// violates: assertion@40

// The same, where one assertion asks for too much: words and numbers may fill the text.
#include <assert.h>

#define LENGTH 14

char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[LENGTH + 1];
    unsigned at, words = 0, numbers = 0;
    for (at = 0; at < LENGTH; at++)
        text[at] = __VERIFIER_nondet_char();
    text[LENGTH] = '\0';
    for (at = 0; text[at] != '\0'; at++) {
        if (text[at] == '"') {
            unsigned start = at++;
            while (text[at] != '"') {
                if (text[at] == '\0')
                    return 1;
                if (text[at] == '\\' && text[at + 1] != '\0')
                    at++;
                at++;
            }
            assert(at > start && at < LENGTH);
            words++;
        } else if (text[at] >= '0' && text[at] <= '9') {
            while (text[at + 1] >= '0' && text[at + 1] <= '9')
                at++;
            numbers++;
        } else if (text[at] != ' ') {
            return 1;
        }
    }
    assert(at <= LENGTH);
    assert(2 * words + numbers < LENGTH);
    return 0;
}
