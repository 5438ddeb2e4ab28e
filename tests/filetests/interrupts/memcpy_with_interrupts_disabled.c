// kripke: check --interrupt tick --check assertion --interrupt-disable lock --interrupt-enable unlock
// verdict: holds
#include <assert.h>
#include <string.h>
void lock(void);
void unlock(void);
static unsigned char shared[4], own[4];
void tick(void)
{
    unsigned char next = shared[0] == 0;
    shared[0] = next;
    shared[3] = next;
}
int main(void)
{
    unlock();
    lock();
    memcpy(own, shared, 4);
    unlock();
    assert(own[0] == own[3]);
    return 0;
}
