#include <stdatomic.h>

static _Atomic int counter;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Atomic(struct { int a, b; }) pair;
static _Thread_local int own;

int main(void) {
    while (atomic_flag_test_and_set(&lock)) {}
    atomic_fetch_add(&counter, 2);
    counter -= 1;
    counter++;
    int expected = 1;
    int swapped = atomic_compare_exchange_strong(&counter, &expected, 5);
    int weak = atomic_compare_exchange_weak_explicit(&counter, &expected, 6, memory_order_acq_rel, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);
    own = __sync_fetch_and_or(&own, 4) + __atomic_exchange_n(&own, 3, __ATOMIC_RELAXED);
    atomic_store_explicit(&counter, own, memory_order_release);
    atomic_flag_clear(&lock);
    (void)pair;
    return atomic_load_explicit(&counter, memory_order_relaxed) + swapped + weak + own;
}
