/* C11 7.4, as functions: the tables behind the macros of C libraries are no part of a program. */
#ifndef KRIPKE_CTYPE_H
#define KRIPKE_CTYPE_H
#include <kripke_features.h>
int isalnum(int);
int isalpha(int);
int isblank(int);
int iscntrl(int);
int isdigit(int);
int isgraph(int);
int islower(int);
int isprint(int);
int ispunct(int);
int isspace(int);
int isupper(int);
int isxdigit(int);
int tolower(int);
int toupper(int);
#ifdef __KRIPKE_POSIX
int isascii(int);
int toascii(int);
#endif
#endif
