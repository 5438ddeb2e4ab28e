/* FreeRTOS: a task measures and sends, another one receives and reports; both count what they did. Without
 * -D GUARDED nothing keeps one from counting while the other does. */
#include <assert.h>

#include "FreeRTOS.h"

static QueueHandle_t measurements;
static SemaphoreHandle_t guard;
static TaskHandle_t reporter;
static unsigned done;

static void count(void)
{
#ifdef GUARDED
    xSemaphoreTake(guard, portMAX_DELAY);
#endif
    done++;
#ifdef GUARDED
    xSemaphoreGive(guard);
#endif
}

static void measure(void *unused)
{
    int value = 21;
    xQueueSend(measurements, &value, portMAX_DELAY);
    count();
    xTaskNotifyGive(reporter);
    vTaskDelete(NULL);
}

static void report(void *unused)
{
    int value;
    xQueueReceive(measurements, &value, portMAX_DELAY);
    assert(value == 21);
    count();
    ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    assert(done == 2);
    vTaskDelete(NULL);
}

int main(void)
{
    measurements = xQueueCreate(4, sizeof(int));
    guard = xSemaphoreCreateMutex();
    xTaskCreate(measure, "measure", 128, NULL, 1, NULL);
    xTaskCreate(report, "report", 128, NULL, 2, &reporter);
    vTaskStartScheduler();
}
