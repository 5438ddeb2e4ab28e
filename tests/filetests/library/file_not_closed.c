// kripke: check --check leak
// verdict: violated
// violates: main.leak.1

#include <stdio.h>

int main(void)
{
    FILE *file = fopen("data", "r");
    return file != 0;
}
