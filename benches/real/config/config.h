// What libmodbus's configure script would write for a machine that has none of the headers it looks for.
