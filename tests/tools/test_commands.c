/// The tables of terrane's commands: every row of every command.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "option_rows.h"
#include "tool_place.h"

#include <commands.h>
#include <terrain_choice.h>

static void every_mistake_in_every_row_has_a_way_out(void **state)
{
    (void)state;
    for (size_t i = 0; TERRANE.commands[i]; i++) {
        const OptionCommand *command = TERRANE.commands[i];
        void *target = calloc(1, command->bytes);
        assert_non_null(target);
        options_default(command->rows, target);
        option_rows_check(&TERRANE, command, target);
        free(target);
    }
}

static void the_program_ends_with_2_and_a_sentence(void **state)
{
    Place *place = *state;
    for (size_t i = 0; TERRANE.commands[i]; i++) {
        const OptionCommand *command = TERRANE.commands[i];
        char line[128], words[160];
        snprintf(line, sizeof line, "$T %ss", command->name);
        snprintf(words, sizeof words, "did you mean '%s'?", command->name);
        expect_refusal(place, line, 2, words);
        for (const Option *row = command->rows; row->name; row++) {
            char name[OPTION_NAME_BYTES];
            option_name(row, name);
            if (option_is_on_line(row) && option_has_value(row)) {
                snprintf(line, sizeof line, "$T %s --%s", command->name, name);
                snprintf(words, sizeof words, "--%s needs a value; terrane help %s", name,
                         command->name);
                expect_refusal(place, line, 2, words);
                break;
            }
        }
        snprintf(line, sizeof line, "$T %s --jsn=1 --seedd", command->name);
        expect_refusal(place, line, 2, "There is no option '--jsn'; ");
    }
}

static void every_help_fits_the_terminal(void **state)
{
    Place *place = *state;
    for (size_t i = 0; TERRANE.commands[i]; i++) {
        char line[64];
        snprintf(line, sizeof line, "$T help %s", TERRANE.commands[i]->name);
        expect_code(place, line, 0);
        for (const char *at = place->text; *at; at += strcspn(at, "\n") + 1) {
            if (strcspn(at, "\n") > OPTIONS_HELP_WIDTH) {
                fail_msg("too wide: %s", at);
            }
        }
    }
}

static void bash_completes_commands_options_and_words(void **state)
{
    Place *place = *state;
    static const char *const cases[][2] = {
        {"terrane ex", "export"},
        {"terrane help ma", "map"},
        {"terrane map --se", "--section --seed"},
        {"terrane map --preset al", "alps"},
        {"terrane map --preset = al", "alps"},
        {"terrane map --preset =", "alps canyons default flat islands"},
        {"terrane export --format g", "glb gltf"},
        {"terrane map --seed 1", ""},
        {"terrane map --out a.p", "a.png"},
        {"terrane map --out = a.p", "a.png"},
    };
    if (run_shell(place, "bash -c true") != 0) {
        skip(); // there is no bash
    }
    expect_code(place, "$T --print-completion >terrane.bash; : >a.png", 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[512], answer[128];
        snprintf(line, sizeof line,
                 "bash -c '. ./terrane.bash; COMP_WORDS=(%s); "
                 "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _terrane; "
                 "printf \"%%s\\n\" \"${COMPREPLY[@]}\" | sort | paste -sd \" \"'",
                 cases[i][0]);
        expect_code(place, line, 0);
        snprintf(answer, sizeof answer, "%s\n", cases[i][1]);
        if (strcmp(place->text, answer) != 0) {
            fail_msg("%s: '%s', not '%s'", cases[i][0], place->text, cases[i][1]);
        }
    }
    expect_code(place, "rm terrane.bash a.png", 0);
}

/// No server answers there.
static void no_command_tells_a_password(void **state)
{
    Place *place = *state;
    expect_code(place,
                "U='postgresql://u:secret@127.0.0.1:1/w?password=secret&connect_timeout=1'; "
                "for c in new import info verify repair prune fold pregen compact copy backup "
                "export map 'shared status'; do for w in \"$U\" \"a.world $U\" \"$U a.world\" "
                "\"--seed 7 $U\" \"--nope $U\" \"--world $U --out o.png\"; do $T $c $w; done; "
                "done >said 2>&1; rm -f o.png; grep -c 127.0.0.1:1/w said; grep secret said; "
                "rm said",
                0);
    assert_true(atoi(place->text) >= 14);
    assert_null(strstr(place->text, "secret"));
}

static void the_seed_in_the_table_is_the_land_s(void **state)
{
    (void)state;
    uint64_t seed;
    assert_true(option_read_seed(TERRAIN_CHOICE_SEED, &seed));
    assert_true(seed == trn_terrain_def().seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mistake_in_every_row_has_a_way_out),
        cmocka_unit_test(the_program_ends_with_2_and_a_sentence),
        cmocka_unit_test(every_help_fits_the_terminal),
        cmocka_unit_test(bash_completes_commands_options_and_words),
        cmocka_unit_test(no_command_tells_a_password),
        cmocka_unit_test(the_seed_in_the_table_is_the_land_s),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
