// kripke: check --check none
// verdict: violated
// violates: ltl@10
// ltl: p: G F {data}

#include "FreeRTOS.h"
static SemaphoreHandle_t semaphore;
static int data;

static void first(void *unused)
{
    for (;;)
        taskYIELD();
}

static void second(void *unused)
{
    for (;;) {
        data = 1;
        data = 0;
    }
}

int main(void)
{
    semaphore = xSemaphoreCreateBinary();
    run(first, second);
    return 0;
}
