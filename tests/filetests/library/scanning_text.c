// kripke: check
// verdict: holds

#include <assert.h>
#include <stdio.h>

int main(void)
{
    int hour, minute;
    char unit[3];
    int n = sscanf("12:34 pm", "%d:%d %2s", &hour, &minute, unit);
    assert(n == 3 && hour == 12 && minute == 34 && unit[0] == 'p' && unit[2] == 0);
    n = sscanf("x", "%d", &hour);
    assert(n == 0 && hour == 12);
    assert(sscanf("", "%d", &hour) == EOF);
    return 0;
}
