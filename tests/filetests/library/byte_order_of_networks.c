// kripke: check
// verdict: holds

#include <arpa/inet.h>
#include <assert.h>
#include <string.h>

extern unsigned nondet_uint(void);

int main(void)
{
    unsigned any = nondet_uint();
    assert(ntohl(htonl(any)) == any);
    assert(ntohs(htons((unsigned short)any)) == (unsigned short)any);
    unsigned order = htonl(0x01020304);
    unsigned char bytes[4];
    memcpy(bytes, &order, sizeof bytes);
    assert(bytes[0] == 1 && bytes[3] == 4);
}
