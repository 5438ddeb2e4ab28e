// kripke: check --check atomicity
// verdict: holds

#include "FreeRTOS.h"
static int sum;

static void first(void *unused)
{
    taskENTER_CRITICAL();
    sum++;
    taskEXIT_CRITICAL();
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    taskENTER_CRITICAL();
    sum++;
    taskEXIT_CRITICAL();
    vTaskDelete(NULL);
}

int main(void)
{
    run(first, second);
    return 0;
}
