// A port of FreeRTOS to a machine with one task and no interrupts, as our harnesses need it.
#include <limits.h>
#include <stdint.h>

typedef unsigned long StackType_t;
typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t TickType_t;

#define portSTACK_TYPE StackType_t
#define portBASE_TYPE BaseType_t
#define portPOINTER_SIZE_TYPE uintptr_t
#define portMAX_DELAY UINT32_MAX
#define portSTACK_GROWTH (-1)
#define portBYTE_ALIGNMENT 8
#define portYIELD()
#define portENTER_CRITICAL()
#define portEXIT_CRITICAL()
#define portDISABLE_INTERRUPTS()
#define portENABLE_INTERRUPTS()
#define portSET_INTERRUPT_MASK_FROM_ISR() 0
#define portCLEAR_INTERRUPT_MASK_FROM_ISR(mask) ((void)(mask))
#define portTASK_FUNCTION_PROTO(function, parameters) void function(void *parameters)
#define portTASK_FUNCTION(function, parameters) void function(void *parameters)
