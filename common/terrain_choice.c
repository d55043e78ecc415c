#include "terrain_choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

bool terrain_choice_same_shape(const TrnTerrainShape *a, const TrnTerrainShape *b)
{
    char texts[2][1024];
    (void)trn_terrain_shape_write(a, texts[0], sizeof texts[0]);
    (void)trn_terrain_shape_write(b, texts[1], sizeof texts[1]);
    return strcmp(texts[0], texts[1]) == 0;
}

/// Reads a number, without the blanks around it; otherwise makes one of the text between them.
/// @return whether it is a number
static bool terrain_choice_read(const char *text, uint64_t *seed)
{
    char trimmed[256];
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t')) {
        length--;
    }
    (void)snprintf(trimmed, sizeof trimmed, "%.*s", (int)(length < 255 ? length : 255), text);
    if (option_read_seed(trimmed, seed)) {
        return true;
    }
    *seed = 14695981039346656037U; // http://www.isthe.com/chongo/tech/comp/fnv/
    for (size_t i = 0; i < length; i++) {
        *seed = (*seed ^ (unsigned char)text[i]) * 1099511628211U;
    }
    return false;
}

uint64_t terrain_choice_seed(const char *text)
{
    uint64_t seed;
    (void)terrain_choice_read(text, &seed);
    return seed;
}

bool terrain_choice_is_number(const char *text)
{
    uint64_t unused;
    return terrain_choice_read(text, &unused);
}

void terrain_choice_presets(char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    const char *name;
    for (size_t i = 0; (name = trn_terrain_preset_name(i)) && length < size; i++) {
        const char *before = i == 0 ? "" : trn_terrain_preset_name(i + 1) ? ", " : " and ";
        length += (size_t)snprintf(text + length, size - length, "%s%s", before, name);
    }
}

void terrain_choice_describe(const TerrainChoice *choice, char *text, size_t size)
{
    if (choice->file) {
        (void)snprintf(text, size, "terrain %s", message_short(choice->file).text);
        return;
    }
    (void)snprintf(text, size, "preset %s",
                   choice->preset ? choice->preset : trn_terrain_preset_name(0));
}

static bool terrain_shape_of_preset(const char *name, TrnTerrainShape *shape, Message *problem)
{
    if (trn_terrain_shape_preset(name, shape) == TRN_RESULT_OK) {
        return true;
    }
    char presets[256];
    terrain_choice_presets(presets, sizeof presets);
    return message_set(problem, "There is no preset '%s'; there are %s.", message_short(name).text,
                       presets);
}

static bool terrain_shape_of_text(const char *path, const char *text, size_t bytes,
                                  TrnTerrainShape *shape, Message *problem)
{
    if (bytes > TERRAIN_CHOICE_BYTES_MAX) {
        return message_set(problem,
                           "%s is larger than %zu KiB and so no terrain file; assets/terrain has "
                           "examples.",
                           message_short(path).text, TERRAIN_CHOICE_BYTES_MAX / 1024);
    }
    TrnTerrainProblem place;
    if (trn_terrain_shape_load(text, bytes, shape, &place) == TRN_RESULT_OK) {
        return true;
    }
    return message_set(problem, "%s:%zu:%zu: %s", message_short(path).text, place.line,
                       place.column, place.sentence);
}

static bool terrain_refuse_terrain_file(const char *path, Message *problem)
{
    const char *reason = strerror(errno);
    return message_set(problem,
                       "Cannot read the terrain %s: %s; --terrain takes the path of a terrain "
                       "file.",
                       message_short(path).text, reason);
}

static bool terrain_shape_of_file(const char *path, TrnTerrainShape *shape, Message *problem)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return terrain_refuse_terrain_file(path, problem);
    }
    // One byte more than allowed detects a file that is too large, also a device or a pipe, which
    // have no size.
    char *text = malloc(TERRAIN_CHOICE_BYTES_MAX + 1);
    bool good = text != NULL;
    if (!good) {
        (void)message_set(problem, "Out of memory for the terrain %s.", message_short(path).text);
    } else {
        const size_t bytes = fread(text, 1, TERRAIN_CHOICE_BYTES_MAX + 1, file);
        good = ferror(file) ? terrain_refuse_terrain_file(path, problem)
                            : terrain_shape_of_text(path, text, bytes, shape, problem);
    }
    free(text);
    (void)fclose(file);
    return good;
}

bool terrain_choice_shape(const TerrainChoice *choice, TrnTerrainShape *shape, Message *problem)
{
    if (choice->preset && choice->file) {
        return message_set(problem, "--preset and --terrain both name a land; leave one out.");
    }
    if (choice->file) {
        return terrain_shape_of_file(choice->file, shape, problem);
    }
    return terrain_shape_of_preset(choice->preset ? choice->preset : trn_terrain_preset_name(0),
                                   shape, problem);
}
