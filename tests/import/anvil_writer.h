/// Shared by the tests of Minecraft's formats: writes NBT, columns and region files.
#pragma once

#include "out.h"

#include <lz4.h>
#include <xxhash.h>
#include <zlib.h>

// ---- NBT ----------------------------------------------------------------------------------------

static inline void nbt_text(Out *out, const char *text)
{
    out_number(out, strlen(text), 2);
    out_bytes(out, text, strlen(text));
}

/// Writes the head of a value of a type, by its number, in a compound.
static inline void nbt_tag(Out *out, int type, const char *name)
{
    out_number(out, (uint64_t)type, 1);
    nbt_text(out, name);
}

static inline void nbt_list(Out *out, const char *name, int type, uint32_t count)
{
    nbt_tag(out, 9, name);
    out_number(out, (uint64_t)type, 1);
    out_number(out, count, 4);
}

static inline void nbt_end(Out *out)
{
    out_number(out, 0, 1);
}

// ---- columns ------------------------------------------------------------------------------------

/// How a version of Minecraft writes columns.
typedef struct AnvilStyle {
    uint32_t version;
    bool is_padded; ///< since 1.16
    bool is_flat;   ///< since 1.18
} AnvilStyle;

static const AnvilStyle anvil_1_13 = {1519, false, false}, anvil_1_15 = {2230, false, false},
                        anvil_1_16 = {2566, true, false}, anvil_1_17 = {2730, true, false},
                        anvil_1_18 = {2860, true, true}, anvil_1_21 = {3955, true, true};

/// The blocks of a section: for each an index into the palette, x fastest, then z, then y.
typedef struct AnvilSection {
    int y;
    uint32_t palette_count;
    const char *const *palette;
    bool is_plain; ///< otherwise every other block state has a property more, axis=y
    uint16_t blocks[4096];
} AnvilSection;

static inline void anvil_write_longs(Out *out, const AnvilSection *section, bool is_padded)
{
    uint32_t bits = 4;
    while (1u << bits < section->palette_count) {
        bits++;
    }
    const uint32_t each = is_padded ? 64 / bits : 0;
    const uint32_t longs = is_padded ? (4096 + each - 1) / each : bits * 64;
    uint64_t words[4096 * 12 / 64 + 512] = {0};
    for (uint32_t i = 0; i < 4096; i++) {
        const uint32_t at = is_padded ? i / each * 64 + i % each * bits : i * bits;
        words[at / 64] |= (uint64_t)section->blocks[i] << at % 64;
        if (at % 64 + bits > 64) {
            words[at / 64 + 1] |= (uint64_t)section->blocks[i] >> (64 - at % 64);
        }
    }
    out_number(out, longs, 4);
    for (uint32_t i = 0; i < longs; i++) {
        out_number(out, words[i], 8);
    }
}

/// Writes a block state: its name, and the properties that follow in brackets, as in
/// "minecraft:oak_stairs[facing=east,half=top]". @param axis  also writes axis=y
static inline void anvil_write_state(Out *out, const char *text, bool axis)
{
    const char *open = strchr(text, '[');
    char name[256];
    (void)snprintf(name, sizeof name, "%.*s", (int)(open ? open - text : (long)strlen(text)), text);
    if (open || axis) {
        nbt_tag(out, 10, "Properties");
    }
    if (axis) {
        nbt_tag(out, 8, "axis");
        nbt_text(out, "y");
    }
    for (const char *at = open; at && *at != ']'; at += strcspn(at, ",]")) {
        char key[64], value[64];
        assert_int_equal(sscanf(++at, "%63[^=]=%63[^],]", key, value), 2);
        nbt_tag(out, 8, key);
        nbt_text(out, value);
    }
    if (open || axis) {
        nbt_end(out);
    }
    nbt_tag(out, 8, "Name");
    nbt_text(out, name);
    nbt_end(out);
}

static inline void anvil_write_palette(Out *out, const char *tag, const AnvilSection *section)
{
    nbt_list(out, tag, 10, section->palette_count);
    for (uint32_t i = 0; i < section->palette_count; i++) {
        anvil_write_state(out, section->palette[i], i % 2 && !section->is_plain);
    }
}

static inline void anvil_write_section(Out *out, const AnvilStyle *style,
                                       const AnvilSection *section)
{
    nbt_tag(out, 7, "SkyLight"); // is skipped
    out_number(out, 16, 4);
    out_bytes(out, "0123456789ABCDEF", 16);
    if (style->is_flat) {
        nbt_tag(out, 10, "block_states");
    }
    anvil_write_palette(out, style->is_flat ? "palette" : "Palette", section);
    if (!style->is_flat || section->palette_count > 1) {
        nbt_tag(out, 12, style->is_flat ? "data" : "BlockStates");
        anvil_write_longs(out, section, style->is_padded);
    }
    if (style->is_flat) {
        nbt_end(out);
    }
    nbt_tag(out, 1, "Y");
    out_number(out, (uint64_t)section->y, 1);
    nbt_end(out);
}

/// Writes the NBT of a column.
static inline void anvil_write_column(Out *out, const AnvilStyle *style,
                                      const AnvilSection *sections, uint32_t count)
{
    out_number(out, 10, 1);
    nbt_text(out, "");
    if (!style->is_flat) {
        nbt_tag(out, 10, "Level");
    }
    nbt_tag(out, 6, "a double");
    out_number(out, 0, 8);
    nbt_list(out, style->is_flat ? "sections" : "Sections", 10, count);
    for (uint32_t i = 0; i < count; i++) {
        anvil_write_section(out, style, &sections[i]);
    }
    if (!style->is_flat) {
        nbt_end(out);
    }
    nbt_tag(out, 3, "DataVersion");
    out_number(out, style->version, 4);
    nbt_end(out);
}

// ---- compression --------------------------------------------------------------------------------

static inline void anvil_deflate(Out *out, const Out *from, int window_bits)
{
    z_stream stream = {.next_in = from->bytes, .avail_in = (unsigned)from->size};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY),
                     Z_OK);
    const size_t bound = deflateBound(&stream, from->size) + 64;
    unsigned char *bytes = malloc(bound);
    stream.next_out = bytes;
    stream.avail_out = (unsigned)bound;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out_bytes(out, bytes, bound - stream.avail_out);
    deflateEnd(&stream);
    free(bytes);
}

/// Writes one block as lz4-java's LZ4BlockOutputStream does, of at most 64 KiB.
static inline void anvil_lz4_block(Out *out, const unsigned char *from, size_t size)
{
    const int bound = LZ4_compressBound((int)size);
    char *bytes = malloc((size_t)bound);
    const int packed = LZ4_compress_default((const char *)from, bytes, (int)size, bound);
    const bool is_stored = packed <= 0 || (size_t)packed >= size;
    out_bytes(out, "LZ4Block", 8);
    out_little(out, (is_stored ? 0x10u : 0x20u) | 6, 1);
    out_little(out, is_stored ? size : (size_t)packed, 4);
    out_little(out, size, 4);
    out_little(out, size ? XXH32(from, size, 0x9747B28C) & 0x0FFFFFFF : 0, 4);
    out_bytes(out, is_stored ? (const char *)from : bytes, is_stored ? size : (size_t)packed);
    free(bytes);
}

static inline void anvil_compress(Out *out, const Out *from, int compression)
{
    switch (compression) {
    case 1:
        anvil_deflate(out, from, 15 + 16);
        break;
    case 2:
        anvil_deflate(out, from, 15);
        break;
    case 4:
        for (size_t at = 0; at < from->size; at += 65536) {
            const size_t left = from->size - at;
            anvil_lz4_block(out, from->bytes + at, left < 65536 ? left : 65536);
        }
        anvil_lz4_block(out, (const unsigned char *)"", 0);
        break;
    default:
        out_bytes(out, from->bytes, from->size);
    }
}

// ---- regions ------------------------------------------------------------------------------------

/// Begins a region file.
static inline void anvil_region_begin(Out *out)
{
    static const unsigned char tables[8192];
    *out = (Out){0};
    out_bytes(out, tables, sizeof tables);
}

/// Adds a column. @param compression  with 128 added, the data stays out: it is in a file of its
/// own
static inline void anvil_region_add(Out *out, uint32_t x, uint32_t z, const Out *compressed,
                                    int compression)
{
    const size_t size = compression & 128 ? 0 : compressed->size;
    const size_t sector = out->size / 4096, sectors = (size + 5 + 4095) / 4096;
    unsigned char *location = out->bytes + (size_t)4 * (x + 32 * z);
    location[0] = (unsigned char)(sector >> 16);
    location[1] = (unsigned char)(sector >> 8);
    location[2] = (unsigned char)sector;
    location[3] = (unsigned char)(sectors < 255 ? sectors : 255);
    out_number(out, size + 1, 4);
    out_number(out, (uint64_t)compression, 1);
    out_bytes(out, compressed->bytes, size);
    while (out->size % 4096) {
        out_number(out, 0, 1);
    }
}

static inline void anvil_write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}
