/* C11 7.8. */
#ifndef KRIPKE_INTTYPES_H
#define KRIPKE_INTTYPES_H
#include <stdint.h>
/* The fast types of stdint.h. */
#if defined __linux__ && __SIZEOF_LONG__ == 8
#define __KRIPKE_FAST(conversion) "l" #conversion
#elif defined __linux__
#define __KRIPKE_FAST(conversion) #conversion
#endif
#define PRId8 __INT8_FMTd__
#define PRIi8 __INT8_FMTi__
#define PRIu8 __UINT8_FMTu__
#define PRIo8 __UINT8_FMTo__
#define PRIx8 __UINT8_FMTx__
#define PRIX8 __UINT8_FMTX__
#define PRId16 __INT16_FMTd__
#define PRIi16 __INT16_FMTi__
#define PRIu16 __UINT16_FMTu__
#define PRIo16 __UINT16_FMTo__
#define PRIx16 __UINT16_FMTx__
#define PRIX16 __UINT16_FMTX__
#define PRId32 __INT32_FMTd__
#define PRIi32 __INT32_FMTi__
#define PRIu32 __UINT32_FMTu__
#define PRIo32 __UINT32_FMTo__
#define PRIx32 __UINT32_FMTx__
#define PRIX32 __UINT32_FMTX__
#define PRId64 __INT64_FMTd__
#define PRIi64 __INT64_FMTi__
#define PRIu64 __UINT64_FMTu__
#define PRIo64 __UINT64_FMTo__
#define PRIx64 __UINT64_FMTx__
#define PRIX64 __UINT64_FMTX__
#define PRIdLEAST8 __INT_LEAST8_FMTd__
#define PRIiLEAST8 __INT_LEAST8_FMTi__
#define PRIuLEAST8 __UINT_LEAST8_FMTu__
#define PRIoLEAST8 __UINT_LEAST8_FMTo__
#define PRIxLEAST8 __UINT_LEAST8_FMTx__
#define PRIXLEAST8 __UINT_LEAST8_FMTX__
#define PRIdLEAST16 __INT_LEAST16_FMTd__
#define PRIiLEAST16 __INT_LEAST16_FMTi__
#define PRIuLEAST16 __UINT_LEAST16_FMTu__
#define PRIoLEAST16 __UINT_LEAST16_FMTo__
#define PRIxLEAST16 __UINT_LEAST16_FMTx__
#define PRIXLEAST16 __UINT_LEAST16_FMTX__
#define PRIdLEAST32 __INT_LEAST32_FMTd__
#define PRIiLEAST32 __INT_LEAST32_FMTi__
#define PRIuLEAST32 __UINT_LEAST32_FMTu__
#define PRIoLEAST32 __UINT_LEAST32_FMTo__
#define PRIxLEAST32 __UINT_LEAST32_FMTx__
#define PRIXLEAST32 __UINT_LEAST32_FMTX__
#define PRIdLEAST64 __INT_LEAST64_FMTd__
#define PRIiLEAST64 __INT_LEAST64_FMTi__
#define PRIuLEAST64 __UINT_LEAST64_FMTu__
#define PRIoLEAST64 __UINT_LEAST64_FMTo__
#define PRIxLEAST64 __UINT_LEAST64_FMTx__
#define PRIXLEAST64 __UINT_LEAST64_FMTX__
#define PRIdFAST8 __INT_FAST8_FMTd__
#define PRIiFAST8 __INT_FAST8_FMTi__
#define PRIuFAST8 __UINT_FAST8_FMTu__
#define PRIoFAST8 __UINT_FAST8_FMTo__
#define PRIxFAST8 __UINT_FAST8_FMTx__
#define PRIXFAST8 __UINT_FAST8_FMTX__
#define PRIdFAST64 __INT_FAST64_FMTd__
#define PRIiFAST64 __INT_FAST64_FMTi__
#define PRIuFAST64 __UINT_FAST64_FMTu__
#define PRIoFAST64 __UINT_FAST64_FMTo__
#define PRIxFAST64 __UINT_FAST64_FMTx__
#define PRIXFAST64 __UINT_FAST64_FMTX__
#define PRIdMAX __INTMAX_FMTd__
#define PRIiMAX __INTMAX_FMTi__
#define PRIuMAX __UINTMAX_FMTu__
#define PRIoMAX __UINTMAX_FMTo__
#define PRIxMAX __UINTMAX_FMTx__
#define PRIXMAX __UINTMAX_FMTX__
#define PRIdPTR __INTPTR_FMTd__
#define PRIiPTR __INTPTR_FMTi__
#define PRIuPTR __UINTPTR_FMTu__
#define PRIoPTR __UINTPTR_FMTo__
#define PRIxPTR __UINTPTR_FMTx__
#define PRIXPTR __UINTPTR_FMTX__
#ifdef __KRIPKE_FAST
#define PRIdFAST16 __KRIPKE_FAST(d)
#define PRIiFAST16 __KRIPKE_FAST(i)
#define PRIuFAST16 __KRIPKE_FAST(u)
#define PRIoFAST16 __KRIPKE_FAST(o)
#define PRIxFAST16 __KRIPKE_FAST(x)
#define PRIXFAST16 __KRIPKE_FAST(X)
#define PRIdFAST32 __KRIPKE_FAST(d)
#define PRIiFAST32 __KRIPKE_FAST(i)
#define PRIuFAST32 __KRIPKE_FAST(u)
#define PRIoFAST32 __KRIPKE_FAST(o)
#define PRIxFAST32 __KRIPKE_FAST(x)
#define PRIXFAST32 __KRIPKE_FAST(X)
#else
#define PRIdFAST16 __INT_FAST16_FMTd__
#define PRIiFAST16 __INT_FAST16_FMTi__
#define PRIuFAST16 __UINT_FAST16_FMTu__
#define PRIoFAST16 __UINT_FAST16_FMTo__
#define PRIxFAST16 __UINT_FAST16_FMTx__
#define PRIXFAST16 __UINT_FAST16_FMTX__
#define PRIdFAST32 __INT_FAST32_FMTd__
#define PRIiFAST32 __INT_FAST32_FMTi__
#define PRIuFAST32 __UINT_FAST32_FMTu__
#define PRIoFAST32 __UINT_FAST32_FMTo__
#define PRIxFAST32 __UINT_FAST32_FMTx__
#define PRIXFAST32 __UINT_FAST32_FMTX__
#endif
#define SCNd8 __INT8_FMTd__
#define SCNi8 __INT8_FMTi__
#define SCNu8 __UINT8_FMTu__
#define SCNo8 __UINT8_FMTo__
#define SCNx8 __UINT8_FMTx__
#define SCNd16 __INT16_FMTd__
#define SCNi16 __INT16_FMTi__
#define SCNu16 __UINT16_FMTu__
#define SCNo16 __UINT16_FMTo__
#define SCNx16 __UINT16_FMTx__
#define SCNd32 __INT32_FMTd__
#define SCNi32 __INT32_FMTi__
#define SCNu32 __UINT32_FMTu__
#define SCNo32 __UINT32_FMTo__
#define SCNx32 __UINT32_FMTx__
#define SCNd64 __INT64_FMTd__
#define SCNi64 __INT64_FMTi__
#define SCNu64 __UINT64_FMTu__
#define SCNo64 __UINT64_FMTo__
#define SCNx64 __UINT64_FMTx__
#define SCNdLEAST8 __INT_LEAST8_FMTd__
#define SCNiLEAST8 __INT_LEAST8_FMTi__
#define SCNuLEAST8 __UINT_LEAST8_FMTu__
#define SCNoLEAST8 __UINT_LEAST8_FMTo__
#define SCNxLEAST8 __UINT_LEAST8_FMTx__
#define SCNdLEAST16 __INT_LEAST16_FMTd__
#define SCNiLEAST16 __INT_LEAST16_FMTi__
#define SCNuLEAST16 __UINT_LEAST16_FMTu__
#define SCNoLEAST16 __UINT_LEAST16_FMTo__
#define SCNxLEAST16 __UINT_LEAST16_FMTx__
#define SCNdLEAST32 __INT_LEAST32_FMTd__
#define SCNiLEAST32 __INT_LEAST32_FMTi__
#define SCNuLEAST32 __UINT_LEAST32_FMTu__
#define SCNoLEAST32 __UINT_LEAST32_FMTo__
#define SCNxLEAST32 __UINT_LEAST32_FMTx__
#define SCNdLEAST64 __INT_LEAST64_FMTd__
#define SCNiLEAST64 __INT_LEAST64_FMTi__
#define SCNuLEAST64 __UINT_LEAST64_FMTu__
#define SCNoLEAST64 __UINT_LEAST64_FMTo__
#define SCNxLEAST64 __UINT_LEAST64_FMTx__
#define SCNdFAST8 __INT_FAST8_FMTd__
#define SCNiFAST8 __INT_FAST8_FMTi__
#define SCNuFAST8 __UINT_FAST8_FMTu__
#define SCNoFAST8 __UINT_FAST8_FMTo__
#define SCNxFAST8 __UINT_FAST8_FMTx__
#define SCNdFAST64 __INT_FAST64_FMTd__
#define SCNiFAST64 __INT_FAST64_FMTi__
#define SCNuFAST64 __UINT_FAST64_FMTu__
#define SCNoFAST64 __UINT_FAST64_FMTo__
#define SCNxFAST64 __UINT_FAST64_FMTx__
#define SCNdMAX __INTMAX_FMTd__
#define SCNiMAX __INTMAX_FMTi__
#define SCNuMAX __UINTMAX_FMTu__
#define SCNoMAX __UINTMAX_FMTo__
#define SCNxMAX __UINTMAX_FMTx__
#define SCNdPTR __INTPTR_FMTd__
#define SCNiPTR __INTPTR_FMTi__
#define SCNuPTR __UINTPTR_FMTu__
#define SCNoPTR __UINTPTR_FMTo__
#define SCNxPTR __UINTPTR_FMTx__
#ifdef __KRIPKE_FAST
#define SCNdFAST16 __KRIPKE_FAST(d)
#define SCNiFAST16 __KRIPKE_FAST(i)
#define SCNuFAST16 __KRIPKE_FAST(u)
#define SCNoFAST16 __KRIPKE_FAST(o)
#define SCNxFAST16 __KRIPKE_FAST(x)
#define SCNdFAST32 __KRIPKE_FAST(d)
#define SCNiFAST32 __KRIPKE_FAST(i)
#define SCNuFAST32 __KRIPKE_FAST(u)
#define SCNoFAST32 __KRIPKE_FAST(o)
#define SCNxFAST32 __KRIPKE_FAST(x)
#else
#define SCNdFAST16 __INT_FAST16_FMTd__
#define SCNiFAST16 __INT_FAST16_FMTi__
#define SCNuFAST16 __UINT_FAST16_FMTu__
#define SCNoFAST16 __UINT_FAST16_FMTo__
#define SCNxFAST16 __UINT_FAST16_FMTx__
#define SCNdFAST32 __INT_FAST32_FMTd__
#define SCNiFAST32 __INT_FAST32_FMTi__
#define SCNuFAST32 __UINT_FAST32_FMTu__
#define SCNoFAST32 __UINT_FAST32_FMTo__
#define SCNxFAST32 __UINT_FAST32_FMTx__
#endif
typedef struct { intmax_t quot, rem; } imaxdiv_t;
intmax_t imaxabs(intmax_t);
imaxdiv_t imaxdiv(intmax_t, intmax_t);
intmax_t strtoimax(const char *__restrict, char **__restrict, int);
uintmax_t strtoumax(const char *__restrict, char **__restrict, int);
intmax_t wcstoimax(const __WCHAR_TYPE__ *__restrict, __WCHAR_TYPE__ **__restrict, int);
uintmax_t wcstoumax(const __WCHAR_TYPE__ *__restrict, __WCHAR_TYPE__ **__restrict, int);
#endif
