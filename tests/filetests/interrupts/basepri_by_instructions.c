// kripke: check --interrupt a:1:3 --interrupt tick:1:-1 --interrupt NMI_Handler:2:-14
// options: --all --target thumbv7m-none-eabi --check assertion
// verdict: violated
// violates: main.assertion.3
/* What CMSIS writes; priorities are written to registers, and NMI has none. */
#include <assert.h>
#include <stdint.h>
static inline uint32_t get(void)
{
    uint32_t value;
    __asm__ volatile("MRS %0, basepri" : "=r"(value));
    return value;
}
static inline void set(uint32_t value)
{
    __asm__ volatile("MSR basepri, %0" ::"r"(value) : "memory");
}
static inline void raise(uint32_t value)
{
    __asm__ volatile("msr basepri_max, %0\n\tisb" ::"r"(value) : "memory");
}
struct nvic {
    uint8_t enabling[0x300];
    volatile uint8_t priorities[240];
};
#define NVIC ((struct nvic *)0xE000E100u)
static inline void NVIC_SetPriority(int number, uint32_t priority)
{
    if (number >= 0)
        NVIC->priorities[number] = (uint8_t)(priority << 4 & 0xff);
    else
        ((volatile uint8_t *)0xE000ED18u)[(number & 15) - 4] = (uint8_t)(priority << 4 & 0xff);
}

static volatile int x, y, z;
void a(void)
{
    x++;
}
void tick(void)
{
    y++;
}
void NMI_Handler(void)
{
    z++;
}
int main(void)
{
    NVIC_SetPriority(3, 15);
    NVIC_SetPriority(-1, 15);
    uint32_t outer = get();
    set(0x50);
    uint32_t inner = get();
    raise(0x40);
    int t = x, u = y, v = z;
    assert(t == x && u == y);
    assert(get() == 0x40 && inner == 0x50 && outer == 0);
    assert(v == z);
    set(inner);
    assert(t == x);
    set(outer);
    return 0;
}
