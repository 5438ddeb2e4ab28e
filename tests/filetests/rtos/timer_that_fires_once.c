// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static int fired;

static void tick(TimerHandle_t timer)
{
    fired++;
}

static void first(void *unused)
{
    TimerHandle_t timer = xTimerCreate("tick", 10, pdFALSE, NULL, tick);
    assert(fired == 0);
    xTimerStart(timer, 0);
    vTaskDelay(100);
    taskENTER_CRITICAL();
    assert(fired <= 1);
    taskEXIT_CRITICAL();
    vTaskDelete(NULL);
}

int main(void)
{
    xTaskCreate(first, "first", 128, NULL, 1, NULL);
    vTaskStartScheduler();
    return 0;
}
