/* What the parts of the native comparison share. */
#include <setjmp.h>
#include <stddef.h>

extern double true_double;
extern float true_float;
extern long double true_long_double;
extern long long true_integer;
extern int excluded, broken_contract, unknowns;

/* A search for the unknown values with which a model does what the real library did; see runtime.c. */
extern _Bool searching;
extern jmp_buf next_choice;
extern const char *true_text;
extern const void *true_memory;
extern size_t true_size, true_length;
extern long long script[16];
extern int script_length;
void start_search(void);
void candidate(long long value);
_Bool try_again(void);
void forget_search(void);

unsigned long long random_bits(void);
unsigned int below(unsigned int limit);
void random_text(char *text, const char *alphabet, unsigned int longest);
void report(const char *function, const char *detail);

void test_strings(void);
void test_characters(void);
void test_numbers(void);
void test_formatting(void);
void test_scanning(void);
void test_math_double(void);
void test_math_float(void);
void test_math_long_double(void);
void test_bounded_models(void);

/* Declares the model of a library function with the function's own type. */
#define MODEL(function) extern __typeof__(function) kripke_model_##function
