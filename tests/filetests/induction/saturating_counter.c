// kripke: check
// verdict: holds

#include <assert.h>
#include <stdint.h>
_Bool nondet_bool(void);

int main(void)
{
    uint8_t count = 0;
    while (1) {
        if (nondet_bool()) {
            if (count < 200)
                count++;
        } else if (count > 0) {
            count--;
        }
        assert(count <= 200);
    }
}
