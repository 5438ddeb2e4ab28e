// kripke: check
// verdict: violated
// violates: library-contract@9

#include "FreeRTOS.h"
static void first(void *unused)
{
    vTaskSuspendAll();
    vTaskDelay(1);
    xTaskResumeAll();
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
