// inih: N unknown characters are read as an INI file; every entry has a section, a name and a value.
#include <assert.h>
#include <string.h>
#include "ini.h"

char __VERIFIER_nondet_char(void);

static int entry(void *user, const char *section, const char *name, const char *value) {
    (void)user;
    assert(strlen(section) <= N && strlen(name) <= N && strlen(value) <= N);
    return 1;
}

int main(void) {
    char text[N];
    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    int line = ini_parse_string_length(text, N, entry, NULL);
    assert(line >= 0 && line <= N);
    return 0;
}
