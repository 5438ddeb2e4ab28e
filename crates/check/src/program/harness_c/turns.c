
/* The compiler calls a function here before each access to memory (-fsanitize=thread), which is how this
 * file knows how far the program is, and where the next turn of the counterexample begins. */

typedef __PTRDIFF_TYPE__ ptrdiff_t;
void *dlsym(void *library, const char *name);
int strcmp(const char *a, const char *b);
size_t strlen(const char *text);
static void kripke_violated(const char *what);
__attribute__((unused)) static unsigned kripke_runner(void);
static unsigned kripke_stack(void);
static void kripke_point(void);
static void kripke_check_turn(const volatile void *at);

static void kripke_leaves(const char *how) {
    fflush(0);
    dprintf(2, "kripke: the run has left the counterexample in turn %u: %s\n", kripke_now + 1, how);
    _exit(2);
}

/* A function of the C library, also where the program or this file has another one of the name. */
static void *kripke_library(const char *name) {
    void *found = dlsym((void *)-1L, name);
    if (!found)
        kripke_leaves(name);
    return found;
}

/* Symbols, also static ones: they are read from the program's file. */
static unsigned char *kripke_image;
char kripke_anchor;

static unsigned long kripke_number(const unsigned char *at, int bytes) {
    unsigned long value = 0;
    __builtin_memcpy(&value, at, bytes);
    return value;
}

static void kripke_read_image(void) {
    int (*open_file)(const char *, int, ...) = kripke_library("open");
    long (*read_file)(int, void *, size_t) = kripke_library("read");
    long (*seek)(int, long, int) = kripke_library("lseek");
    void *(*allocate)(size_t) = kripke_library("malloc");
    int file = open_file("/proc/self/exe", 0);
    long size = seek(file, 0, 2), done = 0, count = 1;
    seek(file, 0, 0);
    if (size <= 0 || !(kripke_image = allocate(size)))
        kripke_leaves("/proc/self/exe cannot be read");
    while (done < size && (count = read_file(file, kripke_image + done, size - done)) > 0)
        done += count;
    if (done < size || kripke_image[4] != 2)
        kripke_leaves("the program's file is not of 64 bits");
}

static int kripke_is_number(const char *text) {
    for (; *text; text++)
        if (*text < '0' || *text > '9')
            return 0;
    return 1;
}

/* How well a symbol fits a name: a static object of a function is `function.name` for one compiler and
 * `name.1` for another; kripke numbers static ones of several files. */
static int kripke_fits(const char *symbol, const char *name) {
    const char *last = name;
    size_t length = strlen(name), start;
    if (!strcmp(symbol, name))
        return 3;
    for (start = length; start > 0; start--)
        if (name[start - 1] == '.')
            break;
    if (start > 0 && kripke_is_number(name + start))
        length = start - 1;
    if (strlen(symbol) == length && !__builtin_memcmp(symbol, name, length))
        return 2;
    for (start = 0; start < length; start++)
        if (name[start] == '.')
            last = name + start + 1;
    length -= last - name;
    return !__builtin_memcmp(symbol, last, length) && symbol[length] == '.' &&
           kripke_is_number(symbol + length + 1);
}

/* What the symbol of a name and a type (1: object, 2: function) stands for; that of a file, if several have
 * a static one. */
static unsigned long kripke_value(const char *name, const char *file, unsigned type) {
    const unsigned char *header = kripke_image + kripke_number(kripke_image + 40, 8);
    unsigned long found = 0;
    int best = 0;
    for (unsigned long count = kripke_number(kripke_image + 60, 2); count > 0; count--, header += 64) {
        const unsigned char *table = kripke_image + kripke_number(header + 24, 8);
        const unsigned char *sections = kripke_image + kripke_number(kripke_image + 40, 8);
        const unsigned char *link = sections + 64 * kripke_number(header + 40, 4);
        const char *names = (const char *)kripke_image + kripke_number(link + 24, 8);
        const char *in = "";
        if (kripke_number(header + 4, 4) != 2)
            continue;
        for (unsigned long at = 0; at < kripke_number(header + 32, 8); at += 24) {
            const char *symbol = names + kripke_number(table + at, 4);
            int fits = 2 * kripke_fits(symbol, name), is_static = table[at + 4] >> 4 == 0;
            if ((table[at + 4] & 15) == 4)
                in = symbol;
            fits += fits > 0 && (!is_static || (file && !strcmp(in, file)));
            if ((table[at + 4] & 15) == type && kripke_number(table + at + 6, 2) && fits > best) {
                found = kripke_number(table + at + 8, 8);
                best = fits;
            }
        }
    }
    return found;
}

static void *kripke_symbol(const char *name, const char *file, unsigned type) {
    unsigned long value = kripke_value(name, file, type), anchor = kripke_value("kripke_anchor", 0, 1);
    if (!value || !anchor) {
        dprintf(2, "kripke: the program has no '%s': is it the one that was checked?\n", name);
        _exit(2);
    }
    return &kripke_anchor + (long)(value - anchor);
}

/* Objects of the heap get numbers in the order of their creation. */
#define KRIPKE_BLOCKS 4096
static char *kripke_blocks[KRIPKE_BLOCKS];
__attribute__((unused)) static unsigned kripke_block_count;
/* The arguments of threads. */
static char *kripke_arguments[KRIPKE_RUNNERS];
/* The tops of the stacks. */
static char *kripke_tops[KRIPKE_RUNNERS];
/* Where they end, as far as the program uses them. */
static char *kripke_stack_of[KRIPKE_RUNNERS];

static int kripke_is_on_stack(const volatile void *at) {
    for (unsigned runner = 0; runner < KRIPKE_RUNNERS; runner++) {
        long below = kripke_tops[runner] + 65536 - (const volatile char *)at;
        if (kripke_tops[runner] && below > 0 && below < 8L << 20)
            return 1;
    }
    return 0;
}

static int kripke_is_part(const struct kripke_access *of, const volatile void *at, size_t size) {
    static const struct kripke_access *known;
    static char *known_at;
    const volatile char *from = at;
    char *object = 0;
    switch (of->kind) {
    case KRIPKE_GLOBAL:
        if (of != known)
            known_at = kripke_symbol(of->name, of->file, 1);
        known = of;
        object = known_at;
        break;
    case KRIPKE_HEAP:
        object = of->number < KRIPKE_BLOCKS ? kripke_blocks[of->number] : 0;
        break;
    case KRIPKE_ARGUMENT:
        object = kripke_arguments[of->number] ? kripke_arguments[of->number] - of->inside : 0;
        break;
    case KRIPKE_FRAME:
        return kripke_is_on_stack(at);
    }
    return object && from < object + of->offset + of->length && object + of->offset < from + size;
}

/* How far the turn is. */
static unsigned kripke_passed, kripke_counted;
static int kripke_ready;

static void kripke_next_turn(void) {
    kripke_now++;
    kripke_passed = 0;
    kripke_counted = 0;
}

/* All that matters in the turn was done. */
static int kripke_is_done(void) {
    const struct kripke_turn *turn = &kripke_turns[kripke_now];
    return kripke_passed > turn->passed ||
           (kripke_passed == turn->passed && kripke_counted >= turn->last.count);
}

static void kripke_count(const volatile void *at, size_t size, int writes) {
    const struct kripke_turn *turn = &kripke_turns[kripke_now];
    if (kripke_ready && turn->last.count && kripke_passed == turn->passed &&
        writes == turn->last.writes && kripke_is_part(&turn->last, at, size))
        kripke_counted++;
}

#ifdef KRIPKE_CHECKS_HEAP
static void kripke_check_heap(const volatile void *at, size_t size);
#else
#define kripke_check_heap(at, size) ((void)0)
#endif
#ifdef KRIPKE_RACE
static void kripke_meet(const volatile void *at, size_t size, int writes, int is_atomic);
#else
#define kripke_meet(at, size, writes, is_atomic) ((void)(is_atomic))
#endif

#pragma GCC diagnostic ignored "-Wframe-address"

#define kripke_access(at, size, writes) kripke_any_access(at, size, writes, 0)

static void kripke_any_access(const volatile void *at, size_t size, int writes, int is_atomic) {
    kripke_stack_of[kripke_stack()] = (char *)__builtin_frame_address(1) + 16;
    kripke_point();
    kripke_check_turn(at);
    kripke_meet(at, size, writes, is_atomic);
    kripke_check_heap(at, size);
    kripke_count(at, size, writes);
}

__attribute__((constructor(101))) static void kripke_begins(void) {
    kripke_read_image();
    for (unsigned turn = 0; turn < KRIPKE_TURNS; turn++)
        if (kripke_turns[turn].last.count && kripke_turns[turn].last.kind == KRIPKE_GLOBAL)
            kripke_symbol(kripke_turns[turn].last.name, kripke_turns[turn].last.file, 1);
    kripke_tops[0] = __builtin_frame_address(0);
    kripke_ready = 1;
}

__attribute__((destructor)) static void kripke_ends(void) {
    kripke_point();
}

/* It runs behind the program's own destructors. */
__attribute__((destructor(101))) static void kripke_has_ended(void) {
    fflush(0);
    dprintf(2, "kripke: the program has ended without the violation\n");
    _exit(2);
}
