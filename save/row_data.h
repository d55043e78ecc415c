/// Private: block data in a row: its section. Entries in ascending order of their voxels, without
/// gaps; all numbers are little-endian:
///
///     index  uint16, linear index of the voxel
///     rule   uint16, TrnDataRule
///     size   uint32, of the bytes that follow
///
/// Data that goes with its block belongs to the block that the row has there.
#ifndef TERRANE_SAVE_ROW_DATA_H
#define TERRANE_SAVE_ROW_DATA_H

#include <terrane/block_data.h>

#define TRN_ROW_DATA_TAG UINT32_C(0x41544144) // "DATA"
#define TRN_ROW_DATA_ENTRY_BYTES 8
/// The most that the section may have.
#define TRN_ROW_DATA_MAX                                                                           \
    ((size_t)TRN_DATA_VOXELS_MAX * (TRN_ROW_DATA_ENTRY_BYTES + TRN_DATA_BYTES_MAX))

/// Bytes of the section for a chunk's data. @param data  [count] as trn_snapshot_list_data
size_t trn_row_data_bytes(const TrnBlockData *data, uint32_t count);

/// Writes the section. @param bytes  [trn_row_data_bytes]
void trn_row_data_write(const TrnBlockData *data, uint32_t count, unsigned char *bytes);

/// Whether a section is as documented. Any bytes are safe.
bool trn_row_data_is_valid(const unsigned char *bytes, size_t size);

/// Gives the data of a valid section to a sink. @param sink  NULL: does nothing
/// Errors: those of the sink, which end it.
TrnResult trn_row_data_read(const unsigned char *bytes, size_t size, const TrnDataSink *sink);

#endif
