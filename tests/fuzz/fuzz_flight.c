/// Flights, recordings and walks as text: a text is refused with a sentence, or the camera follows
/// it through finite poses, and its edits are the same after they were recorded again.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): mkdtemp
#include <math.h>

#include <flight/flight_writer.h>

#include "fuzz_files.h"

static void expect_flown(const Flight *flight)
{
    const double duration = flight_duration(flight);
    FUZZ_REQUIRE(flight->count > 0 && duration >= 0 && duration <= FLIGHT_SECONDS_MAX);
    for (int i = -1; i <= 33; i++) {
        double pose[5];
        flight_sample(flight, duration * i / 32, pose);
        for (int value = 0; value < 5; value++) {
            FUZZ_REQUIRE(isfinite(pose[value]));
        }
        FUZZ_REQUIRE(fabs(pose[4]) <= 90);
    }
}

static TrnBlock block_of(const TrnBlockTypes *types, const char *name)
{
    TrnBlock block = TRN_BLOCK_STONE; // for names of other worlds
    (void)trn_block_types_find(types, name, &block);
    return block;
}

static void write_flight(FlightWriter *writer, const Flight *flight, const TrnBlockTypes *types)
{
    for (size_t i = 0; i < flight->count; i++) {
        flight_writer_key(writer, flight->keys[i].seconds, flight->keys[i].pose);
    }
    for (size_t i = 0; i < flight->edit_count; i++) {
        HandEdit edit = flight->edits[i].edit;
        edit.block = block_of(types, flight->edits[i].block);
        edit.replaced = block_of(types, flight->edits[i].replaced);
        flight_writer_edit(writer, flight->edits[i].seconds, &edit, types);
    }
}

static bool is_same_voxel(TrnVoxel a, TrnVoxel b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_same_brush(const Brush *a, const Brush *b)
{
    return is_same_voxel(a->box.min, b->box.min) && is_same_voxel(a->box.max, b->box.max) &&
           a->is_ball == b->is_ball &&
           (!a->is_ball || (is_same_voxel(a->centre, b->centre) && a->radius == b->radius));
}

static void expect_same(const Flight *a, const Flight *b)
{
    double first[5], second[5];
    FUZZ_REQUIRE(a->edit_count == b->edit_count && a->head.seed == b->head.seed);
    FUZZ_REQUIRE(strcmp(a->head.preset, b->head.preset) == 0);
    for (size_t i = 0; i < a->edit_count; i++) {
        const FlightEdit *one = &a->edits[i], *other = &b->edits[i];
        FUZZ_REQUIRE(one->seconds == other->seconds && one->edit.kind == other->edit.kind);
        FUZZ_REQUIRE(one->edit.goes_on == other->edit.goes_on);
        FUZZ_REQUIRE(one->edit.kind >= HAND_EDIT_UNDO ||
                     is_same_brush(&one->edit.brush, &other->edit.brush));
    }
    flight_sample(a, 0, first);
    flight_sample(b, 0, second);
    for (int value = 0; value < 5; value++) {
        FUZZ_REQUIRE(first[value] == second[value]);
    }
}

/// Records the flight again, and reads that.
static void expect_round_trip(const Flight *flight)
{
    char folder[FUZZ_FOLDER_BYTES], path[FUZZ_PATH_BYTES];
    Message note, problem;
    FlightWriter *writer;
    Flight again;
    TrnBlockTypes *types;
    FUZZ_REQUIRE(trn_block_types_create_builtin(NULL, &types) == TRN_RESULT_OK);
    fuzz_begin_folder(folder);
    fuzz_path(path, folder, "a.flight");
    FUZZ_REQUIRE(flight_writer_create(&writer, path, &flight->head, &problem));
    write_flight(writer, flight, types);
    FUZZ_REQUIRE(flight_writer_error(writer) == 0);
    FUZZ_REQUIRE(flight_writer_finish(writer, &note, &problem));
    flight_writer_destroy(writer);
    FUZZ_REQUIRE(flight_read(&again, path, &problem));
    expect_same(flight, &again);
    flight_free(&again);
    FUZZ_REQUIRE(remove(path) == 0);
    fuzz_end_folder(folder);
    trn_block_types_destroy(types);
}

int fuzz_flight(const uint8_t *bytes, size_t size);

int fuzz_flight(const uint8_t *bytes, size_t size)
{
    Flight flight;
    Message problem = {""};
    if (!flight_parse(&flight, "a flight", (const char *)bytes, size, &problem)) {
        FUZZ_REQUIRE(*problem.text && memchr(problem.text, 0, sizeof problem.text));
        return 0;
    }
    expect_flown(&flight);
    if (flight.is_recording) {
        expect_round_trip(&flight);
    }
    flight_free(&flight);
    return 0;
}
