#ifndef HELPER_H
#define HELPER_H

#define LIMIT 50

int limited(int x);

#endif
