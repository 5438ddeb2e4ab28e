// kripke: check --all
// verdict: violated
// violates: uninitialised@27
// violates: uninitialised@31
// violates: uninitialised@33
//
// A global may be copied into by its name, by memcpy or by an assignment; then reading it is checked.
#include <string.h>
_Bool nondet_bool(void);
struct settings { unsigned char limit, check; };
struct pair { struct settings first, second; };
static struct settings copied, assigned, whole, again, constant = {1, 2};
static struct pair pair;

int main(void)
{
    struct settings some, all = {3, 4};
    some.check = 1;
    memcpy(&copied, &some, sizeof copied);
    assigned = some;
    whole = all;
    pair.second = some;
    pair.first = constant;
    again = pair.second;
    if (copied.check + assigned.check + pair.second.check + whole.limit + pair.first.limit == 0)
        return 1;
    if (nondet_bool() && copied.limit == 1)
        return 2;
    if (nondet_bool()) {
        copied.limit = 5;
        return copied.limit + assigned.limit;
    }
    return again.check + again.limit;
}
