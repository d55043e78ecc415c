// The block data that a hook gives a chunk: see stream_data.h.

#include "stream_data.h"

#include <string.h>

static TrnResult stream_data_add(TrnStreamData *data, const TrnBlockData *added)
{
    if (!added->bytes || added->index >= TRN_CHUNK_VOXELS ||
        (unsigned)added->rule >= TRN_DATA_RULE_COUNT) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (added->size > TRN_DATA_BYTES_MAX || data->list.count == TRN_DATA_VOXELS_MAX ||
        data->bytes.count + added->size > TRN_DATA_CHUNK_BYTES_MAX) {
        return TRN_RESULT_FULL;
    }
    TrnResult result =
        trn_array_reserve(&data->bytes, &data->allocator, (size_t)data->bytes.count + added->size);
    if (result == TRN_RESULT_OK) {
        result = trn_array_push(&data->list, &data->allocator, *added);
    }
    if (result == TRN_RESULT_OK && added->size) {
        memcpy(data->bytes.items + data->bytes.count, added->bytes, added->size);
        data->bytes.count += added->size;
    }
    return result;
}

/// TrnDataSink.set
static TrnResult stream_data_set(void *user, const TrnBlockData *added)
{
    TrnStreamData *data = user;
    if (data->result == TRN_RESULT_OK) {
        data->result = stream_data_add(data, added);
    }
    return data->result;
}

void trn_stream_data_begin(TrnStreamData *data, const TrnAllocator *allocator)
{
    data->sink = (TrnDataSink){stream_data_set, data};
    data->allocator = *allocator;
    data->list.count = data->bytes.count = 0;
    data->result = TRN_RESULT_OK;
}

TrnResult trn_stream_data_end(TrnStreamData *data)
{
    static const unsigned char none = 0; // data of 0 bytes has an address too
    uint32_t at = 0;
    for (uint32_t i = 0; i < data->list.count; i++) {
        TrnBlockData *one = &data->list.items[i];
        one->bytes = one->size ? data->bytes.items + at : &none;
        at += one->size;
    }
    return data->result;
}

void trn_stream_data_free(TrnStreamData *data)
{
    trn_array_free(&data->list, &data->allocator);
    trn_array_free(&data->bytes, &data->allocator);
}
