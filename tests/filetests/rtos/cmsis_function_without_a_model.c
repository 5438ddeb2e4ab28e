// kripke: check
// verdict: unknown

#include "cmsis_os2.h"


static void first(void *unused)
{
    osThreadFlagsWait(1, 0, osWaitForever);
}

static void second(void *unused)
{
    osDelay(1);
}

int main(void)
{
    osKernelInitialize();
    osThreadNew(first, NULL, NULL);
    osThreadNew(second, NULL, NULL);
    osKernelStart();
    return 0;
}
