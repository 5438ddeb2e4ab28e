// kripke: check
// verdict: violated
// violates: main.deadlock.1

#include "cmsis_os2.h"

static osSemaphoreId_t semaphore;

static void first(void *unused)
{
    osDelay(1);
}

static void second(void *unused)
{
    osSemaphoreAcquire(semaphore, osWaitForever);
}

int main(void)
{
    osKernelInitialize();
    semaphore = osSemaphoreNew(1, 0, NULL);
    osThreadNew(first, NULL, NULL);
    osThreadNew(second, NULL, NULL);
    osKernelStart();
    return 0;
}
