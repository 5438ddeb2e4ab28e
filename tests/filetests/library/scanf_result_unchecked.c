// kripke: check
// verdict: violated
// violates: uninitialised@11

#include <stdio.h>

int main(void)
{
    int speed;
    scanf("%d", &speed);
    return speed > 10;
}
