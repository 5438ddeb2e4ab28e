/* What the models of the C library may use.
 *
 * A model is freestanding C: it includes nothing, so that it compiles for every target with the
 * target's own sizes. The functions declared here have no body: the front end turns their calls into
 * statements and expressions of the program model. */

#ifndef KRIPKE_H
#define KRIPKE_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTMAX_TYPE__ intmax_t;
typedef __UINTMAX_TYPE__ uintmax_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INT32_TYPE__ int32_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef __builtin_va_list va_list;

#define NULL ((void *)0)
#define EOF (-1)
/* Reads an object for nothing but to find out that it can be read. */
#define READ(object) ((void)*(const volatile __typeof__(object) *)&(object))
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_end(list) __builtin_va_end(list)
#define va_copy(to, from) __builtin_va_copy(to, from)

/* The caller broke the function's contract unless the condition is true. Reported where the program
 * calls the library function, as a property of kind library-contract. */
void __kripke_assert(int condition, const char *message);

/* Paths on which the condition is false do not exist. */
void __kripke_assume(int condition);

/* The same, where that narrows what a C library may do: the text is listed with the verdict. */
void __kripke_rely(int condition, const char *assumption);

/* What has no model: the verdict is unknown where a path gets here. */
_Noreturn void __kripke_unsupported(const char *what);

/* Size in bytes of the object the pointer points into, and the pointer's offset in it. */
size_t __kripke_object_size(const void *pointer);
size_t __kripke_pointer_offset(const void *pointer);
int __kripke_same_object(const void *a, const void *b);

/* Any value of the type. `source` is the library function that produces it, for counterexamples. */
_Bool __kripke_nondet_bool(const char *source);
char __kripke_nondet_char(const char *source);
signed char __kripke_nondet_schar(const char *source);
unsigned char __kripke_nondet_uchar(const char *source);
short __kripke_nondet_short(const char *source);
unsigned short __kripke_nondet_ushort(const char *source);
int __kripke_nondet_int(const char *source);
unsigned int __kripke_nondet_uint(const char *source);
long __kripke_nondet_long(const char *source);
unsigned long __kripke_nondet_ulong(const char *source);
long long __kripke_nondet_llong(const char *source);
unsigned long long __kripke_nondet_ullong(const char *source);
size_t __kripke_nondet_size(const char *source);
float __kripke_nondet_float(const char *source);
double __kripke_nondet_double(const char *source);
long double __kripke_nondet_ldouble(const char *source);

/* What a C library gives for a function of analysis; the name is the one on doubles, and functions of one
 * argument ignore the second. */
float __kripke_math_float(const char *function, float x, float y);
double __kripke_math_double(const char *function, double x, double y);
long double __kripke_math_ldouble(const char *function, long double x, long double y);

/* Gives `size` bytes any value. */
void __kripke_havoc(void *pointer, size_t size, const char *source);

/* Threads. The number of the running one: 0 is the program's own, which runs main. Others run inside a model
 * of threads only where it switches or waits, and what follows a wait is one step with its test. A thread
 * that executes `finish(function(argument))` gets a number below 32 that no other had; one that ends never
 * goes on. A thread that waits while none can go on is a deadlock. */
unsigned __kripke_thread_self(void);
void __kripke_thread_switch(void);
/* The same, before the function writes for its caller, which may race with others. */
void __kripke_thread_write(void *target, size_t size);
void __kripke_thread_wait_zero(const uint32_t *word);
void __kripke_thread_wait_nonzero(const uint32_t *word);
/* The same for what has a holder, whose number and 1 the word is while it is held; and for the end of a
 * thread, whose word is that of its number in a table. Threads that wait for each other so, or for one that
 * has ended, are a deadlock, too, whoever else goes on. */
void __kripke_thread_wait_free(const uint32_t *holder);
void __kripke_thread_wait_end(const uint32_t *ended);
/* Where it is asked what comes between two accesses of a thread: what it wrote is meant to be seen from here
 * on; it waits here for what others do, so that what it did before is over. */
void __kripke_thread_publishes(void);
void __kripke_thread_waited(void);
unsigned __kripke_thread_create(void *(*function)(void *), void *argument, void (*finish)(void *result));
_Noreturn void __kripke_thread_end(void);
/* What is asked by kinds of their own: orders of locks, threads that nobody joins, priority inversion. Calls
 * of functions whose names begin with __kripke_lock_order_ or __kripke_priority_ are made only where these
 * are asked for, that of __kripke_thread_leaks where the program ends, likewise. */
void __kripke_assert_lock_order(_Bool condition, const char *text);
void __kripke_assert_thread_leak(_Bool condition, const char *text);
void __kripke_assert_priority_inversion(_Bool condition, const char *text);
/* Could the thread of a number go on now? */
_Bool __kripke_thread_is_ready(unsigned thread);
/* Either, whatever seems interesting. */
_Bool __kripke_choose(void);
/* Nobody else runs from here on, or may again. There must be no wait in between. */
void __kripke_thread_section_begins(void);
void __kripke_thread_section_ends(void);
/* The same, but handlers of interrupts may come. */
void __kripke_thread_suspends_others(void);
void __kripke_thread_resumes_others(void);
/* Is it a handler of an interrupt that runs? */
unsigned __kripke_thread_interrupts(void);
/* A thread does not go on from where it stands; `how` is 0 if it may again, 1 until then, and 2 if it never
 * will; or 3 if it serves the others: that it waits after these have ended is no deadlock. A thread that says
 * it of itself goes on up to where it switches. */
void __kripke_thread_hold(unsigned thread, unsigned how);
/* The function reads or writes for its caller, which may race with others; nobody else runs before it does,
 * unless it is asked for races. */
void __kripke_thread_races_to_read(const void *target, size_t size);
void __kripke_thread_races_to_write(void *target, size_t size);

/* Primitives of the front end. */
void *malloc(size_t size);
void free(void *pointer);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int putchar(int character);
int printf(const char *format, ...);
_Noreturn void abort(void);

#endif
