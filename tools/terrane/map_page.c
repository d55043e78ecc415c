#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "map_page.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "whole_file.h"

#define PAGE_FACTS_BYTES 1024

extern const char asset_map_html[];

/// Where the facts belong in the page.
static const char PAGE_MARK[] = "null/*tiles.json*/";

/// Says in JSON what the tiles are. @param text  [PAGE_FACTS_BYTES]
static void page_facts(const MapPyramid *pyramid, const char *land, char *text)
{
    (void)snprintf(text, PAGE_FACTS_BYTES,
                   "{\"format\": 1, \"tiles\": \"{z}/{x}/{y}.png\", \"pixels\": %d, "
                   "\"lastZoom\": %d, \"columns\": %d, \"rows\": %d, \"scale\": %" PRId64 ", "
                   "\"west\": %" PRId64 ", \"north\": %" PRId64 ", \"land\": \"%.256s\"}\n",
                   MAP_TILE_PIXELS, pyramid->last_zoom, pyramid->columns, pyramid->rows,
                   pyramid->scale, pyramid->west, pyramid->north, land);
}

uint64_t map_page_hash_text(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037); // FNV-1a
    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    }
    return hash;
}

uint64_t map_page_hash(const MapPyramid *pyramid, const char *land)
{
    char facts[PAGE_FACTS_BYTES];
    page_facts(pyramid, land, facts);
    return map_page_hash_text(facts);
}

/// Bytes of a file.
typedef struct PagePart {
    const char *bytes; ///< [count]
    size_t count;
} PagePart;

/// @return 0 or an errno
static int page_put(const char *path, const PagePart *parts, size_t count)
{
    WholeFile whole;
    int error = whole_file_open(&whole, path);
    if (error) {
        return error;
    }
    for (size_t i = 0; i < count && !error; i++) {
        errno = 0;
        if (fwrite(parts[i].bytes, 1, parts[i].count, whole.file) != parts[i].count) {
            error = errno ? errno : EIO;
        }
    }
    if (error) {
        whole_file_drop(&whole);
        return error;
    }
    return whole_file_finish(&whole);
}

/// Reads a text. @param text  [capacity] receives its beginning @return false: there is none
static bool page_get(const char *path, char *text, size_t capacity)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return false;
    }
    const size_t length = fread(text, 1, capacity - 1, file);
    text[length] = '\0';
    (void)fclose(file);
    return true;
}

/// Writes the page, with the facts in it, so that a browser also opens it as a file.
static int page_put_html(const char *path, const char *facts)
{
    const char *mark = strstr(asset_map_html, PAGE_MARK);
    const PagePart parts[] = {{asset_map_html, (size_t)(mark - asset_map_html)},
                              {facts, strlen(facts)},
                              {mark + sizeof PAGE_MARK - 1, strlen(mark) - (sizeof PAGE_MARK - 1)}};
    return page_put(path, parts, 3);
}

bool map_page_write(const char *folder, const MapPyramid *pyramid, const char *land,
                    Message *problem)
{
    char path[PATH_MAX], facts[PAGE_FACTS_BYTES], old[PAGE_FACTS_BYTES];
    page_facts(pyramid, land, facts);
    int error = whole_file_make_folder(folder, false);
    if (!error && snprintf(path, sizeof path, "%s/index.html", folder) >= (int)sizeof path) {
        error = ENAMETOOLONG;
    }
    if (error) {
        return whole_file_problem(folder, error, problem);
    }
    (void)snprintf(path, sizeof path, "%s/tiles.json", folder);
    if (page_get(path, old, sizeof old) && strcmp(old, facts) != 0) {
        return message_set(problem,
                           "The folder %s has the tiles of another map; choose another folder, or "
                           "remove this one.",
                           message_short(folder).text);
    }
    const PagePart whole = {facts, strlen(facts)};
    error = page_put(path, &whole, 1);
    if (error) {
        return whole_file_problem(path, error, problem);
    }
    (void)snprintf(path, sizeof path, "%s/index.html", folder);
    error = page_put_html(path, facts);
    return !error || whole_file_problem(path, error, problem);
}
