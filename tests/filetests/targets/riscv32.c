// kripke: check --target riscv32-unknown-elf
// verdict: holds

#include <assert.h>
#include <stdint.h>
unsigned nondet_uint(void);

int main(void)
{
    assert(sizeof(long) == 4 && sizeof(void *) == 4);
    uint64_t x = nondet_uint();
    x = x << 32 | x;
    assert((uint32_t)(x >> 32) == (uint32_t)x);
    return 0;
}
