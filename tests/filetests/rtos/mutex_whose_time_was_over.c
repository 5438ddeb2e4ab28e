// kripke: check
// verdict: violated
// violates: assertion@18

#include "FreeRTOS.h"
static SemaphoreHandle_t mutex;
static int count;
static volatile int done;

static void work(void)
{
    BaseType_t got = xSemaphoreTake(mutex, 5);
    count++;
    if (got)
        xSemaphoreGive(mutex);
    taskENTER_CRITICAL();
    done++;
    assert(done < 2 || count == 2);
    taskEXIT_CRITICAL();
}

static void first(void *unused)
{
    work();
    vTaskDelete(NULL);
}

static void second(void *unused)
{
    work();
    vTaskDelete(NULL);
}

int main(void)
{
    mutex = xSemaphoreCreateMutex();
    run(first, second);
    return 0;
}
