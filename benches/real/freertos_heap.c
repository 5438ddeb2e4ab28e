// FreeRTOS: heap_4.c after N allocations of any size, each perhaps freed at once: what is allocated is
// aligned and writable from end to end, blocks do not overlap, and all is one free block when all is freed.
#include <assert.h>
#include <stdbool.h>
#include <string.h>
#include "FreeRTOS.h"
#include "task.h"

bool __VERIFIER_nondet_bool(void);
size_t __VERIFIER_nondet_size_t(void);

void vTaskSuspendAll(void) {}
BaseType_t xTaskResumeAll(void) { return pdFALSE; }
void vPortEnterCritical(void) {}
void vPortExitCritical(void) {}

int main(void) {
    unsigned char *blocks[N];
    size_t sizes[N];
    for (int i = 0; i < N; i++) {
        sizes[i] = __VERIFIER_nondet_size_t();
        blocks[i] = pvPortMalloc(sizes[i]);
        if (blocks[i] == NULL)
            continue;
        assert(sizes[i] > 0 && sizes[i] < configTOTAL_HEAP_SIZE);
        assert((portPOINTER_SIZE_TYPE)blocks[i] % portBYTE_ALIGNMENT == 0);
        blocks[i][0] = (unsigned char)i;
        blocks[i][sizes[i] - 1] = (unsigned char)i;
        if (__VERIFIER_nondet_bool()) {
            vPortFree(blocks[i]);
            blocks[i] = NULL;
        }
    }
    for (int i = 0; i < N; i++) {
        if (blocks[i] == NULL)
            continue;
        assert(blocks[i][0] == i && blocks[i][sizes[i] - 1] == i);
        vPortFree(blocks[i]);
    }
    HeapStats_t stats;
    vPortGetHeapStats(&stats);
    assert(stats.xNumberOfFreeBlocks <= 1);
    return 0;
}
