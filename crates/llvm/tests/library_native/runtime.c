/* The intrinsics of the models for a native run. In a comparison an unknown value is the one that the real
 * library produced, and an assumption that does not hold is a model that excludes what really happens.
 *
 * In a search (oracle.c) the question is whether some choice of the unknown values makes the model do what
 * the real library did. Integers are scripted, or chosen among candidates; characters are those of the real
 * text; an assumption that does not hold ends an attempt, and the next one makes another choice. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native.h"

double true_double;
float true_float;
long double true_long_double;
long long true_integer;
int excluded, broken_contract, unknowns;

void __kripke_assert(int condition, const char *message)
{
    (void)message;
    if (!condition)
        broken_contract = 1;
}

_Bool searching;
jmp_buf next_choice;
const char *true_text;
const void *true_memory;
size_t true_size, true_length;
long long script[16];
int script_length;
static long long candidates[16];
static int candidate_count, choices[1000], arities[1000], choice_count, choices_made, scripted, characters;

void start_search(void)
{
    searching = 1;
    choice_count = choices_made = scripted = characters = 0;
}

void candidate(long long value)
{
    candidates[candidate_count++] = value;
}

void forget_search(void)
{
    searching = 0;
    true_text = NULL;
    true_memory = NULL;
    true_length = 0;
    script_length = candidate_count = 0;
}

/* The next choices in lexical order; false when all were tried. */
_Bool try_again(void)
{
    while (choice_count > 0 && ++choices[choice_count - 1] >= arities[choice_count - 1])
        choice_count--;
    choices_made = scripted = characters = 0;
    return choice_count > 0;
}

static int choose(int arity)
{
    if (choices_made == choice_count) {
        if (choice_count == 1000)
            longjmp(next_choice, 1);
        arities[choice_count] = arity;
        choices[choice_count++] = 0;
    }
    return choices[choices_made++];
}

/* The next character of the real text; past its end that of the end of a file. */
static int next_character(void)
{
    return (size_t)characters < true_length ? (unsigned char)true_text[characters++] : EOF;
}

static long long chosen_integer(void)
{
    if (scripted < script_length)
        return script[scripted++];
    int choice = choose(candidate_count + (true_text != NULL));
    return choice < candidate_count ? candidates[choice] : next_character();
}

void __kripke_assume(int condition)
{
    if (!condition && searching)
        longjmp(next_choice, 1);
    if (!condition)
        excluded = 1;
}

void __kripke_rely(int condition, const char *assumption)
{
    (void)assumption;
    __kripke_assume(condition);
}

void __kripke_unsupported(const char *what)
{
    printf("unsupported: %s\n", what);
    exit(2);
}

size_t __kripke_object_size(const void *pointer) { (void)pointer; return true_size; }
/* The driver passes distinct objects only. */
size_t __kripke_pointer_offset(const void *pointer) { (void)pointer; return 0; }
int __kripke_same_object(const void *a, const void *b) { return a == b; }

#define UNKNOWN(name, type, value, chosen)                                                                \
    type __kripke_nondet_##name(const char *source)                                                       \
    {                                                                                                     \
        (void)source;                                                                                     \
        unknowns++;                                                                                       \
        return searching ? chosen : value;                                                                \
    }

UNKNOWN(bool, _Bool, true_integer != 0, choose(2))
UNKNOWN(char, char, (char)true_integer, (char)next_character())
UNKNOWN(schar, signed char, (signed char)true_integer, (signed char)chosen_integer())
UNKNOWN(uchar, unsigned char, (unsigned char)true_integer, (unsigned char)next_character())
UNKNOWN(short, short, (short)true_integer, (short)chosen_integer())
UNKNOWN(ushort, unsigned short, (unsigned short)true_integer, (unsigned short)chosen_integer())
UNKNOWN(int, int, (int)true_integer, (int)chosen_integer())
UNKNOWN(uint, unsigned int, (unsigned int)true_integer, (unsigned int)chosen_integer())
UNKNOWN(long, long, (long)true_integer, (long)chosen_integer())
UNKNOWN(ulong, unsigned long, (unsigned long)true_integer, (unsigned long)chosen_integer())
UNKNOWN(llong, long long, true_integer, (long long)chosen_integer())
UNKNOWN(ullong, unsigned long long, (unsigned long long)true_integer, (unsigned long long)chosen_integer())
UNKNOWN(size, size_t, (size_t)true_integer, (size_t)chosen_integer())
UNKNOWN(float, float, true_float, true_float)
UNKNOWN(double, double, true_double, true_double)
UNKNOWN(ldouble, long double, true_long_double, true_long_double)

/* The models of these call themselves with a positive argument, and put the sign on the result. */
static int takes_a_magnitude(const char *function)
{
    return strcmp(function, "pow") == 0 || strcmp(function, "cbrt") == 0;
}

#define MATH(name, type, value)                                                                           \
    type __kripke_math_##name(const char *function, type x, type y)                                       \
    {                                                                                                     \
        (void)x, (void)y;                                                                                 \
        unknowns++;                                                                                       \
        return takes_a_magnitude(function) && value < 0 ? -value : value;                                    \
    }

MATH(float, float, true_float)
MATH(double, double, true_double)
MATH(ldouble, long double, true_long_double)

void __kripke_havoc(void *pointer, size_t size, const char *source)
{
    (void)source;
    if (searching && true_memory != NULL)
        memcpy(pointer, true_memory, size);
    else
        memset(pointer, 'x', size);
}

static unsigned long long state = 1;

unsigned long long random_bits(void)
{
    unsigned long long z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

unsigned int below(unsigned int limit)
{
    return (unsigned int)(random_bits() % limit);
}

void random_text(char *text, const char *alphabet, unsigned int longest)
{
    unsigned int length = below(longest + 1), letters = (unsigned int)strlen(alphabet);
    for (unsigned int i = 0; i < length; i++)
        text[i] = alphabet[below(letters)];
    text[length] = '\0';
}

static int failures;

void report(const char *function, const char *detail)
{
    static char shown[200][40];
    static int counts[200];
    int index = 0;
    failures++;
    while (index < 199 && counts[index] != 0 && strncmp(shown[index], function, 39) != 0)
        index++;
    strncpy(shown[index], function, 39);
    if (counts[index]++ < 3)
        printf("%s: %s\n", function, detail);
}

int main(void)
{
    test_strings();
    test_characters();
    test_numbers();
    test_formatting();
    test_scanning();
    test_math_double();
    test_math_float();
    test_math_long_double();
    test_bounded_models();
    printf("%d differences\n", failures);
    return failures != 0;
}

/* There is one thread here. */

unsigned __kripke_thread_self(void)
{
    return 0;
}

void __kripke_thread_switch(void)
{
}

void __kripke_thread_write(void *target, size_t size)
{
    (void)target;
    (void)size;
}

void __kripke_thread_wait_zero(const unsigned *word)
{
    if (*word != 0)
        abort();
}

void __kripke_thread_wait_nonzero(const unsigned *word)
{
    if (*word == 0)
        abort();
}

void __kripke_thread_wait_free(const unsigned *holder)
{
    __kripke_thread_wait_zero(holder);
}

void __kripke_thread_wait_end(const unsigned *ended)
{
    __kripke_thread_wait_nonzero(ended);
}

void __kripke_assert_lock_order(_Bool condition, const char *text)
{
    (void)condition;
    (void)text;
}

void __kripke_assert_thread_leak(_Bool condition, const char *text)
{
    (void)condition;
    (void)text;
}

void __kripke_thread_publishes(void)
{
}

void __kripke_thread_waited(void)
{
}

void __kripke_assert_priority_inversion(_Bool condition, const char *text)
{
    (void)condition;
    (void)text;
}

_Bool __kripke_thread_is_ready(unsigned thread)
{
    (void)thread;
    return 0;
}

_Bool __kripke_choose(void)
{
    return 0;
}

unsigned __kripke_thread_create(void *(*function)(void *), void *argument, void (*finish)(void *))
{
    (void)function;
    (void)argument;
    (void)finish;
    abort();
}

_Noreturn void __kripke_thread_end(void)
{
    abort();
}

void __kripke_thread_section_begins(void)
{
}

void __kripke_thread_section_ends(void)
{
}

void __kripke_thread_suspends_others(void)
{
}

void __kripke_thread_resumes_others(void)
{
}

unsigned __kripke_thread_interrupts(void)
{
    return 0;
}

void __kripke_thread_hold(unsigned thread, unsigned how)
{
    (void)thread;
    (void)how;
}

void __kripke_thread_races_to_read(const void *target, size_t size)
{
    (void)target;
    (void)size;
}

void __kripke_thread_races_to_write(void *target, size_t size)
{
    (void)target;
    (void)size;
}
