// kripke: check
// verdict: holds

// A pointer that is written over bytes which were cleared one by one is one wherever paths meet.
#include <assert.h>
#include <stddef.h>
#include <string.h>

_Bool nondet_bool(void);

struct item {
    int kind;
    const char *text;
    char tail[4];
};

static void clear(struct item *item)
{
    unsigned char *bytes = (unsigned char *)item;
    for (size_t i = 0; i < sizeof *item; i++)
        bytes[i] = 0;
}

int main(void)
{
    struct item item;
    const char *word = "ab";
    clear(&item);
    if (nondet_bool()) {
        item.text = word;
        item.kind = 1;
    }
    if (nondet_bool() && item.kind == 1)
        item.text++;
    assert(item.text == NULL || *item.text == 'a' || *item.text == 'b');
    assert((item.text != NULL) == (item.kind == 1));
    assert(item.text == NULL || item.text - word <= 1);
    return 0;
}
