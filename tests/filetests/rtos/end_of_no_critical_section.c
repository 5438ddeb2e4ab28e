// kripke: check
// verdict: violated
// violates: library-contract@8

#include "FreeRTOS.h"
static void first(void *unused)
{
    taskEXIT_CRITICAL();
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    vTaskDelete(NULL);
}

int main(void)
{
    run(first, second);
    return 0;
}
