#include "packed_out.h"

#include <string.h>

#include "anvil_files.h"

static void packed_write(TrnPackedOut *out, const void *bytes, size_t size)
{
    if (out->result == TRN_RESULT_OK && size && !out->write(out->user, bytes, size)) {
        out->result = TRN_RESULT_IO;
    }
}

/// Compresses what waits. @param flush  Z_NO_FLUSH or Z_FINISH
static void packed_deflate(TrnPackedOut *out, int flush)
{
    out->zip.next_in = out->plain;
    out->zip.avail_in = (unsigned)out->waiting;
    do {
        out->zip.next_out = out->packed;
        out->zip.avail_out = sizeof out->packed;
        (void)deflate(&out->zip, flush); // fails only if it is called wrongly
        packed_write(out, out->packed, sizeof out->packed - out->zip.avail_out);
    } while (out->zip.avail_out == 0 && out->result == TRN_RESULT_OK);
    out->waiting = 0;
}

static void packed_flush(TrnPackedOut *out)
{
    if (out->is_packing) {
        packed_deflate(out, Z_NO_FLUSH);
    } else {
        packed_write(out, out->plain, out->waiting);
    }
    out->waiting = 0;
}

void trn_packed_begin(TrnPackedOut *out, int window)
{
    packed_flush(out);
    out->zip = (z_stream){
        .zalloc = trn_region_zlib_alloc, .zfree = trn_region_zlib_free, .opaque = &out->allocator};
    out->is_packing = deflateInit2(&out->zip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, 8,
                                   Z_DEFAULT_STRATEGY) == Z_OK;
    if (!out->is_packing && out->result == TRN_RESULT_OK) {
        out->result = TRN_RESULT_NO_MEMORY;
    }
}

void trn_packed_end(TrnPackedOut *out)
{
    if (out->is_packing) {
        if (out->result == TRN_RESULT_OK) {
            packed_deflate(out, Z_FINISH);
        }
        (void)deflateEnd(&out->zip);
        out->is_packing = false;
    }
}

void trn_packed_put(TrnPackedOut *out, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    out->size += size;
    if (out->size > out->most && out->result == TRN_RESULT_OK) {
        out->result = TRN_RESULT_FULL;
    }
    while (size && out->result == TRN_RESULT_OK) {
        const size_t left = sizeof out->plain - out->waiting, part = size < left ? size : left;
        memcpy(out->plain + out->waiting, from, part);
        out->waiting += part;
        from += part;
        size -= part;
        if (out->waiting == sizeof out->plain) {
            packed_flush(out);
        }
    }
}

void trn_packed_number(TrnPackedOut *out, uint64_t number, size_t bytes)
{
    unsigned char digits[8];
    for (size_t i = 0; i < bytes; i++) {
        digits[i] = (unsigned char)(number >> 8 * (bytes - 1 - i));
    }
    trn_packed_put(out, digits, bytes);
}

TrnResult trn_packed_finish(TrnPackedOut *out)
{
    trn_packed_end(out);
    packed_flush(out);
    return out->result;
}

// ---- NBT ----------------------------------------------------------------------------------------

static void packed_nbt_text(TrnPackedOut *out, const char *text, size_t size)
{
    size = size < UINT16_MAX ? size : UINT16_MAX;
    trn_packed_number(out, size, 2);
    trn_packed_put(out, text, size);
}

void trn_packed_tag(TrnPackedOut *out, TrnNbtType type, const char *name)
{
    trn_packed_number(out, (uint64_t)type, 1);
    packed_nbt_text(out, name, strlen(name));
}

void trn_packed_short(TrnPackedOut *out, const char *name, int64_t number)
{
    trn_packed_tag(out, TRN_NBT_SHORT, name);
    trn_packed_number(out, (uint64_t)number, 2);
}

void trn_packed_int(TrnPackedOut *out, const char *name, int64_t number)
{
    trn_packed_tag(out, TRN_NBT_INT, name);
    trn_packed_number(out, (uint64_t)number, 4);
}

void trn_packed_text(TrnPackedOut *out, const char *name, TrnNbtText text)
{
    trn_packed_tag(out, TRN_NBT_STRING, name);
    packed_nbt_text(out, text.bytes, text.size);
}

void trn_packed_list(TrnPackedOut *out, const char *name, TrnNbtType type, uint32_t count)
{
    trn_packed_tag(out, TRN_NBT_LIST, name);
    trn_packed_number(out, (uint64_t)type, 1);
    trn_packed_number(out, count, 4);
}

void trn_packed_close(TrnPackedOut *out)
{
    trn_packed_number(out, TRN_NBT_END, 1);
}
