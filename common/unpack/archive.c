#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "archive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <zip.h>

#define ARCHIVE_ENTRIES_MAX 1000000
#define ARCHIVE_STEP_BYTES 65536

/// What an entry of an archive is for an import.
typedef enum ArchiveKind {
    ARCHIVE_OTHER,
    ARCHIVE_LEVEL,  ///< level.dat: its folder is a world of Minecraft
    ARCHIVE_LUANTI, ///< world.mt, map.sqlite: a world of Luanti
    ARCHIVE_REGION, ///< a region file, or a column beside one
    ARCHIVE_BUILDING
} ArchiveKind;

/// What unpacking works with.
typedef struct ArchiveJob {
    Unpacked *unpacked;
    const UnpackDef *def;
    zip_t *zip;
    zip_int64_t count;
    uint64_t bytes;
    Message *problem;
    // What is imported: the kind, and the folder in the archive.
    ArchiveKind kind;
    char root[UNPACKED_PATH_MAX]; ///< "" or it ends in a slash; of a building its whole name
    uint32_t buildings;
} ArchiveJob;

static bool archive_fail(const ArchiveJob *job, const char *fault)
{
    return message_set(job->problem, "Cannot read the archive %s: %s.",
                       message_short(job->def->path).text, fault);
}

/// Says why a file or a folder of ours cannot be written. @param error  an errno
static bool archive_fail_to_write(const ArchiveJob *job, int error)
{
    return message_set(job->problem, "Cannot unpack the archive %s: %s.",
                       message_short(job->def->path).text, strerror(error));
}

// ---- names --------------------------------------------------------------------------------------

static const char *archive_base(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

static ArchiveKind archive_kind(const char *name)
{
    static const char *const buildings[] = {".schem", ".schematic", ".litematic", ".mts", ".vox"};
    const char *base = archive_base(name);
    if (strcmp(base, "level.dat") == 0) {
        return ARCHIVE_LEVEL;
    }
    if (strcmp(base, "world.mt") == 0 || strcmp(base, "map.sqlite") == 0 ||
        strcmp(base, "map_meta.txt") == 0) {
        return ARCHIVE_LUANTI;
    }
    if ((base[0] == 'r' || base[0] == 'c') && base[1] == '.' &&
        (unpacked_ends_in(base, ".mca") || unpacked_ends_in(base, ".mcr") ||
         unpacked_ends_in(base, ".mcc"))) {
        return ARCHIVE_REGION;
    }
    for (size_t i = 0; i < sizeof buildings / sizeof *buildings; i++) {
        if (unpacked_ends_in(base, buildings[i])) {
            return ARCHIVE_BUILDING;
        }
    }
    return ARCHIVE_OTHER;
}

/// Whether a name leads out of the folder into which an archive is unpacked.
static bool archive_leads_out(const char *name)
{
    bool leads = name[0] == '/' || strpbrk(name, "\\:") != NULL;
    for (const char *at = name; at && !leads; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL) {
        leads = at[0] == '.' && at[1] == '.' && (at[2] == '/' || at[2] == '\0');
    }
    return leads;
}

static size_t archive_depth(const char *name)
{
    size_t depth = 0;
    for (; *name; name++) {
        depth += *name == '/';
    }
    return depth;
}

// ---- choosing -----------------------------------------------------------------------------------

/// Which kind is imported if an archive has several: the first of these.
static int archive_rank(ArchiveKind kind)
{
    static const int ranks[] = {[ARCHIVE_OTHER] = 9,
                                [ARCHIVE_LEVEL] = 0,
                                [ARCHIVE_LUANTI] = 1,
                                [ARCHIVE_REGION] = 2,
                                [ARCHIVE_BUILDING] = 3};
    return ranks[kind];
}

/// Takes an entry as what is imported if it is better than that: of a better kind, or less deep.
static void archive_consider(ArchiveJob *job, const char *name)
{
    const ArchiveKind kind = archive_kind(name);
    const int better = archive_rank(job->kind) - archive_rank(kind);
    job->buildings += kind == ARCHIVE_BUILDING;
    if (kind == ARCHIVE_OTHER || better < 0 ||
        (better == 0 && archive_depth(name) >= archive_depth(job->root))) {
        return;
    }
    job->kind = kind;
    const size_t folder = (size_t)(archive_base(name) - name);
    (void)snprintf(job->root, sizeof job->root, "%.*s",
                   (int)(kind == ARCHIVE_BUILDING ? strlen(name) : folder), name);
}

/// Checks the names of all entries, and finds what to import.
static bool archive_look(ArchiveJob *job)
{
    job->count = zip_get_num_entries(job->zip, 0);
    if (job->count < 0 || job->count > ARCHIVE_ENTRIES_MAX) {
        return archive_fail(job, "it has more than 1,000,000 entries");
    }
    for (zip_int64_t i = 0; i < job->count; i++) {
        const char *name = zip_get_name(job->zip, (zip_uint64_t)i, ZIP_FL_ENC_GUESS);
        if (!name || strlen(name) >= UNPACKED_PATH_MAX) {
            return archive_fail(job, "it is damaged, or a name in it is too long");
        }
        if (archive_leads_out(name)) {
            return archive_fail(job, "a name in it leads out of its folder, as in no archive of a "
                                     "world");
        }
        archive_consider(job, name);
    }
    if (job->kind == ARCHIVE_OTHER) {
        return archive_fail(job, "it has no world or schematic that this program imports");
    }
    return job->kind != ARCHIVE_BUILDING || job->buildings == 1 ||
           archive_fail(job, "it has several schematics; unpack it, and name one");
}

// ---- unpacking ----------------------------------------------------------------------------------

/// The name that an entry gets in the temporary folder. @return NULL if it is not imported
static const char *archive_wanted(const ArchiveJob *job, const char *name)
{
    const size_t root = strlen(job->root);
    if (job->kind == ARCHIVE_BUILDING) {
        return strcmp(name, job->root) == 0 ? archive_base(name) : NULL;
    }
    if (strncmp(name, job->root, root) != 0) {
        return NULL;
    }
    const char *rest = name + root;
    const ArchiveKind kind = archive_kind(name);
    const bool is_here = !strchr(rest, '/');
    const bool is_region =
        kind == ARCHIVE_REGION &&
        (job->kind == ARCHIVE_REGION ? is_here
                                     : strncmp(rest, "region/", 7) == 0 && !strchr(rest + 7, '/'));
    const bool is_wanted =
        (job->kind == ARCHIVE_LUANTI ? kind == ARCHIVE_LUANTI && is_here : is_region) ||
        (job->kind == ARCHIVE_LEVEL && kind == ARCHIVE_LEVEL && is_here);
    return is_wanted ? rest : NULL;
}

/// Copies the bytes of an entry. @return false with the problem
static bool archive_copy(ArchiveJob *job, zip_file_t *from, FILE *to)
{
    static const char full[] = "it is larger than 64 GiB unpacked, or its sizes are wrong";
    char bytes[ARCHIVE_STEP_BYTES];
    zip_int64_t got;
    while ((got = zip_fread(from, bytes, sizeof bytes)) > 0) {
        job->bytes += (uint64_t)got;
        if (job->bytes > job->def->bytes_max) {
            return archive_fail(job, full);
        }
        if (fwrite(bytes, 1, (size_t)got, to) != (size_t)got) {
            return archive_fail_to_write(job, errno);
        }
        if (job->def->goes_on && !job->def->goes_on(job->def->user)) {
            return archive_fail(job, "it was stopped");
        }
    }
    return got == 0 || archive_fail(job, "an entry is damaged");
}

/// Unpacks an entry. @param name  in the temporary folder
static bool archive_unpack_entry(ArchiveJob *job, zip_uint64_t index, const char *name)
{
    char path[UNPACKED_PATH_MAX + 2 * (UNPACKED_NAME_MAX + 2)];
    zip_stat_t status;
    if (strlen(name) > UNPACKED_NAME_MAX || zip_stat_index(job->zip, index, 0, &status) != 0) {
        return archive_fail(job, "it is damaged, or a name in it is too long");
    }
    if ((status.valid & ZIP_STAT_ENCRYPTION_METHOD) && status.encryption_method != ZIP_EM_NONE) {
        return archive_fail(job, "it is encrypted; unpack it with its password");
    }
    if (!(status.valid & ZIP_STAT_COMP_METHOD) ||
        (status.comp_method != ZIP_CM_STORE && status.comp_method != ZIP_CM_DEFLATE)) {
        return archive_fail(job, "it is compressed in a way that is not supported; pack it with "
                                 "deflate");
    }
    (void)snprintf(path, sizeof path, "%s/%s", job->unpacked->folder, name);
    zip_file_t *from = zip_fopen_index(job->zip, index, 0);
    if (!from) {
        return archive_fail(job, "an entry is damaged");
    }
    FILE *to = fopen(path, "wbx"); // two entries of one name are none of a world
    bool good = to ? archive_copy(job, from, to) : archive_fail_to_write(job, errno);
    if (to && fclose(to) != 0 && good) {
        good = archive_fail_to_write(job, errno);
    }
    (void)zip_fclose(from);
    return good;
}

/// Makes the folder, and in it the one of the regions of a world of Minecraft.
static bool archive_make_folder(ArchiveJob *job)
{
    char region[UNPACKED_PATH_MAX + sizeof "/region"];
    if (!unpacked_make(job->unpacked, job->def, job->problem)) {
        return false;
    }
    (void)snprintf(region, sizeof region, "%s/region", job->unpacked->folder);
    return job->kind != ARCHIVE_LEVEL || mkdir(region, 0700) == 0 ||
           archive_fail_to_write(job, errno);
}

static bool archive_unpack_all(ArchiveJob *job)
{
    Unpacked *unpacked = job->unpacked;
    if (!archive_look(job) || !archive_make_folder(job)) {
        return false;
    }
    for (zip_int64_t i = 0; i < job->count; i++) {
        const char *name = zip_get_name(job->zip, (zip_uint64_t)i, ZIP_FL_ENC_GUESS);
        const char *wanted = name ? archive_wanted(job, name) : NULL;
        if (wanted && !archive_unpack_entry(job, (zip_uint64_t)i, wanted)) {
            return false;
        }
        if (wanted && job->kind == ARCHIVE_BUILDING) {
            const size_t size = strlen(unpacked->folder);
            (void)snprintf(unpacked->source + size, sizeof unpacked->source - size, "/%.*s",
                           UNPACKED_NAME_MAX, wanted);
        }
    }
    return true;
}

bool archive_unpack(Unpacked *unpacked, const UnpackDef *def, Message *problem)
{
    ArchiveJob *job = calloc(1, sizeof *job);
    *unpacked = (Unpacked){.folder = ""};
    if (!job) {
        return message_set(problem, "Out of memory for the archive.");
    }
    int code = 0;
    *job = (ArchiveJob){.unpacked = unpacked, .def = def, .problem = problem};
    job->zip = zip_open(def->path, ZIP_RDONLY, &code);
    const bool good =
        job->zip ? archive_unpack_all(job) : archive_fail(job, "it is damaged, or no zip archive");
    if (job->zip) {
        zip_discard(job->zip);
    }
    free(job);
    return good;
}
