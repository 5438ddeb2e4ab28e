// kripke: check
// verdict: holds

#include "FreeRTOS.h"
static int numbers[2] = {3, 4};

static void first(void *parameter)
{
    const int *number = parameter;
    assert(*number == 3 || *number == 4);
    vTaskDelete(NULL);
}

int main(void)
{
    xTaskCreate(first, "three", 128, &numbers[0], 1, NULL);
    xTaskCreate(first, "four", 128, &numbers[1], 1, NULL);
    vTaskStartScheduler();
    return 0;
}
