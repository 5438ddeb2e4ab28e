// kripke: check --target mips-linux-gnu -- -nostdlibinc
// verdict: holds

#include <assert.h>
#include <netinet/in.h>

int main(void)
{
    assert(htons(0x0102) == 0x0102);
    assert(ntohl(0x01020304) == 0x01020304);
}
