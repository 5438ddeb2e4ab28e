// kripke: check
// verdict: violated
// violates: assertion@21

#include "cmsis_os2.h"

static osMutexId_t mutex;
static osSemaphoreId_t done;
static int count;

static void first(void *unused)
{
    count++;
    osSemaphoreRelease(done);
}

static void second(void *unused)
{
    count++;
    osSemaphoreAcquire(done, osWaitForever);
    assert(count == 2);
}

int main(void)
{
    osKernelInitialize();
    mutex = osMutexNew(NULL);
    done = osSemaphoreNew(1, 0, NULL);
    osThreadNew(first, NULL, NULL);
    osThreadNew(second, NULL, NULL);
    osKernelStart();
    return 0;
}
