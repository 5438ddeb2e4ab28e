// kripke: check
// verdict: unknown

#include "FreeRTOS.h"
static void first(void *unused)
{
    vTaskDelete(NULL);
}

int main(void)
{
    xTaskCreate(first, "first", 128, NULL, 1, NULL);
    return 0;
}
