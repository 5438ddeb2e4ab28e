// kripke: check
// verdict: holds

#include <assert.h>
#define MAX(a, b) ({ __typeof__(a) x_ = (a), y_ = (b); x_ > y_ ? x_ : y_; })

int main(void)
{
    int calls = 0;
    int m = MAX(++calls, 0);
    assert(m == 1 && calls == 1);
    return 0;
}
