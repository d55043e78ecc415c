// The resolution follows the time of frames, on machines that are simulated: a frame takes a fixed
// time and one for each pixel.
#include "testing.h"

#include <adapt.h>

typedef struct Machine {
    double fixed_us, pixel_us; ///< of a frame; of all its pixels at resolution 1
    double scale;              ///< as the settings have it
    Adapt adapt;
    uint32_t changes;
} Machine;

static double frame_of(const Machine *machine)
{
    return machine->fixed_us + machine->pixel_us * machine->scale * machine->scale;
}

static void run_for(Machine *machine, double seconds)
{
    for (double clock = 0; clock < seconds;) {
        const double frame = frame_of(machine);
        const double next = adapt_step(&machine->adapt, machine->scale, frame);
        machine->changes += next != machine->scale;
        machine->scale = next;
        clock += frame * 1e-6;
    }
}

static void a_fast_machine_draws_what_the_player_chose(void **state)
{
    (void)state;
    for (double scale = 0.25; scale <= 2; scale += 0.25) {
        Machine machine = {.fixed_us = 2e3, .pixel_us = 3e3, .scale = scale};
        run_for(&machine, 60);
        assert_int_equal(machine.changes, 0);
    }
}

static void a_slow_machine_gets_20_frames_a_second_or_the_lowest_step(void **state)
{
    (void)state;
    static const struct {
        double fixed_us, pixel_us, part;
    } cases[] = {
        {10e3, 45e3, 0.8},  {10e3, 70e3, 0.64}, {10e3, 120e3, 0.5},
        {10e3, 500e3, 0.5}, {40e3, 60e3, 0.5},  {200e3, 1e3, 0.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Machine machine = {
            .fixed_us = cases[i].fixed_us, .pixel_us = cases[i].pixel_us, .scale = 1};
        run_for(&machine, 30);
        assert_true(machine.scale == cases[i].part);
        assert_in_range(machine.changes, 1, ADAPT_STEPS - 1);
    }
}

static void it_comes_back_once_frames_are_fast(void **state)
{
    (void)state;
    Machine machine = {.fixed_us = 90e3, .pixel_us = 10e3, .scale = 1}; // the land is loading
    run_for(&machine, 20);
    assert_true(machine.scale == 0.5);
    machine.fixed_us = 5e3;
    run_for(&machine, 60);
    assert_true(machine.scale == 1);
}

static void it_does_not_flicker_between_two_steps(void **state)
{
    (void)state;
    Machine machine = {.scale = 1};
    for (int i = 0; i < 200; i++) { // slow and fast minutes
        machine.fixed_us = i % 2 ? 5e3 : 90e3;
        run_for(&machine, 60);
    }
    assert_in_range(machine.changes, 2, 12);
}

static void single_slow_frames_change_nothing(void **state)
{
    (void)state;
    Adapt adapt = {0};
    for (int i = 0; i < 5000; i++) {
        assert_true(adapt_step(&adapt, 1, i % 20 ? 20e3 : 400e3) == 1);
    }
}

static void a_choice_of_the_player_begins_anew(void **state)
{
    (void)state;
    Machine machine = {.fixed_us = 10e3, .pixel_us = 500e3, .scale = 1};
    run_for(&machine, 30);
    assert_true(machine.scale == 0.5);
    machine.scale = 0.25;
    run_for(&machine, 1);
    assert_true(machine.adapt.full == 0.25 && machine.scale == 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_machine_draws_what_the_player_chose),
        cmocka_unit_test(a_slow_machine_gets_20_frames_a_second_or_the_lowest_step),
        cmocka_unit_test(it_comes_back_once_frames_are_fast),
        cmocka_unit_test(it_does_not_flicker_between_two_steps),
        cmocka_unit_test(single_slow_frames_change_nothing),
        cmocka_unit_test(a_choice_of_the_player_begins_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
