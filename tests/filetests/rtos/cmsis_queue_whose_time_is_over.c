// kripke: check
// verdict: violated
// violates: assertion@18

#include "cmsis_os2.h"

static osMessageQueueId_t queue;

static void first(void *unused)
{
    int value = 4;
    osMessageQueuePut(queue, &value, 0, osWaitForever);
}

static void second(void *unused)
{
    int value;
    assert(osMessageQueueGet(queue, &value, NULL, 100) == osOK);
}

int main(void)
{
    osKernelInitialize();
    queue = osMessageQueueNew(2, sizeof(int), NULL);
    osThreadNew(first, NULL, NULL);
    osThreadNew(second, NULL, NULL);
    osKernelStart();
    return 0;
}
