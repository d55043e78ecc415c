#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "export_out.h"

#include <errno.h>
#include <stdarg.h>

static bool out_problem(const ExportOut *out, Message *problem)
{
    return whole_file_problem(out->path, out->error, problem);
}

static void note_out_error(ExportOut *out)
{
    if (!out->error) {
        out->error = errno ? errno : EIO;
    }
}

bool export_out_open(ExportOut *out, const char *path, Message *problem)
{
    *out = (ExportOut){.path = path};
    out->error = whole_file_open(&out->whole, path);
    return !out->error || out_problem(out, problem);
}

void export_out_flush(ExportOut *out)
{
    errno = 0;
    if (!out->error && fflush(out->whole.file) != 0) {
        note_out_error(out);
    }
}

bool export_out_finish(ExportOut *out, Message *problem)
{
    if (out->error) {
        export_out_drop(out);
    } else {
        out->error = whole_file_finish(&out->whole);
    }
    return !out->error || out_problem(out, problem);
}

void export_out_drop(ExportOut *out)
{
    whole_file_drop(&out->whole);
}

void export_out_bytes(ExportOut *out, const void *bytes, size_t count)
{
    errno = 0;
    if (!out->error && fwrite(bytes, 1, count, out->whole.file) != count) {
        note_out_error(out);
    }
}

void export_out_text(ExportOut *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    errno = 0;
    if (!out->error && vfprintf(out->whole.file, format, arguments) < 0) {
        note_out_error(out);
    }
    va_end(arguments);
}
