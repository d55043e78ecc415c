#include "start/reporter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system.h"

struct Reporter {
    SystemChild *child;
    ReporterNow now;
    int code;
    char line[256]; ///< that is not complete yet
    size_t length;
    Message last; ///< complete line
};

Reporter *reporter_begin(const char *program, const char *folder, Message *problem)
{
    const char *const arguments[] = {program, "--benchmark", folder, NULL};
    Reporter *reporter = calloc(1, sizeof *reporter);
    if (!reporter || !(reporter->child = system_child_begin(arguments))) {
        free(reporter);
        (void)message_set(problem, "The report cannot be made: %.300s cannot be started.", program);
        return NULL;
    }
    return reporter;
}

/// Takes a line such as "terrane-viewer: flight 2 of 5, fast: frame 120 of 600".
static void reporter_take_line(Reporter *reporter)
{
    ReporterNow *now = &reporter->now;
    const char *said = strstr(reporter->line, ": ");
    unsigned flight = 0, flights = 0, frame = 0, frames = 0;
    said = said ? said + 2 : reporter->line;
    (void)message_set(&reporter->last, "%s", said);
    if (sscanf(said, "flight %u of %u, %*[^:]: frame %u of %u", &flight, &flights, &frame,
               &frames) < 2 ||
        flight < 1 || flight > flights || frame > frames) {
        return;
    }
    const float flown = frames ? (float)frame / (float)frames : 0;
    now->part = ((float)(flight - 1) + flown) / (float)flights;
    (void)snprintf(now->at, sizeof now->at, "%.95s", reporter->last.text);
}

static void reporter_read(Reporter *reporter)
{
    char text[512];
    size_t count;
    while ((count = system_child_read(reporter->child, text, sizeof text)) > 0) {
        for (size_t i = 0; i < count; i++) {
            if (text[i] == '\n') {
                reporter->line[reporter->length] = '\0';
                reporter->length = 0;
                reporter_take_line(reporter);
            } else if (reporter->length + 1 < sizeof reporter->line) {
                reporter->line[reporter->length++] = text[i];
            }
        }
    }
}

ReporterNow reporter_now(Reporter *reporter)
{
    reporter->now.has_ended = system_child_has_ended(reporter->child, &reporter->code);
    reporter_read(reporter);
    return reporter->now;
}

void reporter_stop(Reporter *reporter)
{
    reporter->now.is_stopped = true;
    (void)snprintf(reporter->now.at, sizeof reporter->now.at, "stopping");
    system_child_stop(reporter->child);
}

bool reporter_end(Reporter *reporter, Message *problem)
{
    const ReporterNow now = reporter_now(reporter);
    const bool is_good = now.has_ended && reporter->code == 0;
    if (!is_good && (reporter->now.is_stopped || !now.has_ended)) {
        (void)message_set(problem, "Stopped; there is no new report.");
    } else if (!is_good) {
        (void)message_set(problem, "The report could not be made. %.400s", reporter->last.text);
    }
    system_child_end(reporter->child);
    free(reporter);
    return is_good;
}
