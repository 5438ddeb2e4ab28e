// http-parser: N unknown characters are taken apart as a URL; every part lies inside them.
#include <assert.h>
#include "http_parser.h"

char __VERIFIER_nondet_char(void);
_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    char text[N];
    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    struct http_parser_url url;
    http_parser_url_init(&url);
    if (http_parser_parse_url(text, N, __VERIFIER_nondet_bool(), &url) == 0)
        for (int part = 0; part < UF_MAX; part++)
            if (url.field_set & (1 << part))
                assert(url.field_data[part].off + url.field_data[part].len <= N);
    return 0;
}
