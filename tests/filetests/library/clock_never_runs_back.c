// kripke: check
// verdict: holds

#include <assert.h>
#include <time.h>

int main(void)
{
    time_t start = time(0);
    time_t end = time(0);
    assert(end >= start);
    clock_t a = clock(), b = clock();
    assert(a <= b);
    return 0;
}
