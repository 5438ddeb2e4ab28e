// kripke: check --replace-calls all
// verdict: holds
// prints: what calls of `put` find or leave behind its parameters has values: its contract stands for them

#include <assert.h>
#include <stddef.h>

struct node {
    struct node *next;
    int value;
};
struct named {
    const char *name;
    int (*get)(void);
    int values[3];
};

static int used;
static int table[4];
static struct node last = {0, 1}, nodes[2] = {{&last, 2}, {0, 3}};

/* Parts of one array, and equal pointers. */
static void put(int *to, const int *from)
    __CPROVER_requires(to && from)
    __CPROVER_assigns(*to, used)
    __CPROVER_ensures(*to == __CPROVER_old(*from) && used == 1)
{
    *to = *from;
    used = 1;
}

/* Lists within the depth. */
static int total(struct node *list)
    __CPROVER_requires(list && list->value >= 0 && list->value < 9)
    __CPROVER_ensures(__CPROVER_return_value >= 0)
{
    return list->value + (list->next != 0);
}

/* Objects by value, and pointers in them. */
static int sum(struct named named)
    __CPROVER_requires(named.values[1] == 4)
    __CPROVER_ensures(__CPROVER_return_value == 4)
{
    return named.values[1];
}

static int is_null(const void *pointer) __CPROVER_ensures(__CPROVER_return_value == (pointer == 0))
{
    return pointer == 0;
}

int main(void)
{
    int local = 3;
    put(&table[1], &local);
    put(&table[2], &table[1]);
    put(&table[2], &table[2]);
    assert(table[2] == 3 && used == 1);
    assert(total(&nodes[0]) >= 0 && total(&nodes[1]) >= 0);
    struct named named = {"a", NULL, {0, 4, 0}};
    assert(sum(named) == 4);
    assert(is_null(0) && !is_null(&table[3]));
}
