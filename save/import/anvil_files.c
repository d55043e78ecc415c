#include "anvil_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lz4.h>
#include <xxhash.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "file.h"

/// The longest name of a file in a region folder, and more.
#define ANVIL_NAME_BYTES 64

// ---- one region file ----------------------------------------------------------------------------

uint64_t trn_region_location(const unsigned char location[4])
{
    const uint64_t sector =
        (uint64_t)location[0] << 16 | (uint64_t)location[1] << 8 | (uint64_t)location[2];
    return sector < 2 ? 0 : sector * TRN_REGION_SECTOR_BYTES; // the first two are the tables
}

bool trn_region_head(const unsigned char head[TRN_REGION_HEAD_BYTES], TrnRegionHead *out)
{
    const uint32_t size = (uint32_t)head[0] << 24 | (uint32_t)head[1] << 16 |
                          (uint32_t)head[2] << 8 | (uint32_t)head[3];
    if (size == 0 || size - 1 > TRN_REGION_COLUMN_MAX) {
        return false;
    }
    *out = (TrnRegionHead){size - 1, head[4] & 127, head[4] >> 7};
    return true;
}

// ---- zlib ---------------------------------------------------------------------------------------

/// zlib frees without a size, so it stands in front of each block.
#define REGION_BLOCK_HEAD 16

void *trn_region_zlib_alloc(void *user, unsigned items, unsigned item_bytes)
{
    const TrnAllocator *allocator = user;
    const size_t bytes = (size_t)items * item_bytes + REGION_BLOCK_HEAD;
    unsigned char *block = trn_take(allocator, bytes, REGION_BLOCK_HEAD);
    if (!block) {
        return NULL;
    }
    memcpy(block, &bytes, sizeof bytes);
    return block + REGION_BLOCK_HEAD;
}

void trn_region_zlib_free(void *user, void *memory)
{
    unsigned char *block = (unsigned char *)memory - REGION_BLOCK_HEAD;
    size_t bytes;
    memcpy(&bytes, block, sizeof bytes);
    trn_give(user, block, bytes);
}

/// What decompresses to at most some bytes.
typedef struct RegionTarget {
    TrnBytes *bytes;
    size_t most;
    const TrnAllocator *allocator;
    bool *is_cut;
} RegionTarget;

/// Ensures that there is space for as many bytes as wanted.
static TrnResult region_grow(const RegionTarget *to, size_t wanted)
{
    TrnBytes *bytes = to->bytes;
    const size_t least = (size_t)64 << 10;
    if (wanted > to->most) {
        return TRN_RESULT_CORRUPT;
    }
    return wanted <= bytes->capacity
               ? TRN_RESULT_OK
               : trn_array_reserve(bytes, to->allocator, wanted < least ? least : wanted);
}

static TrnResult region_inflate_all(z_stream *stream, const RegionTarget *to)
{
    TrnBytes *column = to->bytes;
    for (;;) {
        TrnResult result = region_grow(to, (size_t)column->count + 1);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        const uint32_t left = column->capacity - column->count;
        stream->next_out = column->items + column->count;
        stream->avail_out = left;
        const int status = inflate(stream, Z_NO_FLUSH);
        column->count += left - stream->avail_out;
        if (status == Z_STREAM_END) {
            return column->count <= to->most ? TRN_RESULT_OK : TRN_RESULT_CORRUPT;
        }
        if (status == Z_MEM_ERROR) {
            return TRN_RESULT_NO_MEMORY;
        }
        if (stream->avail_out > 0) { // with all of the data in hand
            *to->is_cut = status == Z_OK || status == Z_BUF_ERROR;
            return TRN_RESULT_CORRUPT;
        }
        if (status != Z_OK) {
            return TRN_RESULT_CORRUPT;
        }
    }
}

static TrnResult region_inflate(int window_bits, const unsigned char *from, size_t size,
                                const RegionTarget *to)
{
    TrnAllocator copy = *to->allocator;                  // zlib takes no pointer to const
    z_stream stream = {.next_in = (unsigned char *)from, // NOLINT: it only reads
                       .avail_in = (unsigned)size,
                       .zalloc = trn_region_zlib_alloc,
                       .zfree = trn_region_zlib_free,
                       .opaque = &copy};
    if (inflateInit2(&stream, window_bits) != Z_OK) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnResult result = region_inflate_all(&stream, to);
    inflateEnd(&stream);
    return result;
}

// ---- LZ4 ----------------------------------------------------------------------------------------

#define REGION_LZ4_HEAD_BYTES 21
#define REGION_LZ4_SEED UINT32_C(0x9747B28C)
#define REGION_LZ4_CHECKSUM_BITS UINT32_C(0x0FFFFFFF)

/// The head of a block of LZ4.
typedef struct RegionLz4Head {
    bool is_stored;
    uint32_t stored_bytes, bytes, checksum;
} RegionLz4Head;

static bool region_lz4_head(const unsigned char *from, size_t size, RegionLz4Head *head)
{
    if (size < REGION_LZ4_HEAD_BYTES || memcmp(from, "LZ4Block", 8) != 0) {
        return false;
    }
    const uint32_t method = from[8] & 0xF0u, exponent = 10 + (from[8] & 0x0Fu);
    *head = (RegionLz4Head){method == 0x10, (uint32_t)trn_number_read(from + 9, 4),
                            (uint32_t)trn_number_read(from + 13, 4),
                            (uint32_t)trn_number_read(from + 17, 4)};
    return (method == 0x10 || method == 0x20) && head->bytes <= UINT32_C(1) << exponent &&
           head->stored_bytes <= size - REGION_LZ4_HEAD_BYTES &&
           (!head->is_stored || head->stored_bytes == head->bytes);
}

static bool region_lz4_block(const RegionLz4Head *head, const unsigned char *from,
                             unsigned char *to)
{
    if (head->is_stored) {
        memcpy(to, from, head->bytes);
    } else if (LZ4_decompress_safe((const char *)from, (char *)to, (int)head->stored_bytes,
                                   (int)head->bytes) != (int)head->bytes) {
        return false;
    }
    return (XXH32(to, head->bytes, REGION_LZ4_SEED) & REGION_LZ4_CHECKSUM_BITS) == head->checksum;
}

static TrnResult region_unlz4(const unsigned char *from, size_t size, const RegionTarget *to)
{
    TrnBytes *column = to->bytes;
    RegionLz4Head head;
    while (region_lz4_head(from, size, &head)) {
        if (head.bytes == 0) {
            return TRN_RESULT_OK;
        }
        TrnResult result = region_grow(to, (size_t)column->count + head.bytes);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        if (!region_lz4_block(&head, from + REGION_LZ4_HEAD_BYTES, column->items + column->count)) {
            return TRN_RESULT_CORRUPT;
        }
        column->count += head.bytes;
        from += REGION_LZ4_HEAD_BYTES + head.stored_bytes;
        size -= REGION_LZ4_HEAD_BYTES + head.stored_bytes;
    }
    *to->is_cut = size < REGION_LZ4_HEAD_BYTES;
    return TRN_RESULT_CORRUPT;
}

// ---- all ----------------------------------------------------------------------------------------

static TrnResult region_copy(const unsigned char *from, size_t size, const RegionTarget *to)
{
    const TrnResult result = region_grow(to, size);
    if (result == TRN_RESULT_OK && size) {
        memcpy(to->bytes->items, from, size);
        to->bytes->count = (uint32_t)size;
    }
    return result;
}

TrnResult trn_region_decompress(uint32_t compression, const void *from, size_t size, size_t most,
                                const TrnAllocator *allocator, TrnBytes *column, bool *is_cut)
{
    const int window_bits = 15; // the most, and 16 added for the head of gzip
    const RegionTarget to = {column, most, allocator, is_cut};
    column->count = 0;
    *is_cut = false;
    if (size > most) {
        return TRN_RESULT_CORRUPT;
    }
    switch (compression) {
    case TRN_REGION_GZIP:
        return region_inflate(window_bits + 16, from, size, &to);
    case TRN_REGION_ZLIB:
        return region_inflate(window_bits, from, size, &to);
    case TRN_REGION_NONE:
        return region_copy(from, size, &to);
    case TRN_REGION_LZ4:
        return region_unlz4(from, size, &to);
    default:
        return TRN_RESULT_CORRUPT;
    }
}

// ---- names --------------------------------------------------------------------------------------

static const char *anvil_ending(bool is_mcr)
{
    return is_mcr ? "mcr" : "mca";
}

bool trn_anvil_files_is_name(const char *path)
{
    const size_t size = strlen(path);
    return size >= 4 &&
           (strcmp(path + size - 4, ".mca") == 0 || strcmp(path + size - 4, ".mcr") == 0);
}

/// Reads "r.X.Z.mca" or "r.X.Z.mcr". @return false if the name is another
static bool anvil_read_name(const char *name, TrnAnvilRegion *region)
{
    int used = 0;
    int x = 0, z = 0;
    char ending = '\0';
    const bool is_region = strlen(name) < ANVIL_NAME_BYTES &&
                           sscanf(name, "r.%8d.%8d.mc%c%n", &x, &z, &ending, &used) == 3 &&
                           used > 0 && name[used] == '\0' && (ending == 'a' || ending == 'r');
    *region = (TrnAnvilRegion){x, z, ending == 'r'};
    return is_region && abs(x) < TRN_ANVIL_REGION_MAX && abs(z) < TRN_ANVIL_REGION_MAX;
}

/// The part of a path behind its last separator.
static const char *anvil_file_name(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at; at++) {
        if (*at == '/' || *at == '\\') {
            name = at + 1;
        }
    }
    return name;
}

static bool anvil_is_region_file(const char *path)
{
    FILE *file;
    if (!trn_anvil_files_is_name(path) || trn_file_open(path, &file) != TRN_RESULT_OK) {
        return false;
    }
    (void)fclose(file);
    return true;
}

// ---- folders ------------------------------------------------------------------------------------

/// Where the overworld's regions are below a world's folder.
static const char *const ANVIL_FOLDERS[] = {"", "/region",
                                            "/dimensions/minecraft/overworld/region"};

static bool anvil_see_region(void *user, const char *name)
{
    TrnAnvilRegion region;
    *(bool *)user = anvil_read_name(name, &region);
    return !*(bool *)user;
}

/// Returns a new text: a path and what follows it. @return NULL if there is no memory
static char *anvil_join(const TrnAllocator *allocator, const char *path, size_t path_size,
                        const char *more, size_t *bytes)
{
    *bytes = path_size + strlen(more) + 1;
    char *text = trn_take(allocator, *bytes, 1);
    if (text) {
        memcpy(text, path, path_size);
        memcpy(text + path_size, more, strlen(more) + 1);
    }
    return text;
}

/// Finds the folder of a path that has region files.
static TrnResult anvil_find_folder(TrnAnvilFiles *files, const char *path)
{
    for (size_t i = 0; i < sizeof ANVIL_FOLDERS / sizeof *ANVIL_FOLDERS; i++) {
        bool has_region = false;
        files->folder = anvil_join(&files->allocator, path, strlen(path), ANVIL_FOLDERS[i],
                                   &files->folder_bytes);
        if (!files->folder) {
            return TRN_RESULT_NO_MEMORY;
        }
        (void)trn_folder_visit(files->folder, anvil_see_region, &has_region);
        if (has_region) {
            return TRN_RESULT_OK;
        }
        trn_give(&files->allocator, files->folder, files->folder_bytes);
        files->folder = NULL;
    }
    return TRN_RESULT_NOT_FOUND;
}

bool trn_anvil_files_recognise(const char *path)
{
    const TrnAllocator allocator = trn_allocator_default();
    TrnAnvilFiles files = {.allocator = allocator};
    const bool has_folder =
        anvil_is_region_file(path) || anvil_find_folder(&files, path) == TRN_RESULT_OK;
    trn_anvil_files_free(&files);
    return has_folder;
}

// ---- opening ------------------------------------------------------------------------------------

/// What a visit of the folder gathers.
typedef struct AnvilGathered {
    TrnAnvilFiles *files;
    TrnResult result;
} AnvilGathered;

static TrnResult anvil_add_region(TrnAnvilFiles *files, TrnAnvilRegion region)
{
    const TrnCoord place = {region.x, 0, region.z};
    const TrnCoordEntry *entry = trn_coord_map_find(&files->places, place);
    if (entry) { // "r.0.0.mca" and "r.0.0.mcr", or "r.00.0.mca"
        files->regions.items[entry->number].is_mcr &= region.is_mcr;
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_coord_map_reserve(&files->places, &files->allocator, 1);
    if (result == TRN_RESULT_OK) {
        result = trn_array_push(&files->regions, &files->allocator, region);
    }
    if (result == TRN_RESULT_OK) {
        trn_coord_map_add(&files->places, place)->number = files->regions.count - 1;
    }
    return result;
}

static bool anvil_gather(void *user, const char *name)
{
    AnvilGathered *gathered = user;
    TrnAnvilRegion region;
    if (anvil_read_name(name, &region)) {
        gathered->result = anvil_add_region(gathered->files, region);
    }
    return gathered->result == TRN_RESULT_OK;
}

static int anvil_compare_regions(const void *a, const void *b)
{
    const TrnAnvilRegion *one = a, *other = b;
    const int by_z = (one->z > other->z) - (one->z < other->z);
    return by_z ? by_z : (one->x > other->x) - (one->x < other->x);
}

/// Opens "<letter>.X.Z.<ending>" of the folder.
static TrnResult anvil_open_named(const TrnAnvilFiles *files, char letter, int32_t x, int32_t z,
                                  const char *ending, FILE **file)
{
    char name[ANVIL_NAME_BYTES];
    size_t bytes;
    (void)snprintf(name, sizeof name, "/%c.%d.%d.%s", letter, (int)x, (int)z, ending);
    char *path =
        anvil_join(&files->allocator, files->folder, files->folder_bytes - 1, name, &bytes);
    const TrnResult result = path ? trn_file_open(path, file) : TRN_RESULT_NO_MEMORY;
    trn_give(&files->allocator, path, bytes);
    return result;
}

static TrnResult anvil_open_region(const TrnAnvilFiles *files, TrnAnvilRegion region, FILE **file)
{
    return files->only ? trn_file_open(files->only, file)
                       : anvil_open_named(files, 'r', region.x, region.z,
                                          anvil_ending(region.is_mcr), file);
}

/// Whether any region file may be read. Those that may not count as damaged, if others may.
static bool anvil_has_readable(const TrnAnvilFiles *files)
{
    for (uint32_t i = 0; i < files->regions.count; i++) {
        FILE *file = NULL;
        if (anvil_open_region(files, files->regions.items[i], &file) == TRN_RESULT_OK) {
            (void)fclose(file);
            return true;
        }
    }
    return false;
}

static TrnResult anvil_open_folder(TrnAnvilFiles *files, const char *path)
{
    AnvilGathered gathered = {files, anvil_find_folder(files, path)};
    if (gathered.result != TRN_RESULT_OK) {
        return gathered.result;
    }
    (void)trn_folder_visit(files->folder, anvil_gather, &gathered);
    if (gathered.result != TRN_RESULT_OK) {
        return gathered.result;
    }
    if (files->regions.count == 0) {
        return TRN_RESULT_NOT_FOUND; // removed meanwhile
    }
    qsort(files->regions.items, files->regions.count, sizeof *files->regions.items,
          anvil_compare_regions);
    for (uint32_t i = 0; i < files->regions.count; i++) {
        const TrnAnvilRegion *region = &files->regions.items[i];
        trn_coord_map_find(&files->places, (TrnCoord){region->x, 0, region->z})->number = i;
    }
    return anvil_has_readable(files) ? TRN_RESULT_OK : TRN_RESULT_IO;
}

static TrnResult anvil_open_file(TrnAnvilFiles *files, const char *path)
{
    const char *name = anvil_file_name(path);
    TrnAnvilRegion region;
    if (!anvil_read_name(name, &region)) {
        region = (TrnAnvilRegion){0, 0, false}; // any other name
    }
    const size_t folder_size = name > path ? (size_t)(name - path) - 1 : 0;
    files->only = anvil_join(&files->allocator, path, strlen(path), "", &files->only_bytes);
    files->folder = name > path
                        ? anvil_join(&files->allocator, path, folder_size, "", &files->folder_bytes)
                        : anvil_join(&files->allocator, ".", 1, "", &files->folder_bytes);
    return files->only && files->folder ? anvil_add_region(files, region) : TRN_RESULT_NO_MEMORY;
}

TrnResult trn_anvil_files_open(TrnAnvilFiles *files, const char *path,
                               const TrnAllocator *allocator)
{
    *files = (TrnAnvilFiles){.allocator = *allocator};
    return anvil_is_region_file(path) ? anvil_open_file(files, path)
                                      : anvil_open_folder(files, path);
}

void trn_anvil_files_free(TrnAnvilFiles *files)
{
    trn_give(&files->allocator, files->folder, files->folder_bytes);
    trn_give(&files->allocator, files->only, files->only_bytes);
    trn_array_free(&files->regions, &files->allocator);
    trn_coord_map_free(&files->places, &files->allocator);
}

// ---- reading ------------------------------------------------------------------------------------

TrnResult trn_anvil_files_list(const TrnAnvilFiles *files, TrnAnvilRegion region, bool *has)
{
    unsigned char locations[TRN_REGION_COLUMNS][4];
    FILE *file;
    TrnResult result = anvil_open_region(files, region, &file);
    if (result != TRN_RESULT_OK) {
        return result == TRN_RESULT_NO_MEMORY ? result : TRN_RESULT_IO;
    }
    memset(has, 0, sizeof(bool[TRN_REGION_COLUMNS]));
    if (trn_file_bytes(file) == 0) {
        result = TRN_RESULT_OK; // Minecraft leaves empty files where it planned a region
    } else if (trn_file_read(file, 0, locations, sizeof locations)) {
        for (uint32_t i = 0; i < TRN_REGION_COLUMNS; i++) {
            has[i] = trn_region_location(locations[i]) != 0;
        }
    } else {
        result = TRN_RESULT_CORRUPT;
    }
    (void)fclose(file);
    return result;
}

static TrnResult anvil_fault(const char **fault, const char *phrase)
{
    *fault = phrase;
    return TRN_RESULT_CORRUPT;
}

/// Reads the bytes of a column, once there is space for them: fewer if the file ends early.
static TrnResult anvil_read_bytes(const TrnAllocator *allocator, FILE *file, uint64_t at,
                                  size_t size, TrnBytes *bytes, const char **fault)
{
    const uint64_t end = trn_file_bytes(file);
    bytes->count = 0;
    if (at >= end && size > 0) {
        return anvil_fault(fault, "columns: the file ends early");
    }
    size = size < end - at ? size : (size_t)(end - at);
    if (trn_array_reserve(bytes, allocator, size + 1) != TRN_RESULT_OK) {
        return TRN_RESULT_NO_MEMORY;
    }
    if (!trn_file_read(file, at, bytes->items, size)) {
        return anvil_fault(fault, "columns: the file cannot be read");
    }
    bytes->count = (uint32_t)size;
    return TRN_RESULT_OK;
}

static TrnResult anvil_read_external(const TrnAnvilFiles *files, int32_t x, int32_t z,
                                     TrnBytes *bytes, const char **fault)
{
    FILE *file;
    TrnResult result = anvil_open_named(files, 'c', x, z, "mcc", &file);
    if (result != TRN_RESULT_OK) {
        return result == TRN_RESULT_NO_MEMORY
                   ? result
                   : anvil_fault(fault, "columns: their .mcc file is missing");
    }
    const uint64_t size = trn_file_bytes(file);
    result = size > TRN_REGION_COLUMN_MAX
                 ? anvil_fault(fault, "columns: too large")
                 : anvil_read_bytes(&files->allocator, file, 0, (size_t)size, bytes, fault);
    (void)fclose(file);
    return result;
}

static TrnResult anvil_read_column(const TrnAnvilFiles *files, FILE *file, int32_t x, int32_t z,
                                   TrnAnvilStored *stored, const char **fault)
{
    unsigned char locations[TRN_REGION_COLUMNS][4], bytes[TRN_REGION_HEAD_BYTES];
    const uint32_t edge = TRN_REGION_EDGE;
    const uint32_t index = ((uint32_t)x % edge) + ((uint32_t)z % edge) * edge;
    TrnRegionHead head;
    if (!trn_file_read(file, 0, locations, ((size_t)index + 1) * sizeof locations[0])) {
        return TRN_RESULT_NOT_FOUND; // list reports the region
    }
    const uint64_t at = trn_region_location(locations[index]);
    if (at == 0) {
        return TRN_RESULT_NOT_FOUND;
    }
    for (uint32_t i = 0; i < index; i++) { // otherwise a small file could be much work
        if (trn_region_location(locations[i]) == at) {
            return anvil_fault(fault, "columns: they have the data of another column");
        }
    }
    if (!trn_file_read(file, at, bytes, sizeof bytes) || !trn_region_head(bytes, &head)) {
        return anvil_fault(fault, "columns: no data where the region says");
    }
    stored->compression = head.compression;
    return head.is_external ? anvil_read_external(files, x, z, &stored->bytes, fault)
                            : anvil_read_bytes(&files->allocator, file, at + sizeof bytes,
                                               head.size, &stored->bytes, fault);
}

TrnResult trn_anvil_files_read(const TrnAnvilFiles *files, int32_t x, int32_t z,
                               TrnAnvilStored *stored, const char **fault)
{
    const TrnCoordEntry *entry = trn_coord_map_find(&files->places, (TrnCoord){x >> 5, 0, z >> 5});
    FILE *file;
    if (!entry) {
        return TRN_RESULT_NOT_FOUND;
    }
    TrnResult result = anvil_open_region(files, files->regions.items[entry->number], &file);
    if (result != TRN_RESULT_OK) {
        return result == TRN_RESULT_NO_MEMORY
                   ? result
                   : anvil_fault(fault, "columns: the region file cannot be read");
    }
    result = anvil_read_column(files, file, x, z, stored, fault);
    (void)fclose(file);
    return result;
}
