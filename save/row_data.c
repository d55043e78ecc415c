// Block data in a row: see row_data.h.

#include "row_data.h"

#include <string.h>

#include "number.h"

size_t trn_row_data_bytes(const TrnBlockData *data, uint32_t count)
{
    size_t bytes = (size_t)count * TRN_ROW_DATA_ENTRY_BYTES;
    for (uint32_t i = 0; i < count; i++) {
        bytes += data[i].size;
    }
    return bytes;
}

void trn_row_data_write(const TrnBlockData *data, uint32_t count, unsigned char *bytes)
{
    for (uint32_t i = 0; i < count; i++) {
        trn_save_put_number(bytes, data[i].index, 2);
        trn_save_put_number(bytes + 2, (uint64_t)data[i].rule, 2);
        trn_save_put_number(bytes + 4, data[i].size, 4);
        bytes += TRN_ROW_DATA_ENTRY_BYTES;
        if (data[i].size) {
            memcpy(bytes, data[i].bytes, data[i].size);
        }
        bytes += data[i].size;
    }
}

/// Reads the entry at the start of some bytes. @return its bytes; 0 if it is invalid
static size_t row_data_next(const unsigned char *bytes, size_t size, TrnBlockData *data)
{
    if (size < TRN_ROW_DATA_ENTRY_BYTES) {
        return 0;
    }
    const uint32_t index = (uint32_t)trn_save_number(bytes, 2);
    const uint32_t rule = (uint32_t)trn_save_number(bytes + 2, 2);
    const uint64_t data_bytes = trn_save_number(bytes + 4, 4);
    if (index >= TRN_CHUNK_VOXELS || rule >= TRN_DATA_RULE_COUNT ||
        data_bytes > TRN_DATA_BYTES_MAX || data_bytes > size - TRN_ROW_DATA_ENTRY_BYTES) {
        return 0;
    }
    *data = (TrnBlockData){.bytes = bytes + TRN_ROW_DATA_ENTRY_BYTES,
                           .size = (uint32_t)data_bytes,
                           .index = (uint16_t)index,
                           .rule = (TrnDataRule)rule};
    return (size_t)TRN_ROW_DATA_ENTRY_BYTES + (size_t)data_bytes;
}

bool trn_row_data_is_valid(const unsigned char *bytes, size_t size)
{
    TrnBlockData data = {0};
    uint32_t count = 0;
    for (size_t at = 0, part; at < size; at += part) {
        const uint32_t last = data.index;
        part = row_data_next(bytes + at, size - at, &data);
        if (!part || (count && data.index <= last) || ++count > TRN_DATA_VOXELS_MAX) {
            return false;
        }
    }
    return true;
}

TrnResult trn_row_data_read(const unsigned char *bytes, size_t size, const TrnDataSink *sink)
{
    TrnResult result = TRN_RESULT_OK;
    TrnBlockData data;
    for (size_t at = 0, part; sink && at < size && result == TRN_RESULT_OK; at += part) {
        part = row_data_next(bytes + at, size - at, &data);
        if (!part) {
            return TRN_RESULT_CORRUPT;
        }
        result = sink->set(sink->user, &data);
    }
    return result;
}
