// kripke: check
// verdict: violated
// violates: assertion@13

#include <assert.h>
#include <time.h>
int main(void)
{
    time_t zero = 0;
    struct tm *utc = gmtime(&zero);
    int hour = utc->tm_hour;
    localtime(&zero);
    assert(utc->tm_hour == hour);
    return 0;
}
