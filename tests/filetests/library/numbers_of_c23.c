// kripke: check
// verdict: holds
// What glibc's headers make of strtol and sscanf for C23: numbers with the prefix 0b.

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>

long __isoc23_strtol(const char *, char **, int);
intmax_t __isoc23_strtoimax(const char *, char **, int);
uintmax_t __isoc23_strtoumax(const char *, char **, int);
int __isoc99_sscanf(const char *, const char *, ...);
int __isoc23_sscanf(const char *, const char *, ...);

int main(void)
{
    char *end;
    assert(__isoc23_strtol(" -0b101x", &end, 0) == -5 && *end == 'x');
    assert(__isoc23_strtol("0b12", &end, 2) == 1 && *end == '2');
    assert(__isoc23_strtol("0b12", &end, 10) == 0 && *end == 'b');
    assert(__isoc23_strtol("0b2", &end, 0) == 0 && *end == 'b');
    assert(__isoc23_strtoimax("0B11", &end, 0) == 3 && *end == 0);
    assert(__isoc23_strtoumax("-0b1", &end, 0) == UINTMAX_MAX && *end == 0);
    errno = 0;
    assert(__isoc23_strtoimax("-9223372036854775809", &end, 0) == INTMAX_MIN && errno == ERANGE);

    int first = 7, second = 7;
    assert(__isoc23_sscanf("0b110,-0B1", "%i,%i", &first, &second) == 2 && first == 6 && second == -1);
    assert(__isoc23_sscanf("0b110", "%d", &first) == 1 && first == 0);
    assert(__isoc23_sscanf("0b110", "%3i%i", &first, &second) == 2 && first == 1 && second == 10);
    assert(__isoc99_sscanf("0b110", "%i", &first) == 1 && first == 0);
    return 0;
}
