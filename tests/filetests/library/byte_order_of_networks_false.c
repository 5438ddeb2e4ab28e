// kripke: check
// verdict: violated
// violates: assertion@9

#include <arpa/inet.h>
#include <assert.h>
int main(void)
{
    assert(htons(0x0102) == 0x0102);
}
