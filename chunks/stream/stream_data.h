/// Private: the block data that a hook gives a chunk which it loads or generates.
#ifndef TERRANE_STREAM_STREAM_DATA_H
#define TERRANE_STREAM_STREAM_DATA_H

#include <terrane/block_data.h>

#include "base/array.h"

TRN_ARRAY_DECLARE(TrnStreamDataList, TrnBlockData);
TRN_ARRAY_DECLARE(TrnStreamDataBytes, unsigned char);

/// The block data that a hook gives a chunk which it loads or generates, until the chunk is
/// inserted. For one thread at a time. All zeroes is empty.
typedef struct TrnStreamData {
    TrnDataSink sink; ///< what hooks call
    TrnAllocator allocator;
    TrnStreamDataList list;
    TrnStreamDataBytes bytes; ///< of all, in the order of the list
    TrnResult result;         ///< of the first call that failed
} TrnStreamData;

/// Forgets the data of an earlier hook, and opens the sink. @param allocator  works on any thread
void trn_stream_data_begin(TrnStreamData *data, const TrnAllocator *allocator);

/// Sets the addresses of the list, once the bytes no longer move.
/// @return OK, or why the sink refused data
TrnResult trn_stream_data_end(TrnStreamData *data);

/// Frees the memory.
void trn_stream_data_free(TrnStreamData *data);

#endif
