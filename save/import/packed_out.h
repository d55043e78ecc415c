/// Private: bytes of a file that is written: as they are, or compressed by zlib on the way. After
/// the first failure nothing more is written.
#ifndef TERRANE_SAVE_IMPORT_PACKED_OUT_H
#define TERRANE_SAVE_IMPORT_PACKED_OUT_H

#include <zlib.h>

#include <terrane/base.h>

#include "nbt.h"

#define TRN_PACKED_OUT_BYTES 32768

/// Windows of zlib: a stream of its own, and a file of gzip.
#define TRN_PACKED_ZLIB 15
#define TRN_PACKED_GZIP 31

typedef struct TrnPackedOut {
    bool (*write)(void *user, const void *bytes, size_t size);
    void *user;
    TrnAllocator allocator;
    TrnResult result;    ///< the first failure: IO, NO_MEMORY, FULL
    uint64_t size, most; ///< bytes before compression; beyond the most, FULL
    bool is_packing;
    z_stream zip;
    size_t waiting; ///< in `plain`
    unsigned char plain[TRN_PACKED_OUT_BYTES], packed[TRN_PACKED_OUT_BYTES];
} TrnPackedOut;

/// @param out  the first three fields and `most` are set; the rest zeroes
void trn_packed_begin(TrnPackedOut *out, int window);

/// Ends compression. Bytes that follow are written as they are. Also after a failure.
void trn_packed_end(TrnPackedOut *out);

void trn_packed_put(TrnPackedOut *out, const void *bytes, size_t size);

/// Writes the lowest bytes of a number, the highest first.
void trn_packed_number(TrnPackedOut *out, uint64_t number, size_t bytes);

/// Writes what is left. @return the first failure
TrnResult trn_packed_finish(TrnPackedOut *out);

// ---- NBT ----------------------------------------------------------------------------------------

/// Writes the head of a value in a compound.
void trn_packed_tag(TrnPackedOut *out, TrnNbtType type, const char *name);
void trn_packed_short(TrnPackedOut *out, const char *name, int64_t number);
void trn_packed_int(TrnPackedOut *out, const char *name, int64_t number);
void trn_packed_text(TrnPackedOut *out, const char *name, TrnNbtText text);
/// @param count  of values, which follow without heads
void trn_packed_list(TrnPackedOut *out, const char *name, TrnNbtType type, uint32_t count);
/// Ends a compound.
void trn_packed_close(TrnPackedOut *out);

#endif
