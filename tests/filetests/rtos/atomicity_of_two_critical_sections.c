// kripke: check --check atomicity
// verdict: violated
// violates: atomicity@24
// prints: read-write-write: another thread writes between the read at

#include "FreeRTOS.h"
static int sum;

static void first(void *unused)
{
    taskENTER_CRITICAL();
    sum = 0;
    taskEXIT_CRITICAL();
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    int old;
    taskENTER_CRITICAL();
    old = sum;
    taskEXIT_CRITICAL();
    taskENTER_CRITICAL();
    sum = old + 1;
    taskEXIT_CRITICAL();
    vTaskDelete(NULL);
}

int main(void)
{
    run(first, second);
    return 0;
}
