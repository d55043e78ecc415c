// The bench's child processes: whatever happens in one is reported as text, and in time.
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

extern "C" {
#include <cmocka.h>
}

#include <unistd.h>

#include "driver/child.hpp"

namespace {

const double ample_seconds = 30;

void a_reply_arrives_whole(void **)
{
    std::vector<double> figures(100000); // more than a pipe holds
    for (std::size_t i = 0; i < figures.size(); i++) {
        figures[i] = static_cast<double>(i) / 3;
    }
    Child child([&](Ask) { return Reply{Reply::refused, "a reason", figures}; });
    const Reply reply = child.ask({}, ample_seconds);
    assert_int_equal(reply.verdict, Reply::refused);
    assert_true(reply.text == "a reason");
    assert_true(reply.figures == figures);
}

void asks_are_served_in_order(void **)
{
    Child child([sum = 0.0](Ask ask) mutable { // the child keeps the sum
        sum += ask.what * ask.amount;
        return Reply{Reply::fine, {}, {sum}};
    });
    double sum = 0;
    for (std::uint32_t i = 1; i < 100; i++) {
        const Reply reply = child.ask({i, 0.5}, ample_seconds);
        sum += i * 0.5;
        assert_int_equal(reply.verdict, Reply::fine);
        assert_true(reply.figures == std::vector<double>{sum});
    }
}

void a_lack_of_memory_is_a_refusal_and_other_exceptions_are_not(void **)
{
    Child no_memory([](Ask) -> Reply { throw std::bad_alloc(); });
    for (int i = 0; i < 2; i++) { // there may be memory for the next ask
        const Reply refused = no_memory.ask({}, ample_seconds);
        assert_int_equal(refused.verdict, Reply::refused);
        assert_true(refused.text == "there was no memory");
    }
    Child other([](Ask) -> Reply { throw std::runtime_error("own"); });
    for (int i = 0; i < 2; i++) {
        const Reply lost = other.ask({}, ample_seconds);
        assert_int_equal(lost.verdict, Reply::lost);
        assert_true(lost.text == "it threw an exception");
    }
}

void texts_come_without_what_a_terminal_obeys(void **)
{
    Child child([](Ask) { return Reply{Reply::refused, "\033[2Jno\n\x7F", {}}; });
    assert_true(child.ask({}, ample_seconds).text == "?[2Jno??");
}

#ifndef TERRANE_CHILD_INLINE

void a_crash_is_named_and_stays_so(void **)
{
    Child child([](Ask ask) {
        if (ask.what == 1) {
            std::signal(SIGSEGV, SIG_DFL); // sanitizers install their own handler
            (void)std::raise(SIGSEGV);
        }
        return Reply{};
    });
    assert_int_equal(child.ask({0, 0}, ample_seconds).verdict, Reply::fine);
    for (int i = 0; i < 2; i++) {
        const Reply reply = child.ask({1, 1}, ample_seconds);
        assert_int_equal(reply.verdict, Reply::lost);
        assert_true(reply.text.find("it crashed (") == 0);
    }
}

// As the system does with it when memory runs out: the contender is not wrong.
void a_killed_child_refuses_and_stays_so(void **)
{
    Child child([](Ask) -> Reply {
        (void)std::raise(SIGKILL);
        return {};
    });
    for (int i = 0; i < 2; i++) {
        const Reply reply = child.ask({0, 0}, ample_seconds);
        assert_int_equal(reply.verdict, Reply::refused);
        assert_true(reply.text == "the system ended its process: there is not enough memory here");
    }
}

void leaving_the_process_is_named(void **)
{
    Child child([](Ask) -> Reply { _exit(7); });
    const Reply reply = child.ask({}, ample_seconds);
    assert_int_equal(reply.verdict, Reply::lost);
    assert_true(reply.text == "it ended the process (code 7)");
}

void a_hang_is_ended(void **)
{
    Child child([](Ask) -> Reply {
        while (true) {
            pause();
        }
    });
    const Reply reply = child.ask({}, 0.2);
    assert_int_equal(reply.verdict, Reply::lost);
    assert_true(reply.text.find("it did not answer within") == 0);
}

/// A machine with other work takes long by the clock for little work.
void a_child_that_waits_for_the_processor_is_waited_for(void **)
{
#if defined(__linux__)
    Child slow([](Ask) {
        usleep(400000);
        return Reply{};
    });
    assert_int_equal(slow.ask({}, 0.2).verdict, Reply::fine);
    Child busy([](Ask) -> Reply {
        for (volatile int i = 0;;) {
            i = i + 1;
        }
    });
    assert_true(busy.ask({}, 0.2).text.find("it did not answer within") == 0);
#endif
}

/// Waits for a child that closes its pipe, and so looks finished, but continues.
void a_child_that_closes_its_pipe_and_goes_on_is_ended(void **)
{
    const auto work = [](Ask) -> Reply {
        for (int file = 3; file < 256; file++) {
            close(file);
        }
        while (true) {
            pause();
        }
    };
    Child child(work);
    const Reply reply = child.ask({}, ample_seconds);
    assert_int_equal(reply.verdict, Reply::lost);
    assert_true(reply.text == "it closed the bench's pipe");
}

void what_a_child_writes_the_parent_does_not_see(void **)
{
    int number = 1;
    Child child([&](Ask) {
        number = 2;
        return Reply{Reply::fine, {}, {static_cast<double>(number)}};
    });
    assert_true(child.ask({}, ample_seconds).figures[0] == 2);
    assert_int_equal(number, 1);
}

#endif

} // namespace

int main()
{
    std::signal(SIGPIPE, SIG_IGN);
    const CMUnitTest tests[] = {
        cmocka_unit_test(a_reply_arrives_whole),
        cmocka_unit_test(asks_are_served_in_order),
        cmocka_unit_test(a_lack_of_memory_is_a_refusal_and_other_exceptions_are_not),
        cmocka_unit_test(texts_come_without_what_a_terminal_obeys),
#ifndef TERRANE_CHILD_INLINE
        cmocka_unit_test(a_crash_is_named_and_stays_so),
        cmocka_unit_test(a_killed_child_refuses_and_stays_so),
        cmocka_unit_test(leaving_the_process_is_named),
        cmocka_unit_test(a_hang_is_ended),
        cmocka_unit_test(a_child_that_waits_for_the_processor_is_waited_for),
        cmocka_unit_test(a_child_that_closes_its_pipe_and_goes_on_is_ended),
        cmocka_unit_test(what_a_child_writes_the_parent_does_not_see),
#endif
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
