/// Texts of strangers in messages: a terminal obeys none of them.
#include "testing.h"

#include "message.h"

static void control_characters_are_escaped(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"plain text, with \303\244 and \342\202\254",
         "plain text, with \303\244 and \342\202\254"},
        {"a\033[2Jb", "a\\x1B[2Jb"},
        {"a\nb\tc\rd\177", "a\\x0Ab\\x09c\\x0Dd\\x7F"},
        {"\302\233 31m", "\\xC2\\x9B 31m"}, // U+009B begins a command, too
        {"\233", "\\x9B"},
        {"\303(", "\\xC3("},
        {"\360\237\230\200\365", "\360\237\230\200\\xF5"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char escaped[64];
        Message message;
        assert_int_equal(message_escape(cases[i][0], false, escaped, sizeof escaped),
                         strlen(cases[i][1]));
        assert_string_equal(escaped, cases[i][1]);
        assert_false(message_set(&message, "%s", cases[i][0]));
        assert_string_equal(message.text, cases[i][1]);
    }
}

static void what_does_not_fit_is_left_out_whole(void **state)
{
    (void)state;
    char escaped[8];
    Message message;
    assert_int_equal(message_escape("abc\033\033", false, escaped, sizeof escaped), 7);
    assert_string_equal(escaped, "abc\\x1B");
    assert_int_equal(message_escape("abcdef\303\244", false, escaped, sizeof escaped), 6);
    char text[2 * sizeof message.text];
    memset(text, '\033', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_false(message_set(&message, "%s", text));
    assert_in_range(strlen(message.text), sizeof message.text - 5, sizeof message.text - 1);
}

static void the_lines_of_a_format_stay(void **state)
{
    (void)state;
    Message message;
    assert_false(message_set(&message, "one\n%s", "two\033"));
    assert_string_equal(message.text, "one\ntwo\\x1B");
}

static void urls_lose_what_is_secret(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"a.world", "a.world"},
        {"", ""},
        {"://", "://"},
        {"postgresql://u:secret@h:5433/w", "postgresql://h:5433/w"},
        {"postgresql://u:sec@ret@h/w?password=secret&host=/tmp", "postgresql://h/w"},
        {"postgres://h/w?user=u@secret", "postgres://h/w"},
        {"postgresql://u:sec?ret@h:5433/w?password=secret", "postgresql://h:5433/w"},
        {"postgresql://u:sec?r@et@h", "postgresql://h"},
        {"'postgres://h/w?password=secret' is no number", "'postgres://h/w is no number"},
        {"'postgresql://u:secret@h/w' is no number", "'postgresql://h/w' is no number"},
        {"postgresql://a:secret@/1?x  postgresql://b:secret@/2\n",
         "postgresql:///1  postgresql:///2\n"},
        {"nats://u:secret@h:4222", "nats://h:4222"},
        {"terrane://?seed=7&at=1,2,3", "terrane://?seed=7&at=1,2,3"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[80];
        message_name(cases[i][0], name, sizeof name);
        assert_string_equal(name, cases[i][1]);
        assert_string_equal(message_short(cases[i][0]).text, cases[i][1]);
    }
    char name[8];
    message_name("nats://u@host", name, sizeof name);
    assert_string_equal(name, "nats://");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(control_characters_are_escaped),
                                       cmocka_unit_test(what_does_not_fit_is_left_out_whole),
                                       cmocka_unit_test(the_lines_of_a_format_stay),
                                       cmocka_unit_test(urls_lose_what_is_secret)};
    return cmocka_run_group_tests_name("message", tests, NULL, NULL);
}
