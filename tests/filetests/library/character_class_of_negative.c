// kripke: check
// verdict: violated
// violates: library-contract@13

#include <ctype.h>
#undef isalpha
int isalpha(int);
char nondet_char(void);

int main(void)
{
    char c = nondet_char();
    return isalpha(c) != 0;
}
