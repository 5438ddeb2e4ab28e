// uthash: N records with unknown keys are put into a table; each is found again, and none after removal.
#include <assert.h>
#include <stdlib.h>
#include "uthash.h"

int __VERIFIER_nondet_int(void);

struct record {
    int key;
    UT_hash_handle hh;
};

int main(void) {
    static struct record records[N];
    struct record *table = NULL, *found;
    for (int i = 0; i < N; i++) {
        records[i].key = __VERIFIER_nondet_int();
        HASH_FIND_INT(table, &records[i].key, found);
        if (found == NULL)
            HASH_ADD_INT(table, key, &records[i]);
    }
    for (int i = 0; i < N; i++) {
        HASH_FIND_INT(table, &records[i].key, found);
        assert(found != NULL && found->key == records[i].key);
    }
    HASH_CLEAR(hh, table);
    HASH_FIND_INT(table, &records[0].key, found);
    assert(found == NULL);
    return 0;
}
