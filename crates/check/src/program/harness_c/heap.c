
/* Objects of the heap: their numbers, and which are freed; those keep their memory. */
extern char __executable_start, etext;
static size_t kripke_sizes[KRIPKE_BLOCKS];
static int kripke_freed[KRIPKE_BLOCKS];

/* Is it called by the program, and not by the C library? */
static int kripke_is_own(const void *caller) {
    return (const char *)caller >= &__executable_start && (const char *)caller < &etext;
}

#define KRIPKE_IS_OWN kripke_is_own(__builtin_return_address(0))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *at);

static void *kripke_new(void *at, size_t size) {
    if (at && ++kripke_block_count < KRIPKE_BLOCKS) {
        kripke_blocks[kripke_block_count] = at;
        kripke_sizes[kripke_block_count] = size;
    }
    return at;
}

static unsigned kripke_block_of(const volatile void *at) {
    const volatile char *from = at;
    for (unsigned number = 1; number <= kripke_block_count && number < KRIPKE_BLOCKS; number++)
        if (from >= kripke_blocks[number] && from < kripke_blocks[number] + kripke_sizes[number])
            return number;
    return 0;
}

static void kripke_check_heap(const volatile void *at, size_t size) {
    const volatile char *from = at;
    for (unsigned runner = 0; runner < KRIPKE_RUNNERS; runner++) {
        char *top = kripke_tops[runner], *end = kripke_stack_of[runner];
        if (top && end && from > top - (8L << 20) && from < top && from < end)
            kripke_violated("access to an object of a function that has returned");
    }
    unsigned number = kripke_block_of(at);
    if (number && kripke_freed[number])
        kripke_violated("access to memory that was freed");
    if (number && (const volatile char *)at + size > kripke_blocks[number] + kripke_sizes[number])
        kripke_violated("access behind the end of memory of the heap");
}

void *malloc(size_t size) {
    int is_own = KRIPKE_IS_OWN;
    void *at = __libc_malloc(size);
    return is_own ? kripke_new(at, size) : at;
}

void *calloc(size_t count, size_t size) {
    int is_own = KRIPKE_IS_OWN;
    void *at = __libc_calloc(count, size);
    return is_own ? kripke_new(at, count * size) : at;
}

void free(void *at) {
    unsigned number = kripke_block_of(at);
    if (!number)
        return __libc_free(at);
    kripke_point();
    if (kripke_freed[number])
        kripke_violated("memory is freed twice");
    if (at != kripke_blocks[number])
        kripke_violated("free of what is not the beginning of an object");
    kripke_count(at, kripke_sizes[number] ? kripke_sizes[number] : 1, 1);
    kripke_freed[number] = 1;
}

void *realloc(void *old, size_t size) {
    unsigned number = kripke_block_of(old);
    int is_own = KRIPKE_IS_OWN;
    void *at;
    if (!number && !(is_own && !old))
        return __libc_realloc(old, size);
    at = kripke_new(__libc_malloc(size), size);
    if (number && at) {
        __builtin_memcpy(at, old, kripke_sizes[number] < size ? kripke_sizes[number] : size);
        kripke_freed[number] = 1;
    }
    return at;
}
