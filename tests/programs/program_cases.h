/// What the programs write, one case for each way: the command line, the files, and how to tell a
/// whole file from a part of one. Shared by the tests that let a write fail and that kill programs.
///
/// A case runs in the folder `work` of a place, `base` has the files that it begins with, and `ref`
/// what it leaves when nothing fails. TERRANE_TOOL, TERRANE_BENCH and TERRANE_VIEWER are the
/// programs' paths; cases of a program without one are left out. With TERRANE_VIEWER, which needs a
/// display, only the viewer's cases run.
#pragma once

#include "place.h"

#include <limits.h>
#include <signal.h>

typedef struct ProgramCase {
    const char *program; ///< variable with its path
    const char *before;  ///< a shell command that makes what it begins with; NULL: nothing
    const char *line;    ///< the command line; $T, $B and $V are the programs
    const char *targets; ///< the files that it writes, blanks between them
    /// A shell command that succeeds if the target $t is whole. NULL: it is as in `ref`
    const char *whole;
    /// Succeeds if what is in $t after a failure may be. NULL: as before, or whole
    const char *sound;
    const char *again; ///< the next run after a kill; NULL: `line`
} ProgramCase;

#define HEIGHTS "$T map --seed 7 --size 70x40 --out map.png"
#define IMPORT "$T import --heights 0,40 map.png a.world"
#define NEW "$T new --seed 7 --radius 1 a.world"
// Files with times in them are whole if they end as such files do.
#define WRITTEN                                                                                    \
    "case $t in *.csv) test $(wc -l <$t) = $(wc -l <../ref/$t) ;; "                                \
    "*.json) tail -n 1 $t | grep -q '}$' ;; *.svg) tail -n 2 $t | grep -q '</svg>' ;; "            \
    "*.png) tail -c 8 $t | grep -qa IEND ;; *) tail -n 1 $t | grep -q '^end' ;; esac"
// Worlds need not be the same bytes. The first two lines are the name and the file's size.
#define OPENS "$T verify $t"
// A program that was killed as it began leaves an empty file or empty tables, which count as none.
#define BEGUN "test ! -s $t || " OPENS " >../verify 2>&1 || grep '; make it again' ../verify"
#define SAME_WORLD                                                                                 \
    OPENS " && $T info $t | sed 1,2d >../a && $T info ../ref/$t | sed 1,2d | diff ../a -"
#define SAME_LAND                                                                                  \
    OPENS " && $T map --world $t --size 48x48 --out ../a.png && "                                  \
          "$T map --world ../base/$t --size 48x48 --out ../b.png && cmp ../a.png ../b.png"

static const ProgramCase PROGRAM_CASES[] = {
    {"TERRANE_TOOL", NULL, "$T map --size 120x90 --out a.png", "a.png", NULL, NULL, NULL},
    {"TERRANE_TOOL", NULL, "$T map --center 256,128 --size 512x256 --tiles t",
     "t/tiles.json t/index.html t/1/0/0.png t/1/1/0.png t/0/0/0.png", NULL, "test ! -e $t", NULL},
    {"TERRANE_TOOL", NULL, "$T export --size 32x32 --out a.glb", "a.glb", NULL, NULL, NULL},
    {"TERRANE_TOOL", NULL, "$T export --size 16x16 --out a.obj", "a.obj a.mtl", NULL, NULL, NULL},
    {"TERRANE_TOOL", NULL, "$T export --size 32x32 --out a.schem", "a.schem", NULL, NULL, NULL},
    {"TERRANE_TOOL", NULL, NEW, "a.world", SAME_WORLD, BEGUN, NEW " || $T prune a.world"},
    {"TERRANE_TOOL", HEIGHTS, IMPORT, "a.world", SAME_WORLD, BEGUN,
     IMPORT " || $T import --add map.png a.world"},
    {"TERRANE_TOOL", HEIGHTS " && " IMPORT,
     "$T import --add --heights 0,40 --offset 128,0,0 map.png a.world", "a.world", OPENS, OPENS,
     NULL},
    {"TERRANE_TOOL", NEW, "$T backup a.world b.world", "b.world", SAME_WORLD, "test ! -s $t",
     "test -s b.world || { rm -f b.world; $T backup a.world b.world; }"},
    {"TERRANE_TOOL", NEW, "$T repair a.world b.world", "b.world", OPENS, "test ! -s $t",
     "test -s b.world || { rm -f b.world; $T repair a.world b.world; }"},
    {"TERRANE_TOOL", NEW, "$T prune a.world", "a.world", SAME_LAND, SAME_LAND, NULL},
    {"TERRANE_TOOL", NEW, "$T compact a.world", "a.world", SAME_LAND, SAME_LAND, NULL},
    {"TERRANE_TOOL", NEW, "$T fold a.world", "a.world", SAME_LAND, SAME_LAND, NULL},
    {"TERRANE_BENCH", NULL,
     "$B lookup --quick --filter 'two islands.*Terrane index, num' --csv a.csv --json a.json "
     "--plot plots",
     "a.csv a.json plots/lookup_find_present.csv plots/lookup_find_present.svg "
     "plots/lookup_find_present.png",
     WRITTEN, NULL, NULL},
    {"TERRANE_VIEWER", NULL, "$V --write-settings --settings a.ini", "a.ini", NULL, NULL, NULL},
    {"TERRANE_VIEWER", NULL,
     "$V --headless --frames 2 --size 32x24 --view-distance 2 --look quality=low,samples=1 "
     "--out pictures --pictures 0 "
     "--csv a.csv --record a.flight --record-trace a.trace",
     "pictures/flight.png pictures/frame-00000.png a.csv a.flight a.trace", WRITTEN, NULL, NULL},
};
#define PROGRAM_CASE_COUNT (sizeof PROGRAM_CASES / sizeof *PROGRAM_CASES)

/// Whether a test runs a case.
static inline bool program_case_runs(const ProgramCase *program)
{
    const bool is_viewer = strcmp(program->program, "TERRANE_VIEWER") == 0;
    return getenv(program->program) && is_viewer == (getenv("TERRANE_VIEWER") != NULL);
}

// ---- the place ----------------------------------------------------------------------------------

/// The folder of the place, as the kernel names it. @param path  [PATH_MAX]
static inline const char *program_folder(const Place *place, const char *name, char *path)
{
    char real[PATH_MAX];
    assert_non_null(realpath(place->folder, real));
    (void)snprintf(path, PATH_MAX, "%.200s/%s", real, name);
    return path;
}

/// Completes a shell command with the programs and the folder that it runs in.
/// @param text  [2048]
static inline const char *program_command(const Place *place, const char *folder, const char *line,
                                          const char *end, char *text)
{
    const char *tool = getenv("TERRANE_TOOL"), *bench = getenv("TERRANE_BENCH");
    const char *viewer = getenv("TERRANE_VIEWER");
    const int length = snprintf(text, 2048,
                                "T='%s' B='%s' V='%s'; cd '%s' && export "
                                "MESA_SHADER_CACHE_DIR=\"$PWD/cache\" && cd '%s' && "
                                "{ %s; }%s",
                                tool ? tool : "false", bench ? bench : "false",
                                viewer ? viewer : "false", place->folder, folder, line, end);
    assert_in_range(length, 1, 2047);
    return text;
}

/// Runs a shell command in a folder of the place; its output is in place->text. @return exit code
static inline int program_shell(Place *place, const char *folder, const char *line)
{
    char text[2048];
    return place_run(place, program_command(place, folder, line, " 2>&1", text));
}

static inline void program_expect(Place *place, const char *folder, const char *line)
{
    const int code = program_shell(place, folder, line);
    if (code != 0) {
        fail_msg("'%s' ended with %d: %s", line, code, place->text);
    }
}

/// Makes the folders `base` and `ref` of a case.
static inline void program_case_begin(Place *place, const ProgramCase *program)
{
    program_expect(place, ".", "rm -rf base ref work && mkdir -p base cache && echo old >old");
    if (program->before) {
        program_expect(place, "base", program->before);
    }
    program_expect(place, ".", "cp -r base ref");
    program_expect(place, "ref", program->line);
}

/// Makes the folder `work`. @param has_old  with an older file in place of each target
static inline void program_case_reset(Place *place, const ProgramCase *program, bool has_old)
{
    char line[512];
    program_expect(place, ".", "rm -rf work && cp -r base work");
    if (has_old) {
        (void)snprintf(line, sizeof line,
                       "for t in %s; do mkdir -p $(dirname $t) && cp ../old $t; done",
                       program->targets);
        program_expect(place, "work", line);
    }
}

// ---- what must hold afterwards ------------------------------------------------------------------

/// How a run ended, for checks and messages.
typedef struct ProgramEnd {
    const ProgramCase *program;
    int code;
    bool had_old;
    char how[256]; ///< what was done to it
} ProgramEnd;

static inline void program_fail(Place *place, const ProgramEnd *end, const char *why)
{
    char what[4096];
    (void)snprintf(what, sizeof what, "%.3900s", place->text);
    (void)program_shell(place, ".", "tail -n 5 out; ls -lAR work");
    fail_msg("'%s', %s, ended with %d%s: %s: %s\nIt printed, and left:\n%s", end->program->line,
             end->how, end->code, end->had_old ? " over older files" : "", why, what, place->text);
}

/// Each target is whole; or after a failure as it was. Looks at a copy, since reading a world
/// leaves files beside it.
static inline void program_check_targets(Place *place, const ProgramEnd *end)
{
    const ProgramCase *program = end->program;
    const char *const whole = program->whole ? program->whole : "cmp $t ../ref/$t";
    char line[1024];
    if (end->code == 0) {
        (void)snprintf(line, sizeof line, "for t in %s; do (%s) || exit 1; done", program->targets,
                       whole);
    } else {
        (void)snprintf(line, sizeof line,
                       "for t in %s; do (%s || { test -e $t && %s; }) || exit 1; done",
                       program->targets,
                       program->sound ? program->sound
                       : end->had_old ? "cmp -s $t ../old"
                                      : "test ! -e $t",
                       whole);
    }
    program_expect(place, ".", "rm -rf seen && cp -r work seen");
    if (program_shell(place, "seen", line) != 0) {
        program_fail(place, end, "a file is neither whole nor as before");
    }
}

/// A failure has come with a sentence, in the file `out`; the tool, which writes one file, has one.
static inline void program_check_sentence(Place *place, const ProgramEnd *end)
{
    const bool is_tool = strcmp(end->program->program, "TERRANE_TOOL") == 0;
    char line[128];
    (void)snprintf(line, sizeof line, "test $(grep -c '^terrane[a-z -]*: .*\\.$' out) %s 1",
                   is_tool ? "=" : "-ge");
    if (end->code != 0 && program_shell(place, ".", line) != 0) {
        program_fail(place, end, "it did not say why in one sentence");
    }
}

/// Nothing is left but what a whole run leaves. A killed program leaves its temporary files, which
/// no other program takes for its own. @return whether that is so
static inline bool program_is_clean(Place *place, const ProgramEnd *end)
{
    char line[256];
    (void)snprintf(line, sizeof line,
                   "(cd ref && find . | sort) >names && (cd work && find . %s | sort) | "
                   "comm -13 names - | grep . && exit 1; true",
                   end->code == 128 + SIGKILL ? "! -name '.terrane-tmp-*'" : "");
    return program_shell(place, ".", line) == 0;
}

/// The next run removes what is left of a world.
static inline void program_check_leftovers(Place *place, const ProgramEnd *end)
{
    if (program_is_clean(place, end)) {
        return;
    }
    const char *const again = end->program->again ? end->program->again : end->program->line;
    if (program_shell(place, "work", again) != 0) {
        program_fail(place, end, "the next run failed");
    }
    if (!program_is_clean(place, end)) {
        program_fail(place, end, "the next run left something");
    }
}
