// kripke: check --interrupt tick --check assertion --target thumbv6m-none-eabi
// verdict: holds
#include <assert.h>
#include <stdint.h>
static inline void __enable_irq(void)
{
    __asm__ volatile("cpsie i" : : : "memory");
}
static inline void __disable_irq(void)
{
    __asm__ volatile("cpsid i" : : : "memory");
}
static inline uint32_t __get_PRIMASK(void)
{
    uint32_t result;
    __asm__ volatile("MRS %0, primask" : "=r"(result));
    return result;
}
static inline void __set_PRIMASK(uint32_t mask)
{
    __asm__ volatile("MSR primask, %0" : : "r"(mask) : "memory");
}
static volatile uint64_t t;
void tick(void)
{
    t = t == 0 ? 0x100000001u : 0;
}
int main(void)
{
    for (;;) {
        uint32_t saved = __get_PRIMASK();
        __disable_irq();
        uint64_t now = t;
        __set_PRIMASK(saved);
        assert((uint32_t)now == (uint32_t)(now >> 32));
    }
}
