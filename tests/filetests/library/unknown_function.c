// kripke: check
// verdict: violated
// violates: assertion@12

#include <assert.h>

int read_sensor(int channel);

int main(void)
{
    int value = read_sensor(3);
    assert(value < 1024);
    return 0;
}
