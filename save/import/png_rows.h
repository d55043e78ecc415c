/// Private: reads a PNG row by row, of any kind. Any bytes are safe. Texts and other chunks without
/// pixels are skipped, however large they are.
#ifndef TERRANE_SAVE_IMPORT_PNG_ROWS_H
#define TERRANE_SAVE_IMPORT_PNG_ROWS_H

#include <stdbool.h>
#include <stdio.h>

#include <terrane/base.h>

/// Limits of a picture. libspng itself needs some rows' memory, from malloc.
#define TRN_PNG_EDGE_MAX 32768
#define TRN_PNG_PIXELS_MAX (UINT32_C(1) << 26)

/// Where a PNG comes from.
typedef struct TrnPngSource {
    FILE *file;        ///< read from its beginning; NULL: bytes
    const void *bytes; ///< [size]
    size_t size;
} TrnPngSource;

/// What receives a picture.
typedef struct TrnPngTarget {
    /// Called once, before the rows. Any other result than OK ends the reading.
    TrnResult (*begin)(void *user, uint32_t width, uint32_t height);
    /// Called for each row; of interlaced pictures up to four times, with some of its pixels.
    /// @param rgba  [width * 4] 16 bits each; grey pictures have three times the same. Only the
    ///              pixels `first`, `first + step` and so on are of this call
    /// @return false to stop: the result is IO then
    bool (*row)(void *user, uint32_t y, const uint16_t *rgba, uint32_t first, uint32_t step);
    void *user;
} TrnPngTarget;

/// @param fault  receives a sentence's end if it is CORRUPT: "it is larger than 2^26 pixels"
/// Errors: CORRUPT, NO_MEMORY, IO (a row stopped it), and what begin returns.
TrnResult trn_png_read(const TrnPngSource *source, const TrnPngTarget *target,
                       const TrnAllocator *allocator, const char **fault);

#endif
