/* MSVC's own functions, as string.h. */
#ifndef TERRANE_TESTS_MSVC_INTRIN_H
#define TERRANE_TESTS_MSVC_INTRIN_H
#ifdef __cplusplus
extern "C" {
#endif
__int64 __iso_volatile_load64(const volatile __int64 *word);
void _ReadWriteBarrier(void);
#ifdef __cplusplus
}
#endif
#endif
