// kripke: check --check default,leak
// verdict: holds

#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int **rows = malloc(3 * sizeof *rows);
    for (int i = 0; i < 3; i++) {
        rows[i] = calloc((size_t)i + 1, sizeof **rows);
        rows[i][i] = i;
    }
    assert(rows[2][0] == 0 && rows[2][2] == 2);
    for (int i = 0; i < 3; i++)
        free(rows[i]);
    free(rows);
    return 0;
}
