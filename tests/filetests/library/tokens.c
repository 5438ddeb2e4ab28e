// kripke: check
// verdict: holds

#include <assert.h>
#include <string.h>

int main(void)
{
    char line[] = "set,,speed=10";
    char *first = strtok(line, ",=");
    char *second = strtok(0, ",=");
    char *third = strtok(0, ",=");
    assert(strcmp(first, "set") == 0 && strcmp(second, "speed") == 0 && strcmp(third, "10") == 0);
    assert(strtok(0, ",=") == 0);
    assert(strspn("aab", "a") == 2 && strcspn("abc", "c") == 2);
    assert(*strpbrk("key=value", "=:") == '=');
    return 0;
}
