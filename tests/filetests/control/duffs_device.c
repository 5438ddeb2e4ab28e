// kripke: check
// verdict: holds

#include <assert.h>

int main(void)
{
    int count = 11, copied = 0, n = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            copied++;
        case 3:
            copied++;
        case 2:
            copied++;
        case 1:
            copied++;
        } while (--n > 0);
    }
    assert(copied == count);
    return 0;
}
