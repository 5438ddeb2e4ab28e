// kripke: check --check default,leak
// verdict: holds

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *copy = strdup("text");
    assert(strcmp(copy, "text") == 0);
    copy[0] = 'T';
    free(copy);
    return 0;
}
