// kripke: check --interrupts --target thumbv7m-none-eabi --check assertion --all
// verdict: violated
// violates: main.assertion.1
// violates: main.assertion.2
// violates: main.assertion.3
// prints: number 0), `b` (priority 1, number 1), `c` (priority 1, number 2)
#include <assert.h>
#include <stdint.h>
static volatile int x, y, z;
static void a(void)
{
    x = 1;
}
static void b(void)
{
    y = 1;
}
static void c(void)
{
    z = 1;
}
typedef union {
    void (*handler)(void);
    void *pointer;
} entry;
__attribute__((section(".vectors.numbers"), used)) static const uint32_t numbers[] = {
    0x20005000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (uint32_t)a,
};
__attribute__((section(".vectors.pointers"), used)) static const void *const pointers[] = {
    (void *)0x20005000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (const void *)b,
};
__attribute__((section(".vectors.unions"), used)) static const entry unions[19] = {
    {.pointer = (void *)0x20005000},
    [18] = {.handler = c},
};
int main(void)
{
    assert(x == 0);
    assert(y == 0);
    assert(z == 0);
    return 0;
}
