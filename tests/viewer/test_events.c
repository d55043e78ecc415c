/// The window's queue: nothing is lost, the order stays, and no batch has two edges that a panel
/// would see as none.
#include "testing.h"

#include <window/events.h>

static void press(EventQueue *queue, int code, bool is_down)
{
    events_push(queue, (WindowEvent){.kind = WINDOW_EVENT_KEY, .code = code, .is_down = is_down});
}

/// The next batch is empty, and not the last.
static void assert_rests(EventQueue *queue)
{
    EventBatch batch;
    assert_true(events_take(queue, &batch));
    assert_true(batch.count == 0 && !batch.is_last);
}

static void each_press_has_a_batch_of_its_own(void **state)
{
    static EventQueue queue;
    EventBatch batch;
    (void)state;
    press(&queue, 'A', true);
    events_push(&queue, (WindowEvent){.kind = WINDOW_EVENT_TEXT, .text = 'a'});
    press(&queue, 'A', false);
    press(&queue, 'B', true);
    press(&queue, 'B', false);
    assert_true(events_take(&queue, &batch));
    assert_int_equal(batch.count, 2); // the letter is the key's
    assert_false(batch.is_last);
    assert_rests(&queue);
    assert_true(events_take(&queue, &batch));
    assert_int_equal(batch.count, 2); // one up, the next down
    assert_int_equal(batch.events[0].code, 'A');
    assert_int_equal(batch.events[1].code, 'B');
    assert_rests(&queue);
    assert_true(events_take(&queue, &batch));
    assert_int_equal(batch.count, 1);
    assert_true(batch.is_last);
    assert_false(events_take(&queue, &batch));
    assert_true(batch.is_last && batch.count == 0);
}

static void a_click_is_where_the_mouse_was(void **state)
{
    static EventQueue queue;
    EventBatch batch;
    (void)state;
    for (int i = 0; i < 5; i++) {
        events_push(&queue, (WindowEvent){.kind = WINDOW_EVENT_CURSOR, .right = i});
    }
    events_push(&queue, (WindowEvent){.kind = WINDOW_EVENT_BUTTON, .is_down = true});
    events_push(&queue, (WindowEvent){.kind = WINDOW_EVENT_CURSOR, .right = 9});
    assert_true(events_take(&queue, &batch));
    assert_int_equal(batch.count, 2); // only where the mouse went
    assert_true(batch.events[0].right == 4);
    assert_rests(&queue);
    assert_true(events_take(&queue, &batch));
    assert_true(batch.count == 1 && batch.events[0].right == 9);
}

static void a_full_queue_releases_everything(void **state)
{
    static EventQueue queue;
    EventBatch batch;
    (void)state;
    for (int i = 0; i <= EVENTS_MAX; i++) {
        press(&queue, 'A', i % 2 == 0);
    }
    assert_true(events_take(&queue, &batch));
    assert_int_equal(batch.events[0].kind, WINDOW_EVENT_BLUR);
    assert_int_equal(batch.count, 1);
    assert_rests(&queue);
    assert_true(events_take(&queue, &batch));
    assert_int_equal(batch.events[0].kind, WINDOW_EVENT_KEY);
    assert_true(batch.is_last);
}

/// Also when the press ended a frame's events: two frames of panels are between any two.
static void a_press_has_two_frames_before_the_next(void **state)
{
    static EventQueue queue;
    EventBatch batch;
    (void)state;
    press(&queue, 'A', true);
    assert_true(events_take(&queue, &batch) && batch.is_last);
    press(&queue, 'A', false); // before the next frame
    assert_rests(&queue);
    assert_true(events_take(&queue, &batch) && batch.count == 1 && batch.is_last);
    assert_false(events_take(&queue, &batch)); // a frame without events
    press(&queue, 'A', true);
    assert_true(events_take(&queue, &batch) && batch.count == 1);
    assert_false(events_take(&queue, &batch));
    for (int i = 0; i < 2; i++) {
        events_push(&queue, (WindowEvent){.kind = WINDOW_EVENT_CURSOR, .right = i});
        assert_true(events_take(&queue, &batch) && batch.count == 1); // movements open nothing
    }
}

static WindowEvent any_event(TestRandom *random)
{
    return (WindowEvent){.kind = (WindowEventKind)test_random_range(random, 0, WINDOW_EVENT_BLUR),
                         .code = (int)test_random_range(random, 0, 3),
                         .is_down = test_random_range(random, 0, 1) == 1};
}

/// @return how many edges, of one code or all
static int edges_of(const EventBatch *batch, int code)
{
    int edges = 0;
    for (size_t i = 0; i < batch->count; i++) {
        edges += batch->events[i].kind == WINDOW_EVENT_KEY &&
                 (code < 0 ? batch->events[i].is_down : batch->events[i].code == code);
    }
    return edges;
}

static void random_events_keep_their_order(void **state)
{
    static EventQueue queue;
    static WindowEvent pushed[1000];
    TestRandom random = test_random_seeded(57);
    EventBatch batch;
    (void)state;
    for (int round = 0; round < 200; round++) {
        const size_t count = (size_t)test_random_range(&random, 0, 300);
        size_t expected = 0, taken = 0;
        for (size_t i = 0; i < count; i++) {
            const WindowEvent event = any_event(&random);
            const bool moves_on = expected && event.kind == WINDOW_EVENT_CURSOR &&
                                  pushed[expected - 1].kind == WINDOW_EVENT_CURSOR;
            pushed[moves_on ? expected - 1 : expected++] = event;
            events_push(&queue, event);
        }
        while (events_take(&queue, &batch)) {
            for (int code = -1; code < 4; code++) {
                assert_in_range(edges_of(&batch, code), 0, 1);
            }
            for (size_t i = 0; i < batch.count; i++, taken++) {
                assert_int_equal(batch.events[i].kind, pushed[taken].kind);
                assert_int_equal(batch.events[i].code, pushed[taken].code);
            }
        }
        assert_int_equal(taken, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_press_has_a_batch_of_its_own),
        cmocka_unit_test(a_click_is_where_the_mouse_was),
        cmocka_unit_test(a_press_has_two_frames_before_the_next),
        cmocka_unit_test(a_full_queue_releases_everything),
        cmocka_unit_test(random_events_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
