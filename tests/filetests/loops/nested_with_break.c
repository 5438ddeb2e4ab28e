// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    int steps = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0;; j++) {
            if (j > i)
                break;
            if ((i + j) % 2)
                continue;
            steps++;
        }
    assert(steps == 9);
    return 0;
}
