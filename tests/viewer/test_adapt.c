// What is drawn follows the time of frames, on machines that are simulated: a frame takes a fixed
// time, and one for its pixels, for the view, and for a high quality.
#include "testing.h"

#include <app/adapt.h>

enum { VIEW = 32 };

typedef struct Machine {
    double fixed_us, pixel_us, view_us, quality_us; ///< of a frame as chosen
    bool is_loading;
    Adapt adapt;
    uint32_t changes;
} Machine;

static double frame_of(const Machine *machine)
{
    const Adapt *adapt = &machine->adapt;
    const double scale = adapt_scale(adapt, 1);
    const double view = (double)adapt_view(adapt, VIEW) / VIEW;
    return machine->fixed_us + machine->pixel_us * scale * scale + machine->view_us * view * view +
           (adapt->steps[ADAPT_QUALITY] ? 0 : machine->quality_us);
}

static Machine machine_of(double fixed_us)
{
    Machine machine = {.fixed_us = fixed_us};
    adapt_begin(&machine.adapt, true, VIEW);
    return machine;
}

static void run_for(Machine *machine, double seconds)
{
    for (double clock = 0; clock < seconds;) {
        const double frame = frame_of(machine);
        machine->changes += adapt_frame(&machine->adapt, frame, machine->is_loading);
        clock += frame * 1e-6;
    }
}

static void a_fast_machine_draws_what_the_player_chose(void **state)
{
    (void)state;
    Machine machine = machine_of(2e3);
    machine.pixel_us = 3e3;
    run_for(&machine, 60);
    assert_int_equal(machine.changes, 0);
    assert_false(machine.adapt.pulled_count > 0);
}

static void pixels_that_take_long_get_fewer(void **state)
{
    (void)state;
    static const struct {
        double pixel_us, scale;
    } cases[] = {{45e3, 0.8}, {70e3, 0.64}, {120e3, 0.5}, {500e3, 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Machine machine = machine_of(10e3);
        machine.pixel_us = cases[i].pixel_us;
        run_for(&machine, 60);
        assert_true(adapt_scale(&machine.adapt, 1) == cases[i].scale);
        assert_int_equal(adapt_view(&machine.adapt, VIEW), VIEW);
        assert_int_equal(machine.adapt.steps[ADAPT_QUALITY], 0);
    }
}

static void a_far_view_and_a_high_quality_are_lowered_where_they_cost(void **state)
{
    (void)state;
    Machine machine = machine_of(10e3);
    machine.view_us = 120e3;
    run_for(&machine, 60);
    assert_int_equal(adapt_view(&machine.adapt, VIEW), 16);
    assert_true(adapt_scale(&machine.adapt, 1) == 1);
    machine = machine_of(10e3);
    machine.quality_us = 90e3;
    run_for(&machine, 60);
    assert_int_equal(machine.adapt.steps[ADAPT_QUALITY], 1);
    assert_int_equal(machine.adapt.pulled_count, 1);
}

static void a_machine_that_is_always_slow_comes_to_rest(void **state)
{
    (void)state;
    Machine machine = machine_of(300e3); // whatever is drawn
    machine.view_us = 100e3;
    run_for(&machine, 120);
    assert_int_equal(adapt_view(&machine.adapt, VIEW), 16);
    assert_true(adapt_scale(&machine.adapt, 1) == 1);
    const uint32_t before = machine.changes;
    run_for(&machine, 600);
    assert_int_equal(machine.changes, before);
}

static void it_comes_back_once_frames_are_fast(void **state)
{
    (void)state;
    Machine machine = machine_of(5e3);
    machine.pixel_us = 80e3; // another program takes the processor
    run_for(&machine, 30);
    assert_true(adapt_scale(&machine.adapt, 1) < 0.8);
    machine.pixel_us = 5e3;
    run_for(&machine, 60);
    assert_false(machine.adapt.pulled_count > 0);
}

static void it_does_not_flicker_between_two_steps(void **state)
{
    (void)state;
    Machine machine = machine_of(5e3);
    for (int i = 0; i < 200; i++) { // slow and fast minutes
        machine.pixel_us = i % 2 ? 5e3 : 90e3;
        run_for(&machine, 60);
    }
    assert_in_range(machine.changes, 2, 20);
}

static void single_slow_frames_change_nothing(void **state)
{
    (void)state;
    Machine machine = machine_of(0);
    for (int i = 0; i < 5000; i++) {
        assert_false(adapt_frame(&machine.adapt, i % 20 ? 20e3 : 400e3, false));
    }
}

static void while_land_loads_it_waits_longer(void **state)
{
    (void)state;
    Machine machine = machine_of(90e3);
    machine.is_loading = true;
    run_for(&machine, 4);
    assert_int_equal(machine.changes, 0);
    run_for(&machine, 3);
    assert_int_equal(machine.changes, 1);
}

static void levers_without_effect_are_not_pulled(void **state)
{
    (void)state;
    Machine machine = {.fixed_us = 90e3};
    adapt_begin(&machine.adapt, false, 4); // all is low already
    assert_int_equal(machine.adapt.most[ADAPT_QUALITY], 0);
    assert_int_equal(machine.adapt.most[ADAPT_VIEW], 0);
    run_for(&machine, 60);
    assert_int_equal(machine.changes, 2); // the resolution, there and back
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_machine_draws_what_the_player_chose),
        cmocka_unit_test(pixels_that_take_long_get_fewer),
        cmocka_unit_test(a_far_view_and_a_high_quality_are_lowered_where_they_cost),
        cmocka_unit_test(a_machine_that_is_always_slow_comes_to_rest),
        cmocka_unit_test(it_comes_back_once_frames_are_fast),
        cmocka_unit_test(it_does_not_flicker_between_two_steps),
        cmocka_unit_test(single_slow_frames_change_nothing),
        cmocka_unit_test(while_land_loads_it_waits_longer),
        cmocka_unit_test(levers_without_effect_are_not_pulled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
