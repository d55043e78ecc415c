#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "export_regions.h"

#if TERRANE_TOOL_SAVES
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/schematic.h>

#include "interrupt.h"
#include "program.h"
#include "progress.h"
#include "system.h"
#include "whole_file.h"

#define REGIONS_EDGE 512 ///< voxels along a region

typedef struct RegionsPlace {
    int32_t x, z;
} RegionsPlace;

/// The chunks that lie beyond the heights of a region.
typedef struct RegionsBeyond {
    TrnCoord *coords; ///< [count]
    size_t count, capacity;
    uint64_t voxels; ///< of them that are not air
} RegionsBeyond;

/// What is lost, of all regions.
typedef struct RegionsLoss {
    char name[TRN_BLOCK_NAME_MAX + 1];
    bool is_name; ///< of a block; otherwise something else
    uint64_t count;
} RegionsLoss;

typedef struct Regions {
    ToolLand *land;
    const ExportBox *box; ///< NULL: what is saved
    RegionsPlace *places; ///< [count] in order
    size_t count, capacity;
    bool has_memory;
    RegionsBeyond beyond;
    RegionsLoss *losses; ///< [loss_count]
    size_t loss_count;
    WholeFile file;
    bool has_bytes; ///< of the file: otherwise the region is empty
} Regions;

// ---- which regions ------------------------------------------------------------------------------

static void export_regions_add(Regions *regions, int64_t x, int64_t z)
{
    const RegionsPlace place = {(int32_t)x, (int32_t)z};
    if (regions->count && regions->places[regions->count - 1].x == place.x &&
        regions->places[regions->count - 1].z == place.z) {
        return;
    }
    if (regions->count == regions->capacity) {
        const size_t capacity = regions->capacity ? regions->capacity * 2 : 64;
        RegionsPlace *grown = realloc(regions->places, capacity * sizeof *grown);
        regions->has_memory = regions->has_memory && grown;
        if (!grown) {
            return;
        }
        regions->places = grown;
        regions->capacity = capacity;
    }
    regions->places[regions->count++] = place;
}

/// Notes a chunk if it lies above or below what a region has.
static void export_regions_note_height(Regions *regions, TrnCoord coord)
{
    RegionsBeyond *beyond = &regions->beyond;
    const int64_t low = (int64_t)coord.y * TRN_CHUNK_EDGE;
    if (low >= TRN_REGION_Y_MIN && low <= TRN_REGION_Y_MAX) {
        return;
    }
    if (beyond->count == beyond->capacity) {
        const size_t capacity = beyond->capacity ? beyond->capacity * 2 : 64;
        TrnCoord *grown = realloc(beyond->coords, capacity * sizeof *grown);
        regions->has_memory = regions->has_memory && grown;
        if (!grown) {
            return;
        }
        beyond->coords = grown;
        beyond->capacity = capacity;
    }
    beyond->coords[beyond->count++] = coord;
}

static bool export_regions_add_saved(void *user, TrnCoord coord)
{
    Regions *regions = user;
    export_regions_add(regions, coord.x >> 4, coord.z >> 4);
    export_regions_note_height(regions, coord);
    return regions->has_memory && !interrupt_came();
}

static int export_regions_compare(const void *a, const void *b)
{
    const RegionsPlace *one = a, *other = b;
    return one->z != other->z ? (one->z < other->z ? -1 : 1)
                              : (one->x > other->x) - (one->x < other->x);
}

/// Sorts the regions, and drops those that are there twice.
static void export_regions_sort(Regions *regions)
{
    size_t count = 0;
    if (regions->count) {
        qsort(regions->places, regions->count, sizeof *regions->places, export_regions_compare);
    }
    for (size_t i = 0; i < regions->count; i++) {
        if (i == 0 || export_regions_compare(&regions->places[i - 1], &regions->places[i]) != 0) {
            regions->places[count++] = regions->places[i];
        }
    }
    regions->count = count;
}

static bool export_regions_find(Regions *regions, Message *problem)
{
    if (!regions->box) {
        if (!tool_land_list_saved(regions->land, export_regions_add_saved, regions, problem)) {
            return false;
        }
    } else {
        const TrnVoxel min = regions->box->min, max = regions->box->max;
        const int64_t edge = REGIONS_EDGE;
        for (int64_t z = min.z & -edge; z <= max.z; z += edge) {
            for (int64_t x = min.x & -edge; x <= max.x; x += edge) {
                export_regions_add(regions, x / edge, z / edge);
            }
        }
    }
    if (regions->box) {
        const TrnCoord min = trn_voxel_chunk(regions->box->min),
                       max = trn_voxel_chunk(regions->box->max);
        for (int64_t y = min.y; y <= max.y && regions->has_memory; y++) {
            for (int64_t z = min.z; z <= max.z; z++) {
                for (int64_t x = min.x; x <= max.x; x++) {
                    export_regions_note_height(regions,
                                               (TrnCoord){(int32_t)x, (int32_t)y, (int32_t)z});
                }
            }
        }
    }
    export_regions_sort(regions);
    return regions->has_memory || message_set(problem, "Out of memory for the list of regions.");
}

// ---- one region ---------------------------------------------------------------------------------

static bool export_regions_put(void *user, const void *bytes, size_t size)
{
    Regions *regions = user;
    regions->has_bytes = true;
    whole_file_write(&regions->file, bytes, size);
    return whole_file_flush(&regions->file) == 0;
}

static bool export_regions_has_column(void *user, int32_t chunk_x, int32_t chunk_z)
{
    const Regions *regions = user;
    return regions->box || tool_land_is_saved(regions->land->world, chunk_x, chunk_z);
}

/// Adds up what is lost.
static bool export_regions_note(void *user, const TrnImportNote *note)
{
    Regions *regions = user;
    const bool is_name = note->kind == TRN_IMPORT_NOTE_UNKNOWN;
    size_t i = 0;
    while (i < regions->loss_count && (regions->losses[i].is_name != is_name ||
                                       strcmp(regions->losses[i].name, note->what) != 0)) {
        i++;
    }
    if (i == regions->loss_count) {
        RegionsLoss *grown = realloc(regions->losses, (i + 1) * sizeof *grown);
        if (!grown) {
            return false; // the report is shorter
        }
        regions->losses = grown;
        grown[i] = (RegionsLoss){.is_name = is_name};
        (void)snprintf(grown[i].name, sizeof grown[i].name, "%s", note->what);
        regions->loss_count++;
    }
    regions->losses[i].count += note->count;
    return true;
}

static bool export_regions_save(Regions *regions, RegionsPlace place, Message *problem)
{
    static const TrnVoxel lowest = {TRN_VOXEL_MIN, TRN_VOXEL_MIN, TRN_VOXEL_MIN},
                          highest = {TRN_VOXEL_MAX, TRN_VOXEL_MAX, TRN_VOXEL_MAX};
    TrnStorageProblem why = {""};
    const TrnRegionDef def = {.x = place.x,
                              .z = place.z,
                              .min = regions->box ? regions->box->min : lowest,
                              .max = regions->box ? regions->box->max : highest,
                              .types = regions->land->types,
                              .source = tool_land_source(regions->land),
                              .has_column = export_regions_has_column,
                              .write = export_regions_put,
                              .note = export_regions_note,
                              .user = regions};
    regions->has_bytes = false;
    const TrnResult result = trn_region_save(&def, NULL, &why);
    const int error = whole_file_flush(&regions->file);
    return result == TRN_RESULT_OK ||
           (error ? whole_file_problem(regions->file.path, error, problem)
                  : message_set(problem, "%s", why.sentence));
}

/// Writes one file.
static bool export_regions_write_one(Regions *regions, const char *folder, RegionsPlace place,
                                     Message *problem)
{
    char path[PATH_MAX];
    const int size =
        snprintf(path, sizeof path, "%s/region/r.%d.%d.mca", folder, (int)place.x, (int)place.z);
    if (size < 0 || (size_t)size >= sizeof path) {
        return message_set(problem, "The name %s is too long; choose another with --out.",
                           message_short(folder).text);
    }
    whole_file_make_folders(path);
    int error = whole_file_open(&regions->file, path);
    if (error) {
        return whole_file_problem(path, error, problem);
    }
    if (!export_regions_save(regions, place, problem)) {
        whole_file_drop(&regions->file);
        return false;
    }
    if (!regions->has_bytes) {
        whole_file_drop(&regions->file);
        return true;
    }
    error = whole_file_finish(&regions->file);
    return !error || whole_file_problem(path, error, problem);
}

// ---- what a region has no room for
// ---------------------------------------------------------------

/// Whether a voxel of a chunk is to be exported. @param index  linear
static bool export_regions_has(const Regions *regions, TrnCoord coord, uint32_t index)
{
    if (!regions->box) {
        return true;
    }
    const TrnVoxel low = trn_coord_voxel(coord), min = regions->box->min, max = regions->box->max;
    const int64_t edge = TRN_CHUNK_EDGE, x = low.x + index % edge, z = low.z + index / edge % edge,
                  y = low.y + index / (edge * edge);
    return x >= min.x && x <= max.x && y >= min.y && y <= max.y && z >= min.z && z <= max.z;
}

/// Counts what lies beyond the heights of Minecraft.
static bool export_regions_count_beyond(Regions *regions, Message *problem)
{
    const TrnStreamSource source = tool_land_source(regions->land);
    TrnBlock *blocks = malloc((size_t)TRN_CHUNK_VOXELS * sizeof *blocks);
    TrnResult result = blocks ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    for (size_t i = 0; i < regions->beyond.count && result == TRN_RESULT_OK && !interrupt_came();
         i++) {
        const TrnStreamJob job = {.coord = regions->beyond.coords[i]};
        bool is_uniform = true;
        result = source.load(source.user, &job, blocks, &is_uniform);
        if (result == TRN_RESULT_NOT_FOUND || (is_uniform && blocks[0] == TRN_BLOCK_AIR)) {
            result = result == TRN_RESULT_NOT_FOUND ? TRN_RESULT_OK : result;
            continue;
        }
        for (uint32_t k = 0; k < TRN_CHUNK_VOXELS && result == TRN_RESULT_OK; k++) {
            regions->beyond.voxels += blocks[is_uniform ? 0 : k] != TRN_BLOCK_AIR &&
                                      export_regions_has(regions, job.coord, k);
        }
    }
    free(blocks);
    return result == TRN_RESULT_OK ||
           message_set(problem, "Cannot export the world: %s", trn_result_text(result));
}

// ---- level.dat
// -----------------------------------------------------------------------------------

/// Where players of the exported world begin.
static TrnVoxel export_regions_spawn(const Regions *regions)
{
    TrnVoxel spawn = regions->land->spawn;
    if (!regions->land->world && regions->box) {
        spawn.x = (regions->box->min.x + regions->box->max.x) / 2;
        spawn.z = (regions->box->min.z + regions->box->max.z) / 2;
        spawn.y = regions->box->max.y + 1;
        if (regions->land->terrain && trn_terrain_height(regions->land->terrain, spawn.x, spawn.z,
                                                         &spawn.y) == TRN_RESULT_OK) {
            spawn.y++;
        }
    }
    return spawn;
}

/// Writes level.dat, so that the folder is a world. One that is there stays: it is the game's.
static bool export_regions_write_level(Regions *regions, const char *folder, Message *problem)
{
    char path[PATH_MAX], name[256];
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/') {
        length--;
    }
    size_t begin = length;
    while (begin > 0 && folder[begin - 1] != '/') {
        begin--;
    }
    (void)snprintf(name, sizeof name, "%.*s", (int)(length - begin), folder + begin);
    const int size = snprintf(path, sizeof path, "%s/level.dat", folder);
    if (size < 0 || (size_t)size >= sizeof path) {
        return message_set(problem, "The name %s is too long; choose another with --out.",
                           message_short(folder).text);
    }
    if (system_has_path(path)) {
        return true;
    }
    int error = whole_file_open(&regions->file, path);
    if (error) {
        return whole_file_problem(path, error, problem);
    }
    const TrnResult result = trn_region_save_level(name, export_regions_spawn(regions),
                                                   export_regions_put, regions, NULL);
    error = whole_file_flush(&regions->file);
    if (result != TRN_RESULT_OK && !error) { // half of it would stay for good
        whole_file_drop(&regions->file);
        return message_set(problem, "Cannot write %s: %s", message_short(path).text,
                           trn_result_text(result));
    }
    error = whole_file_finish_new(&regions->file);
    whole_file_drop(&regions->file);
    return !error || error == EEXIST || whole_file_problem(path, error, problem);
}

// ---- all of them --------------------------------------------------------------------------------

static void export_regions_print_losses(const Regions *regions)
{
    Message line;
    if (regions->beyond.voxels) {
        (void)message_set(
            &line, "%12llu  voxels below %d or above %d, which Minecraft has no room for",
            (unsigned long long)regions->beyond.voxels, TRN_REGION_Y_MIN, TRN_REGION_Y_MAX);
        (void)program_complain("terrane export", &line, 0);
    }
    for (int is_name = 1; is_name >= 0; is_name--) {
        bool has_heading = !is_name;
        for (size_t i = 0; i < regions->loss_count; i++) {
            const RegionsLoss *loss = &regions->losses[i];
            if (loss->is_name != (is_name == 1)) {
                continue;
            }
            if (!has_heading) {
                (void)message_set(
                    &line, "Blocks without a name in this format, which are others or keep that of "
                           "Terrane, by voxels:");
                (void)program_complain("terrane export", &line, 0);
                has_heading = true;
            }
            (void)message_set(&line, "%12llu  %s%s", (unsigned long long)loss->count, loss->name,
                              is_name ? "" : " that it does not hold");
            (void)program_complain("terrane export", &line, 0);
        }
    }
}

static bool export_regions_write_all(Regions *regions, const char *folder, Message *problem)
{
    Progress progress = progress_start(stderr, "terrane export", (int64_t)regions->count);
    bool good = true;
    size_t done = 0;
    while (done < regions->count && good && !interrupt_came()) {
        good = export_regions_write_one(regions, folder, regions->places[done], problem);
        done += good;
        progress_set(&progress, (int64_t)done, (int64_t)regions->count);
    }
    progress_end(&progress);
    if (good && interrupt_came()) {
        return message_set(problem, "Interrupted after %zu of %zu region files, which are in %s.",
                           done, regions->count, message_short(folder).text);
    }
    return good;
}

bool export_regions_write(const char *folder, const ExportBox *box, ToolLand *land,
                          Message *problem)
{
    Regions regions = {.land = land, .box = box, .has_memory = true};
    bool good = export_regions_find(&regions, problem) &&
                export_regions_write_all(&regions, folder, problem) &&
                export_regions_write_level(&regions, folder, problem) &&
                export_regions_count_beyond(&regions, problem);
    if (good) {
        export_regions_print_losses(&regions);
    }
    if (good && !regions.count) {
        good = message_set(problem, "The world has no saved chunks; give --box to export land that "
                                    "it generates.");
    }
    free(regions.places);
    free(regions.beyond.coords);
    free(regions.losses);
    return good;
}
#else
bool export_regions_write(const char *folder, const ExportBox *box, ToolLand *land,
                          Message *problem)
{
    (void)folder;
    (void)box;
    (void)land;
    return message_set(problem, "This terrane was built without worlds in files and so without "
                                "those of Minecraft; build it with -DTERRANE_BUILD_SAVE=ON.");
}
#endif
