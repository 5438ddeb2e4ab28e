// tiny-AES-c: an unknown block is encrypted in place with an unknown key, and nothing beside it is written.
#include <assert.h>
#include "aes.h"

uint8_t __VERIFIER_nondet_uchar(void);

int main(void) {
    struct AES_ctx context;
    uint8_t key[AES_KEYLEN], block[AES_BLOCKLEN + 1];
    for (int i = 0; i < AES_KEYLEN; i++)
        key[i] = __VERIFIER_nondet_uchar();
    for (int i = 0; i < AES_BLOCKLEN; i++)
        block[i] = __VERIFIER_nondet_uchar();
    block[AES_BLOCKLEN] = 0x5a;
    AES_init_ctx(&context, key);
    AES_ECB_encrypt(&context, block);
    assert(block[AES_BLOCKLEN] == 0x5a);
    return 0;
}
