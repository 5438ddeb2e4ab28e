// kripke: check
// verdict: holds

#include <assert.h>
#include <string.h>

int main(void)
{
    char buffer[16];
    strcpy(buffer, "Kripke");
    strcat(buffer, " ");
    strncat(buffer, "structures", 5);
    assert(strcmp(buffer, "Kripke struc") == 0);
    assert(strchr(buffer, 'p') == buffer + 3);
    assert(strrchr(buffer, 'r') == buffer + 9);
    assert(strstr(buffer, "ke s") == buffer + 4);
    assert(strchr(buffer, 'z') == 0);
    return 0;
}
