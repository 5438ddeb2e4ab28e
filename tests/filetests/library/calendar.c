// kripke: check
// verdict: holds
// prints: time: the clock can be read

#include <assert.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

int main(void)
{
    time_t now = time(NULL);
    struct tm *date = localtime(&now);
    assert(date->tm_mon < 12);
    date->tm_year = 99;
    assert(asctime(date)[24] == '\n');
    char text[20];
    assert(strftime(text, sizeof text, "%Y", date) < sizeof text);
    wchar_t wide[4];
    wcscpy(wide, L"abc");
    assert(wcslen(wide) == 3 && wcscmp(wide, L"abd") < 0);
    double none = nan("");
    assert(none != none);
    setlocale(LC_ALL, "C");
    return 0;
}
