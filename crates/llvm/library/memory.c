/* Allocation beyond malloc, calloc and free, which are primitives. Exact, except that the alignment of a
 * new object is that of malloc.
 *
 * realloc makes a new object and ends the old one, as C11 7.22.3.5 says, so every use of an old pointer is
 * found, whether a library would have moved the object or not. The new object may have the old address,
 * like any object that is made after another one has ended. */

static void *resize(void *pointer, size_t size, const char *source)
{
    if (pointer == NULL)
        return malloc(size);
    __kripke_assert(__kripke_pointer_offset(pointer) == 0, "realloc: not the start of an allocated object");
    /* Whether an object of size zero is made, or only the old one freed, is the implementation's choice. */
    if (size == 0 && __kripke_nondet_bool(source)) {
        free(pointer);
        return NULL;
    }
    void *moved = malloc(size);
    if (moved != NULL) {
        size_t old_size = __kripke_object_size(pointer);
        memcpy(moved, pointer, old_size < size ? old_size : size);
        free(pointer);
    }
    return moved;
}

void *realloc(void *pointer, size_t size)
{
    return resize(pointer, size, "realloc");
}

void *reallocarray(void *pointer, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return NULL;
    return resize(pointer, total, "reallocarray");
}

void *aligned_alloc(size_t alignment, size_t size)
{
    __kripke_assert(alignment != 0 && (alignment & (alignment - 1)) == 0,
                    "aligned_alloc: the alignment is no power of two");
    return malloc(size);
}

void *memalign(size_t alignment, size_t size)
{
    __kripke_assert(alignment != 0 && (alignment & (alignment - 1)) == 0,
                    "memalign: the alignment is no power of two");
    return malloc(size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return 22; /* EINVAL */
    void *memory = malloc(size);
    if (memory == NULL)
        return 12; /* ENOMEM */
    *result = memory;
    return 0;
}

void cfree(void *pointer)
{
    free(pointer);
}
