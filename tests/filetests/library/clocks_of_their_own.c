// kripke: check
// verdict: violated
// violates: assertion@13
// The time since the machine was started is less than that of the calendar, whichever is asked for first.
#include <assert.h>
#include <time.h>

int main(void)
{
    struct timespec calendar, running;
    clock_gettime(CLOCK_REALTIME, &calendar);
    clock_gettime(CLOCK_MONOTONIC, &running);
    assert(running.tv_sec >= calendar.tv_sec);
    return 0;
}
