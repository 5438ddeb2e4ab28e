// kripke: check
// verdict: violated
// violates: postcondition@27

struct record {
    unsigned kind : 4;
    int values[3];
};

int clear(struct record *record)
    __CPROVER_ensures(record->kind == __CPROVER_old(record->kind))
    __CPROVER_ensures(__CPROVER_old(*record).values[1] == __CPROVER_return_value)
    __CPROVER_ensures(record->values[2] == __CPROVER_old(record->values[2]))
{
    int middle = record->values[1];
    record->values[1] = 0;
    if (middle == 5)
        record->kind++;
    return middle;
}

int main(void)
{
    struct record record = {3, {1, 2, 5}};
    clear(&record);
    record.values[1] = 5;
    clear(&record);
}
