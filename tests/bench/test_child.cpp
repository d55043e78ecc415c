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
    Child child([&](const Parent &parent) { parent.reply({Reply::refused, "a reason", figures}); });
    const Reply reply = child.await(ample_seconds);
    assert_int_equal(reply.verdict, Reply::refused);
    assert_true(reply.text == "a reason");
    assert_true(reply.figures == figures);
}

void asks_are_served_in_order(void **)
{
    Child child([](const Parent &parent) {
        for (Ask ask; parent.next(ask);) {
            parent.reply({Reply::fine, {}, {ask.what * ask.amount}});
        }
    });
    for (std::uint32_t i = 1; i < 100; i++) {
        child.ask({i, 0.5});
        const Reply reply = child.await(ample_seconds);
        assert_int_equal(reply.verdict, Reply::fine);
        assert_true(reply.figures.size() == 1 && reply.figures[0] == i * 0.5);
    }
}

void a_crash_is_named_and_stays_so(void **)
{
    Child child([](const Parent &parent) {
        parent.reply({});
        std::signal(SIGSEGV, SIG_DFL); // sanitizers install their own handler
        (void)std::raise(SIGSEGV);
    });
    assert_int_equal(child.await(ample_seconds).verdict, Reply::fine);
    for (int i = 0; i < 2; i++) {
        child.ask({1, 1}); // without reading the reply
        const Reply reply = child.await(ample_seconds);
        assert_int_equal(reply.verdict, Reply::lost);
        assert_true(reply.text.find("it crashed (") == 0);
    }
}

void leaving_the_process_is_named(void **)
{
    Child child([](const Parent &) { _exit(7); });
    const Reply reply = child.await(ample_seconds);
    assert_int_equal(reply.verdict, Reply::lost);
    assert_true(reply.text == "it ended the process (code 7)");
}

void a_hang_is_ended(void **)
{
    Child child([](const Parent &) {
        while (true) {
            pause();
        }
    });
    const Reply reply = child.await(0.2);
    assert_int_equal(reply.verdict, Reply::lost);
    assert_true(reply.text.find("it did not answer within") == 0);
}

/// A machine with other work takes long by the clock for little work.
void a_child_that_waits_for_the_processor_is_waited_for(void **)
{
#if defined(__linux__)
    Child slow([](const Parent &parent) {
        usleep(400000);
        parent.reply({Reply::fine, "", {}});
    });
    assert_int_equal(slow.await(0.2).verdict, Reply::fine);
    Child busy([](const Parent &) {
        for (volatile int i = 0;;) {
            i = i + 1;
        }
    });
    assert_true(busy.await(0.2).text.find("it did not answer within") == 0);
#endif
}

void a_lack_of_memory_is_a_refusal_and_other_exceptions_are_not(void **)
{
    Child no_memory([](const Parent &) { throw std::bad_alloc(); });
    const Reply refused = no_memory.await(ample_seconds);
    assert_int_equal(refused.verdict, Reply::refused);
    assert_true(refused.text == "there was no memory");
    Child other([](const Parent &) { throw std::runtime_error("own"); });
    for (int i = 0; i < 2; i++) {
        const Reply lost = other.await(ample_seconds);
        assert_int_equal(lost.verdict, Reply::lost);
        assert_true(lost.text == "it threw an exception");
    }
}

/// Waits for a child that closes its pipe, and so looks finished, but continues.
void a_child_that_closes_its_pipe_and_goes_on_is_ended(void **)
{
    const auto work = [](const Parent &) {
        for (int file = 3; file < 256; file++) {
            close(file);
        }
        while (true) {
            pause();
        }
    };
    Child child(work);
    const Reply reply = child.await(ample_seconds);
    assert_int_equal(reply.verdict, Reply::lost);
    assert_true(reply.text == "it closed the bench's pipe");
}

void texts_come_without_what_a_terminal_obeys(void **)
{
    Child child([](const Parent &parent) {
        parent.reply({Reply::refused, "\033[2Jno\n\x7F", {}});
    });
    assert_true(child.await(ample_seconds).text == "?[2Jno??");
}

void what_a_child_writes_the_parent_does_not_see(void **)
{
    int number = 1;
    Child child([&](const Parent &parent) {
        number = 2;
        parent.reply({Reply::fine, {}, {static_cast<double>(number)}});
    });
    assert_true(child.await(ample_seconds).figures[0] == 2);
    assert_int_equal(number, 1);
}

} // namespace

int main()
{
    std::signal(SIGPIPE, SIG_IGN);
    const CMUnitTest tests[] = {
        cmocka_unit_test(a_reply_arrives_whole),
        cmocka_unit_test(asks_are_served_in_order),
        cmocka_unit_test(a_crash_is_named_and_stays_so),
        cmocka_unit_test(leaving_the_process_is_named),
        cmocka_unit_test(a_hang_is_ended),
        cmocka_unit_test(a_child_that_waits_for_the_processor_is_waited_for),
        cmocka_unit_test(a_lack_of_memory_is_a_refusal_and_other_exceptions_are_not),
        cmocka_unit_test(a_child_that_closes_its_pipe_and_goes_on_is_ended),
        cmocka_unit_test(texts_come_without_what_a_terminal_obeys),
        cmocka_unit_test(what_a_child_writes_the_parent_does_not_see),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
