// FreeRTOS with as little as it takes: a heap of 256 bytes, and every check it can make of itself.
#include <assert.h>

#define configASSERT(condition) assert(condition)
#define configTOTAL_HEAP_SIZE 256
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configMINIMAL_STACK_SIZE 128
#define configMAX_PRIORITIES 4
#define configUSE_PREEMPTION 1
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 0
