// kripke: check --interrupt button:1:6
// verdict: holds

#include "cmsis_os2.h"

void NVIC_EnableIRQ(int number);

static osSemaphoreId_t pressed;
static volatile int is_pressed;

void button(void)
{
    is_pressed = 1;
    osSemaphoreRelease(pressed);
}

static void work(void *unused)
{
    for (;;) {
        osSemaphoreAcquire(pressed, osWaitForever);
        assert(is_pressed);
    }
}

int main(void)
{
    osKernelInitialize();
    pressed = osSemaphoreNew(1, 0, NULL);
    NVIC_EnableIRQ(6);
    osThreadNew(work, NULL, NULL);
    osKernelStart();
}
