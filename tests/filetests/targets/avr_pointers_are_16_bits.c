// kripke: check --target avr
// verdict: holds

#include <assert.h>
#include <stdint.h>

int main(void)
{
    static uint8_t buffer[4];
    uintptr_t address = (uintptr_t)&buffer[1];
    assert(sizeof address == 2);
    uint8_t *p = (uint8_t *)(address + 1);
    *p = 7;
    assert(buffer[2] == 7);
    return 0;
}
