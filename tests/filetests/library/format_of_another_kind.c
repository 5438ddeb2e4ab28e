// kripke: check --all
// verdict: violated
// violates: format@19
// violates: format@20
// violates: format@21
// violates: format@22
// violates: format@23
// violates: format@24
// violates: format@25
// violates: format@26
#include <stdio.h>
int nondet_int(void);
int main(void)
{
    int x = 3;
    short s = 0;
    char text[20];
    switch (nondet_int()) {
    case 0: printf("%d", &x); break;
    case 1: printf("%s", x); break;
    case 2: printf("%ld", x); break;
    case 3: printf("%f", x); break;
    case 4: printf("%d %d", x); break;
    case 5: snprintf(text, sizeof text, "%*d", 3.0, x); break;
    case 6: scanf("%d", &s); break;
    case 7: sprintf(text, "100%"); break;
    }
    return 0;
}
