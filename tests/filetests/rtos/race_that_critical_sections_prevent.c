// kripke: check --check data-race
// verdict: holds

#include "FreeRTOS.h"
static int count;

static void first(void *unused)
{
    taskENTER_CRITICAL();
    count++;
    taskEXIT_CRITICAL();
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    taskENTER_CRITICAL();
    count++;
    taskEXIT_CRITICAL();
    vTaskDelete(NULL);
}

int main(void)
{
    run(first, second);
    return 0;
}
