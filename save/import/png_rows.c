#include "png_rows.h"

#include <string.h>

#include <spng.h>

#include "base/memory.h"

/// The most bytes of a chunk without pixels, as palettes have.
#define PNG_PIECE_MAX ((size_t)1 << 20)
#define PNG_SIGNATURE_BYTES 8
#define PNG_HEAD_BYTES 8 ///< length and type of a chunk
#define PNG_CHECKSUM_BYTES 4

// ---- bytes --------------------------------------------------------------------------------------

/// The bytes that libspng gets: those of the source without the chunks that no pixel needs. It
/// would decompress texts before it reads a pixel.
typedef struct PngBytes {
    const TrnPngSource *source;
    size_t at;                          ///< in its bytes
    unsigned char head[PNG_HEAD_BYTES]; ///< of the chunk that is read
    size_t head_left;                   ///< of it, still to be given
    uint64_t left;                      ///< bytes to give before the next head
} PngBytes;

/// @return false if there are fewer
static bool png_take(PngBytes *bytes, void *to, size_t size)
{
    if (bytes->source->file) {
        return fread(to, 1, size, bytes->source->file) == size;
    }
    if (bytes->source->size - bytes->at < size) {
        return false;
    }
    memcpy(to, (const unsigned char *)bytes->source->bytes + bytes->at, size);
    bytes->at += size;
    return true;
}

static bool png_skip(PngBytes *bytes, uint32_t size)
{
    if (bytes->source->file) { // a seek beyond the end is seen by the next read
        return size <= INT32_MAX && fseek(bytes->source->file, (long)size, SEEK_CUR) == 0;
    }
    const size_t left = bytes->source->size - bytes->at;
    bytes->at += size < left ? size : left;
    return size <= left;
}

/// Moves to the next chunk that is given. @return false if there is none
static bool png_next_chunk(PngBytes *bytes)
{
    for (;;) {
        unsigned char *head = bytes->head;
        if (!png_take(bytes, head, PNG_HEAD_BYTES)) {
            return false;
        }
        const uint32_t length = (uint32_t)head[0] << 24 | (uint32_t)head[1] << 16 |
                                (uint32_t)head[2] << 8 | (uint32_t)head[3];
        const bool is_needed = !(head[4] & 0x20) || memcmp(head + 4, "tRNS", 4) == 0;
        if (is_needed) {
            bytes->head_left = PNG_HEAD_BYTES;
            bytes->left = (uint64_t)length + PNG_CHECKSUM_BYTES;
            return true;
        }
        if (!png_skip(bytes, length) || !png_skip(bytes, PNG_CHECKSUM_BYTES)) {
            return false;
        }
    }
}

static int png_give(spng_ctx *context, void *user, void *to, size_t size)
{
    PngBytes *bytes = user;
    unsigned char *at = to;
    (void)context;
    while (size > 0) {
        if (bytes->head_left == 0 && bytes->left == 0 && !png_next_chunk(bytes)) {
            return SPNG_IO_EOF;
        }
        const uint64_t most = bytes->head_left ? bytes->head_left : bytes->left;
        const size_t taken = most < size ? (size_t)most : size;
        if (bytes->head_left) {
            memcpy(at, bytes->head + PNG_HEAD_BYTES - bytes->head_left, taken);
            bytes->head_left -= taken;
        } else if (png_take(bytes, at, taken)) {
            bytes->left -= taken;
        } else {
            return SPNG_IO_EOF;
        }
        at += taken;
        size -= taken;
    }
    return 0;
}

// ---- rows ---------------------------------------------------------------------------------------

static TrnResult png_fault(const char **fault, int error)
{
    if (error == SPNG_EMEM) {
        return TRN_RESULT_NO_MEMORY;
    }
    *fault = spng_strerror(error);
    return TRN_RESULT_CORRUPT;
}

static TrnResult png_read_head(spng_ctx *context, struct spng_ihdr *head, const char **fault)
{
    const int error = spng_get_ihdr(context, head);
    if (error == SPNG_EUSER_WIDTH || error == SPNG_EUSER_HEIGHT ||
        (!error && (uint64_t)head->width * head->height > TRN_PNG_PIXELS_MAX)) {
        *fault = "a picture may have 32768 pixels along a side and 67108864 in all";
        return TRN_RESULT_CORRUPT;
    }
    return error ? png_fault(fault, error) : TRN_RESULT_OK;
}

static TrnResult png_read_rows(spng_ctx *context, const struct spng_ihdr *head, uint16_t *rgba,
                               const TrnPngTarget *target, const char **fault)
{
    // The pixels that each pass of an interlaced picture has of a row.
    static const uint8_t firsts[] = {0, 4, 0, 2, 0, 1, 0}, steps[] = {8, 8, 4, 4, 2, 2, 1};
    const bool is_interlaced = head->interlace_method != SPNG_INTERLACE_NONE;
    const size_t row_bytes = (size_t)head->width * 4 * sizeof *rgba;
    int error = spng_decode_image(context, NULL, 0, SPNG_FMT_RGBA16, SPNG_DECODE_PROGRESSIVE);
    while (!error) {
        struct spng_row_info row;
        error = spng_get_row_info(context, &row);
        if (error) {
            break;
        }
        error = spng_decode_row(context, rgba, row_bytes);
        if ((!error || error == SPNG_EOI) &&
            !target->row(target->user, row.row_num, rgba, is_interlaced ? firsts[row.pass] : 0,
                         is_interlaced ? steps[row.pass] : 1)) {
            return TRN_RESULT_IO;
        }
    }
    return error == SPNG_EOI ? TRN_RESULT_OK : png_fault(fault, error);
}

static TrnResult png_read(spng_ctx *context, const TrnPngSource *source, const TrnPngTarget *target,
                          const TrnAllocator *allocator, const char **fault)
{
    struct spng_ihdr head;
    PngBytes bytes = {.source = source, .left = PNG_SIGNATURE_BYTES};
    const int error = spng_set_png_stream(context, png_give, &bytes);
    if (error || spng_set_image_limits(context, TRN_PNG_EDGE_MAX, TRN_PNG_EDGE_MAX) ||
        spng_set_chunk_limits(context, PNG_PIECE_MAX, PNG_PIECE_MAX)) {
        return png_fault(fault, error);
    }
    TrnResult result = png_read_head(context, &head, fault);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const size_t row_bytes = (size_t)head.width * 4 * sizeof(uint16_t);
    uint16_t *rgba = trn_take(allocator, row_bytes, sizeof *rgba);
    if (!rgba) {
        return TRN_RESULT_NO_MEMORY;
    }
    result = target->begin(target->user, head.width, head.height);
    if (result == TRN_RESULT_OK) {
        result = png_read_rows(context, &head, rgba, target, fault);
    }
    trn_give(allocator, rgba, row_bytes);
    return result;
}

TrnResult trn_png_read(const TrnPngSource *source, const TrnPngTarget *target,
                       const TrnAllocator *allocator, const char **fault)
{
    spng_ctx *context = spng_ctx_new(0);
    if (!context) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnResult result = png_read(context, source, target, allocator, fault);
    spng_ctx_free(context);
    return result;
}
