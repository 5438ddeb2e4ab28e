// kripke: check
// verdict: holds

#include <assert.h>

extern volatile int flag;
volatile int flag;

static volatile struct {
    int value;
} shared;

int main(void)
{
    flag = 1;
    shared.value = 2;
    assert(flag == 1 && shared.value == 2);
    return 0;
}
