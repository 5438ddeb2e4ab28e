
/* What the compiler calls. */

static void kripke_update(const volatile void *at, size_t size) {
    kripke_point();
    kripke_check_turn(at);
    kripke_meet(at, size, 1, 1);
    kripke_check_heap(at, size);
    kripke_count(at, size, 0);
    kripke_count(at, size, 1);
}

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) {
    (void)caller;
    kripke_stack_of[kripke_stack()] = (char *)__builtin_frame_address(0) + 16;
    kripke_point();
}
void __tsan_func_exit(void) {
    kripke_stack_of[kripke_stack()] = (char *)__builtin_frame_address(1) + 16;
    kripke_point();
}
void __tsan_vptr_update(void **at, void *value) { (void)value; kripke_access(at, sizeof *at, 1); }
void __tsan_vptr_read(void **at) { kripke_access(at, sizeof *at, 0); }
void __tsan_read_range(void *at, size_t size) { kripke_access(at, size, 0); }
void __tsan_write_range(void *at, size_t size) { kripke_access(at, size, 1); }

#define KRIPKE_HOOKS(prefix, size)                                                                 \
    void __tsan_##prefix##read##size(void *at) { kripke_access(at, size, 0); }                     \
    void __tsan_##prefix##write##size(void *at) { kripke_access(at, size, 1); }                    \
    void __tsan_##prefix##read_write##size(void *at) {                                             \
        kripke_access(at, size, 0);                                                                \
        kripke_count(at, size, 1);                                                                 \
    }
#define KRIPKE_ALL_HOOKS(prefix)                                                                   \
    KRIPKE_HOOKS(prefix, 1) KRIPKE_HOOKS(prefix, 2) KRIPKE_HOOKS(prefix, 4)                        \
    KRIPKE_HOOKS(prefix, 8) KRIPKE_HOOKS(prefix, 16)
KRIPKE_ALL_HOOKS()
KRIPKE_ALL_HOOKS(unaligned_)
KRIPKE_ALL_HOOKS(volatile_)
KRIPKE_ALL_HOOKS(unaligned_volatile_)

#define KRIPKE_CHANGE(type, bits, name, builtin)                                                   \
    type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) {                  \
        (void)order;                                                                               \
        kripke_update(at, sizeof *at);                                                             \
        return builtin(at, value, __ATOMIC_SEQ_CST);                                               \
    }
#define KRIPKE_EXCHANGE(type, bits, kind)                                                          \
    int __tsan_atomic##bits##_compare_exchange_##kind(volatile type *at, type *expected, type value, \
                                                      int order, int failed) {                     \
        (void)order, (void)failed;                                                                 \
        kripke_any_access(at, sizeof *at, 0, 1);                                                   \
        kripke_count(at, sizeof *at, 1);                                                           \
        return __atomic_compare_exchange_n(at, expected, value, 0, 5, 5);                          \
    }
#define KRIPKE_ATOMICS(type, bits)                                                                 \
    type __tsan_atomic##bits##_load(const volatile type *at, int order) {                          \
        (void)order;                                                                               \
        kripke_any_access(at, sizeof *at, 0, 1);                                                   \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                              \
    }                                                                                              \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int order) {                   \
        (void)order;                                                                               \
        kripke_any_access(at, sizeof *at, 1, 1);                                                   \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                             \
    }                                                                                              \
    KRIPKE_CHANGE(type, bits, exchange, __atomic_exchange_n)                                       \
    KRIPKE_CHANGE(type, bits, fetch_add, __atomic_fetch_add)                                       \
    KRIPKE_CHANGE(type, bits, fetch_sub, __atomic_fetch_sub)                                       \
    KRIPKE_CHANGE(type, bits, fetch_and, __atomic_fetch_and)                                       \
    KRIPKE_CHANGE(type, bits, fetch_or, __atomic_fetch_or)                                         \
    KRIPKE_CHANGE(type, bits, fetch_xor, __atomic_fetch_xor)                                       \
    KRIPKE_CHANGE(type, bits, fetch_nand, __atomic_fetch_nand)                                     \
    KRIPKE_EXCHANGE(type, bits, strong)                                                            \
    KRIPKE_EXCHANGE(type, bits, weak)
KRIPKE_ATOMICS(unsigned char, 8)
KRIPKE_ATOMICS(unsigned short, 16)
KRIPKE_ATOMICS(unsigned int, 32)
KRIPKE_ATOMICS(unsigned long long, 64)
void __tsan_atomic_thread_fence(int order) { (void)order; kripke_point(); }
void __tsan_atomic_signal_fence(int order) { (void)order; }
