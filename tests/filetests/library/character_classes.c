// kripke: check
// verdict: holds

#include <assert.h>
#include <ctype.h>
unsigned char nondet_uchar(void);

int main(void)
{
    int c = nondet_uchar();
    if (isdigit(c))
        assert(c - '0' >= 0 && c - '0' <= 9 && isalnum(c) && isxdigit(c) && !isalpha(c));
    if (isupper(c))
        assert(islower(tolower(c)) && toupper(tolower(c)) == c);
    if (isspace(c))
        assert(!isgraph(c));
    assert(!(isalpha(c) && ispunct(c)));
    return 0;
}
