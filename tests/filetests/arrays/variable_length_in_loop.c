// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    int total = 0;
    for (int n = 1; n <= 3; n++) {
        char row[n];
        for (int i = 0; i < n; i++)
            row[i] = (char)n;
        total += row[n - 1] + (int)sizeof row;
    }
    assert(total == 12);
    return 0;
}
