// cJSON: N unknown bytes in a heap buffer that ends with them are parsed, and what came out is freed.
#include <assert.h>
#include <stdlib.h>
#include "cJSON.h"

char __VERIFIER_nondet_char(void);

int main(void) {
    char *text = malloc(N);
    if (text == NULL)
        return 0;
    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    cJSON *value = cJSON_ParseWithLength(text, N);
    if (value != NULL)
        assert(value->next == NULL);
    cJSON_Delete(value);
    free(text);
    return 0;
}
