/// When a new player is told of the lamp.
#include "testing.h"

#include <app/play_mode.h>

static void the_first_dark_place_shows_the_hint_of_the_lamp_until_it_is_light(void **state)
{
    (void)state;
    PlayLamp lamp = play_lamp_next(PLAY_LAMP_UNSEEN, false, 0.69f);
    assert_int_equal(lamp, PLAY_LAMP_UNSEEN);
    lamp = play_lamp_next(lamp, false, 0.7f);
    assert_int_equal(lamp, PLAY_LAMP_HINTED);
    lamp = play_lamp_next(lamp, false, 0.4f); // twilight on the way down a shaft
    assert_int_equal(lamp, PLAY_LAMP_HINTED);
    for (int frame = 0; frame < 1000; frame++) { // however long a player digs there
        lamp = play_lamp_next(lamp, false, 1);
        assert_int_equal(lamp, PLAY_LAMP_HINTED);
    }
    lamp = play_lamp_next(lamp, false, 0.3f);
    assert_int_equal(lamp, PLAY_LAMP_KNOWN);
    assert_int_equal(play_lamp_next(lamp, false, 1), PLAY_LAMP_KNOWN);
}

static void who_has_lit_the_lamp_needs_no_hint(void **state)
{
    (void)state;
    assert_int_equal(play_lamp_next(PLAY_LAMP_UNSEEN, true, 0), PLAY_LAMP_KNOWN);
    assert_int_equal(play_lamp_next(PLAY_LAMP_HINTED, true, 1), PLAY_LAMP_KNOWN);
    assert_int_equal(play_lamp_next(PLAY_LAMP_KNOWN, false, 1), PLAY_LAMP_KNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_dark_place_shows_the_hint_of_the_lamp_until_it_is_light),
        cmocka_unit_test(who_has_lit_the_lamp_needs_no_hint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
