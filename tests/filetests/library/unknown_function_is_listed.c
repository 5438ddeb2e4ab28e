// kripke: check
// verdict: holds
// prints: read_sensor

#include <assert.h>

int read_sensor(int channel);

int main(void)
{
    int value = read_sensor(3);
    if (value < 0 || value > 1023)
        return 1;
    assert(value < 1024);
    return 0;
}
