// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static SemaphoreHandle_t places;
static int inside;

static void visit(void)
{
    xSemaphoreTake(places, portMAX_DELAY);
    taskENTER_CRITICAL();
    inside++;
    assert(inside <= 2);
    taskEXIT_CRITICAL();
    taskENTER_CRITICAL();
    inside--;
    taskEXIT_CRITICAL();
    xSemaphoreGive(places);
}

static void first(void *unused)
{
    visit();
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    visit();
    vTaskDelete(NULL);
}

int main(void)
{
    places = xSemaphoreCreateCounting(2, 2);
    xTaskCreate(first, "third", 128, NULL, 1, NULL);
    run(first, second);
    return 0;
}
