// kripke: check
// verdict: error
// prints: no_such_header.h

#include "no_such_header.h"

int main(void)
{
    return 0;
}
