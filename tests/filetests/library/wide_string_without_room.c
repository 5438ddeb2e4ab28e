// kripke: check
// verdict: violated
// violates: library-contract@9

#include <wchar.h>
int main(void)
{
    wchar_t wide[3];
    wcscpy(wide, L"abc");
    return 0;
}
