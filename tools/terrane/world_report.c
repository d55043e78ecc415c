#include "world_report.h"

#include <stdio.h>

#include <cjson/cJSON.h>

#include "interrupt.h"

static bool report_step(void *user, uint64_t done, uint64_t total)
{
    progress_set(user, (int64_t)done, (int64_t)total);
    return !interrupt_came();
}

TrnStorageProgress world_progress(Progress *progress)
{
    return (TrnStorageProgress){report_step, progress};
}

bool world_is_file(const char *path, const char *command, const char *instead, Message *problem)
{
    return !trn_storage_is_url(path) ||
           message_set(problem, "terrane %s works on files; %s.", command, instead);
}

int64_t world_file_bytes(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return 0;
    }
    const long bytes = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    (void)fclose(file);
    return bytes > 0 ? bytes : 0;
}

BytesText world_bytes_text(uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    BytesText shown;
    double value = (double)bytes / 1024;
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < sizeof units / sizeof *units) {
        value /= 1024;
        unit++;
    }
    if (bytes < 1024) {
        (void)snprintf(shown.text, sizeof shown.text, "%d bytes", (int)bytes);
    } else {
        (void)snprintf(shown.text, sizeof shown.text, "%.1f %s", value, units[unit]);
    }
    return shown;
}

bool world_print_json(struct cJSON *json, Message *problem)
{
    char *text = json ? cJSON_Print(json) : NULL;
    cJSON_Delete(json);
    if (!text) {
        return message_set(problem, "Out of memory for this report.");
    }
    (void)puts(text);
    cJSON_free(text);
    return true;
}

bool world_fail(const TrnStorageProblem *why, TrnResult result, const char *left, Message *problem)
{
    if (interrupt_came()) {
        return message_set(problem, "Interrupted; %s.", left);
    }
    return message_set(problem, "%s", *why->sentence ? why->sentence : trn_result_text(result));
}
