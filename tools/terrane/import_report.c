#include "import_report.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

/// A text of the source, made printable: it comes from a file that is not trusted.
typedef struct ReportText {
    char text[256];
} ReportText;

static ReportText report_text(const char *text)
{
    ReportText shown = {""};
    for (size_t i = 0; text[i] && i + 1 < sizeof shown.text; i++) {
        shown.text[i] = (char)(text[i] >= ' ' && text[i] <= '~' ? text[i] : '?');
    }
    return shown;
}

// ---- text --------------------------------------------------------------------------------------

typedef struct ReportLines {
    FILE *stream;
    bool has[TRN_IMPORT_NOTE_COUNT]; ///< the kind's heading is printed
} ReportLines;

static bool report_print_note(void *user, const TrnImportNote *note)
{
    static const char *const headings[TRN_IMPORT_NOTE_COUNT] = {
        [TRN_IMPORT_NOTE_UNKNOWN] = "Names without a block, by voxels; colours of their own",
        [TRN_IMPORT_NOTE_IGNORED] = "Left out, because Terrane has nothing for it",
        [TRN_IMPORT_NOTE_DAMAGED] = "Damaged, and air now",
    };
    ReportLines *lines = user;
    if (!lines->has[note->kind]) {
        fprintf(lines->stream, "%s\n", headings[note->kind]);
        lines->has[note->kind] = true;
    }
    fprintf(lines->stream, "%12llu  %s", (unsigned long long)note->count,
            report_text(note->what).text);
    fprintf(lines->stream, note->where[0] ? ", first %s\n" : "\n", report_text(note->where).text);
    return true;
}

static TrnResult report_print_text(const WorldImport *import, FILE *stream)
{
    ReportLines lines = {.stream = stream};
    fprintf(stream, "Imported %llu chunks (%s) in %.1f s.\n",
            (unsigned long long)import->copied.copied,
            trn_import_format_name(trn_import_format(import->import)), import->seconds);
    return trn_import_report(import->import, report_print_note, &lines);
}

// ---- JSON --------------------------------------------------------------------------------------

typedef struct ReportJson {
    cJSON *root, *lists[TRN_IMPORT_NOTE_COUNT];
    bool is_whole; ///< false: there was no memory for something
} ReportJson;

static void report_add(ReportJson *json, cJSON *parent, const char *name, cJSON *item)
{
    const bool is_added =
        parent && item &&
        (name ? cJSON_AddItemToObject(parent, name, item) : cJSON_AddItemToArray(parent, item));
    if (!is_added) {
        cJSON_Delete(item);
        json->is_whole = false;
    }
}

static bool report_add_note(void *user, const TrnImportNote *note)
{
    ReportJson *json = user;
    cJSON *item = cJSON_CreateObject();
    report_add(json, json->lists[note->kind], NULL, item);
    if (json->is_whole) {
        report_add(json, item, "what", cJSON_CreateString(report_text(note->what).text));
        report_add(json, item, "count", cJSON_CreateNumber((double)note->count));
        if (note->where[0]) {
            report_add(json, item, "first", cJSON_CreateString(report_text(note->where).text));
        }
    }
    return json->is_whole;
}

static TrnResult report_fill_json(const WorldImport *import, ReportJson *json)
{
    static const char *const names[TRN_IMPORT_NOTE_COUNT] = {"unknown", "ignored", "damaged"};
    const char *format = trn_import_format_name(trn_import_format(import->import));
    report_add(json, json->root, "format", cJSON_CreateString(format));
    report_add(json, json->root, "chunks", cJSON_CreateNumber((double)import->copied.copied));
    report_add(json, json->root, "seconds", cJSON_CreateNumber(import->seconds));
    for (int i = 0; i < TRN_IMPORT_NOTE_COUNT; i++) {
        cJSON *list = cJSON_CreateArray();
        report_add(json, json->root, names[i], list);
        json->lists[i] = json->is_whole ? list : NULL;
    }
    return trn_import_report(import->import, report_add_note, json);
}

static TrnResult report_print_json(const WorldImport *import, FILE *stream)
{
    ReportJson json = {.root = cJSON_CreateObject(), .is_whole = true};
    const TrnResult filled = report_fill_json(import, &json);
    char *text = json.is_whole && filled == TRN_RESULT_OK ? cJSON_Print(json.root) : NULL;
    if (text) {
        fprintf(stream, "%s\n", text);
        cJSON_free(text);
    }
    cJSON_Delete(json.root);
    return text ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

bool import_report_print(const ImportOptions *options, const WorldImport *import, FILE *stream,
                         Message *problem)
{
    const TrnResult printed =
        options->wants_json ? report_print_json(import, stream) : report_print_text(import, stream);
    return printed == TRN_RESULT_OK ||
           message_set(problem, "The world is imported; out of memory for the report.");
}
