// Opening worlds in PostgreSQL by the URL of their server, or the URLs of several: see
// terrane/shared.h.

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/shared.h>

#include "servers.h"

/// The URLs of a world.
typedef struct OpenUrls {
    char *text; ///< owned; the others point into it
    const char *items[TRN_PG_SERVERS_MAX];
    uint32_t count; ///< of them all; only the first TRN_PG_SERVERS_MAX are in `items`
} OpenUrls;

static void open_tell(TrnStorageProblem *problem, const char *sentence)
{
    if (problem) {
        (void)snprintf(problem->sentence, sizeof problem->sentence, "%s", sentence);
    }
}

/// Splits a list of URLs. A space begins the next one only before its scheme. @return false: no
/// memory
static bool open_split(const char *list, OpenUrls *urls)
{
    const size_t bytes = strlen(list) + 1;
    *urls = (OpenUrls){.text = malloc(bytes)};
    if (!urls->text) {
        return false;
    }
    memcpy(urls->text, list, bytes);
    bool is_between = true;
    for (char *c = urls->text; *c; c++) {
        if (is_between && trn_storage_is_url(c)) {
            for (char *end = c; end > urls->text && isspace((unsigned char)end[-1]);) {
                *--end = '\0';
            }
            if (urls->count < TRN_PG_SERVERS_MAX) {
                urls->items[urls->count] = c;
            }
            urls->count++;
        }
        is_between = isspace((unsigned char)*c) != 0;
    }
    for (char *end = urls->text + bytes - 1; end > urls->text && isspace((unsigned char)end[-1]);) {
        *--end = '\0';
    }
    return true;
}

static bool open_may_make(TrnStorageMode mode)
{
    return mode == TRN_STORAGE_CREATE || mode == TRN_STORAGE_EITHER;
}

/// Reads which databases the URLs name, before anything is made there. One that does not answer is
/// not known. @return false with a sentence if two are the same
static bool open_compare(const OpenUrls *urls, TrnStorageProblem *problem)
{
    TrnPgDatabase known[TRN_PG_SERVERS_MAX] = {{0}};
    char sentence[sizeof problem->sentence];
    for (uint32_t i = 0; i < urls->count; i++) {
        TrnPgLink link = {.db = NULL};
        if (trn_pg_connect(&link, urls->items[i])) {
            (void)trn_pg_database(&link, &known[i]);
        }
        trn_pg_disconnect(&link);
        for (uint32_t k = 0; k < i && known[i].system; k++) {
            if (memcmp(&known[i], &known[k], sizeof known[i]) == 0) {
                (void)snprintf(sentence, sizeof sentence,
                               "The URLs %u and %u name one database, or it and its standby; give "
                               "each server of the world once, with its standby in the same URL.",
                               k + 1, i + 1);
                open_tell(problem, sentence);
                return false;
            }
        }
    }
    return true;
}

/// Opens each server. The first tells which world it is. While a world is made, all must answer.
static TrnResult open_all(const OpenUrls *urls, TrnStorageMode mode, TrnStorage *parts,
                          uint32_t *opened, TrnStorageProblem *problem)
{
    TrnPgServer server = {.count = urls->count};
    TrnResult result = TRN_RESULT_OK;
    for (*opened = 0; *opened < urls->count && result == TRN_RESULT_OK; *opened += 1) {
        const bool may_be_gone = *opened && !open_may_make(mode);
        server.number = *opened + 1;
        result = trn_postgres_open(urls->items[*opened], mode, &server, may_be_gone,
                                   &parts[*opened], problem);
        if (result != TRN_RESULT_OK) {
            break;
        }
    }
    return result;
}

static TrnResult open_several(const OpenUrls *urls, TrnStorageMode mode, TrnStorage *storage,
                              TrnStorageProblem *problem)
{
    TrnStorage parts[TRN_PG_SERVERS_MAX];
    uint32_t opened = 0;
    if (urls->count > TRN_PG_SERVERS_MAX) {
        open_tell(problem, "A world has at most 64 servers.");
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const bool may_make = open_may_make(mode);
    if (may_make && !open_compare(urls, problem)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const TrnResult result = open_all(urls, mode, parts, &opened, problem);
    if (result == TRN_RESULT_OK) {
        return trn_servers_create(parts, opened, storage);
    }
    for (uint32_t i = 0; i < opened; i++) {
        parts[i].close(parts[i].user);
    }
    // The servers of a world know which they are; why two say the same is told by comparing.
    return may_make || open_compare(urls, problem) ? result : TRN_RESULT_BAD_ARGUMENT;
}

TrnResult trn_storage_postgres(const char *url, TrnStorageMode mode, TrnStorage *storage,
                               TrnStorageProblem *problem)
{
    OpenUrls urls;
    if (!url || !trn_storage_is_url(url) || !storage || mode > TRN_STORAGE_READ_ONLY) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (!open_split(url, &urls)) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnPgServer only = {.number = 1, .count = 1};
    const TrnResult result =
        urls.count > 1 ? open_several(&urls, mode, storage, problem)
                       : trn_postgres_open(urls.items[0], mode, &only, false, storage, problem);
    free(urls.text);
    return result;
}

TrnResult trn_storage_open_any(const char *name, TrnStorageMode mode, TrnStorage *storage,
                               TrnStorageProblem *problem)
{
    return trn_storage_is_url(name) ? trn_storage_postgres(name, mode, storage, problem)
                                    : trn_storage_open(name, mode, storage, problem);
}

TrnResult trn_storage_postgres_watch_notices(const TrnStorage *storage,
                                             TrnStorageNoticeVisitor visit, void *user)
{
    const uint32_t count = trn_servers_count(storage);
    for (uint32_t i = 0; i < count; i++) {
        trn_postgres_watch_notices(trn_servers_at(storage, i), visit, user);
    }
    return count ? TRN_RESULT_OK : TRN_RESULT_BAD_ARGUMENT;
}
