// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>

int main(void)
{
    int target = 5;
    union {
        int *pointer;
        uintptr_t address;
    } u;
    u.pointer = &target;
    u.address += sizeof(int);
    u.address -= sizeof(int);
    assert(*u.pointer == 5);
    return 0;
}
