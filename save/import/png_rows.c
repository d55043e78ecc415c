#include "png_rows.h"

#include <spng.h>

#include "base/memory.h"

/// The most bytes of decompressed texts and other chunks without pixels. They are not read.
#define PNG_PIECE_MAX ((size_t)1 << 20)

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
    if (!error && head->interlace_method != SPNG_INTERLACE_NONE) {
        *fault = "it is interlaced; save it without";
        return TRN_RESULT_CORRUPT;
    }
    return error ? png_fault(fault, error) : TRN_RESULT_OK;
}

static TrnResult png_read_rows(spng_ctx *context, const struct spng_ihdr *head, uint16_t *rgba,
                               const TrnPngTarget *target, const char **fault)
{
    const size_t row_bytes = (size_t)head->width * 4 * sizeof *rgba;
    int error = spng_decode_image(context, NULL, 0, SPNG_FMT_RGBA16, SPNG_DECODE_PROGRESSIVE);
    for (uint32_t y = 0; !error && y < head->height; y++) {
        error = spng_decode_row(context, rgba, row_bytes);
        const bool is_row = !error || (error == SPNG_EOI && y + 1 == head->height);
        if (is_row && !target->row(target->user, y, rgba)) {
            return TRN_RESULT_IO;
        }
    }
    return error == SPNG_EOI || !error ? TRN_RESULT_OK : png_fault(fault, error);
}

static TrnResult png_read(spng_ctx *context, const TrnPngSource *source, const TrnPngTarget *target,
                          const TrnAllocator *allocator, const char **fault)
{
    struct spng_ihdr head;
    const int error = source->file ? spng_set_png_file(context, source->file)
                                   : spng_set_png_buffer(context, source->bytes, source->size);
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
