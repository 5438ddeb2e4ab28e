// kripke: check --arguments 2 --argument-length 3
// verdict: holds
// There are as many as `argc` says, and then a null pointer.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    assert(1 <= argc && argc <= 3 && argv[argc] == NULL);
    int sum = 0;
    for (int i = 1; i < argc; i++) {
        assert(argv[i] != NULL && strlen(argv[i]) <= 3);
        if ('0' <= argv[i][0] && argv[i][0] <= '9')
            sum += atoi(argv[i]);
    }
    assert(sum <= 2 * 999);
    return 0;
}
