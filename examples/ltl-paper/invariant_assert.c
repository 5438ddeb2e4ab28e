/* Figure 4, left: the loop's invariant as an assertion. It speaks about one place in the program. */
#include <assert.h>

enum { COUNT = 6 };

const int count = COUNT;
int i = COUNT;
int j = 0;

int main(void) {
    while (i) {
        i--;
        j++;
        assert(i + j == count);
    }
    return 0;
}
