// FreeRTOS: N items of unknown values are inserted into a list, which is then sorted; each can be removed.
#include <assert.h>
#include "FreeRTOS.h"
#include "list.h"

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    List_t list;
    ListItem_t items[N];
    vListInitialise(&list);
    for (int i = 0; i < N; i++) {
        vListInitialiseItem(&items[i]);
        listSET_LIST_ITEM_VALUE(&items[i], __VERIFIER_nondet_uint());
        vListInsert(&list, &items[i]);
    }
    assert(listCURRENT_LIST_LENGTH(&list) == N);
    const ListItem_t *item = listGET_HEAD_ENTRY(&list);
    for (int i = 1; i < N; i++) {
        const ListItem_t *next = listGET_NEXT(item);
        assert(listGET_LIST_ITEM_VALUE(item) <= listGET_LIST_ITEM_VALUE(next));
        item = next;
    }
    for (int i = 0; i < N; i++)
        assert(uxListRemove(&items[i]) == (UBaseType_t)(N - 1 - i));
    return 0;
}
