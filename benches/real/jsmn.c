// jsmn: every string of up to N bytes is split into tokens that lie inside the string and inside each other.
#include <assert.h>
#include <string.h>
#define JSMN_PARENT_LINKS
#include "jsmn.h"

#define TOKENS 3

char __VERIFIER_nondet_char(void);

int main(void) {
    char text[N + 1];
    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    text[N] = '\0';
    int length = (int)strlen(text);
    jsmn_parser parser;
    jsmntok_t tokens[TOKENS];
    jsmn_init(&parser);
    int count = jsmn_parse(&parser, text, length, tokens, TOKENS);
    assert(count >= JSMN_ERROR_PART && count <= TOKENS);
    for (int i = 0; i < count; i++) {
        assert(tokens[i].start >= 0 && tokens[i].start <= tokens[i].end);
        assert(tokens[i].end <= length);
        assert(tokens[i].parent < i);
    }
    return 0;
}
