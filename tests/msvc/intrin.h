/* MSVC's own functions, as string.h. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
__int64 __iso_volatile_load64(const volatile __int64 *word);
void _ReadWriteBarrier(void);
#ifdef __cplusplus
}
#endif
