// Result files: written completely or not at all, however the program ends.
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

#include "folder.hpp"

extern "C" {
#include <cmocka.h>
}

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/output_file.hpp"

namespace {

void wait_ms(long ms)
{
    const std::timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, nullptr);
}

/// Starts a process that opens a file, writes some of it, and waits for a signal.
pid_t start_writer(const std::string &path)
{
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGINT, SIG_DFL); // background jobs ignore it
        std::signal(SIGTERM, SIG_DFL);
        OutputFile file;
        const bool opened = file.open(path);
        std::fputs("half", file.stream());
        std::fflush(file.stream());
        (void)!write(ready[1], opened ? "y" : "n", 1);
        while (true) {
            pause();
        }
    }
    char answer = 0;
    close(ready[1]);
    assert_int_equal(read(ready[0], &answer, 1), 1);
    close(ready[0]);
    assert_int_equal(answer, 'y');
    return child;
}

void a_commit_replaces_the_file(void **)
{
    const Folder folder;
    const std::string path = folder.path + "/figures.csv";
    std::ofstream(path) << "old";
    OutputFile file;
    assert_true(file.open(path));
    std::fputs("new", file.stream());
    assert_string_equal(content_of(path).c_str(), "old");
    assert_true(file.commit());
    assert_string_equal(content_of(path).c_str(), "new");
    assert_int_equal(folder.files(), 1);
}

void an_uncommitted_file_leaves_nothing(void **)
{
    const Folder folder;
    {
        OutputFile file;
        assert_true(file.open(folder.path + "/figures.csv"));
        std::fputs("half", file.stream());
    }
    assert_int_equal(folder.files(), 0);
}

void a_signal_leaves_nothing(void **)
{
    for (const int number : {SIGINT, SIGTERM, SIGKILL}) {
        const Folder folder;
        const pid_t writer = start_writer(folder.path + "/figures.csv");
        kill(writer, number);
        int status = 0;
        waitpid(writer, &status, 0);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == number);
        assert_int_equal(folder.files(), 0);
    }
}

void a_commit_is_not_interrupted(void **)
{
    sigset_t before, during;
    pthread_sigmask(SIG_BLOCK, nullptr, &before);
    {
        const SignalsHeld held;
        pthread_sigmask(SIG_BLOCK, nullptr, &during);
    }
    assert_true(sigismember(&during, SIGINT) == 1 && sigismember(&during, SIGTERM) == 1);
    pthread_sigmask(SIG_BLOCK, nullptr, &during);
    assert_int_equal(sigismember(&during, SIGINT), sigismember(&before, SIGINT));
}

void a_leftover_of_a_killed_program_goes(void **)
{
    const Folder folder;
    const std::string path = folder.path + "/figures.csv";
    std::ofstream(folder.path + "/.terrane-tmp-abcdef") << "left behind";
    OutputFile file;
    assert_true(file.open(path));
    assert_int_equal(folder.files(), 0);
    std::fputs("whole", file.stream());
    assert_true(file.commit());
    assert_string_equal(content_of(path).c_str(), "whole");
    assert_int_equal(folder.files(), 1);
}

void the_first_interrupt_ends_waiting_for_a_reader(void **)
{
    const Folder folder;
    const std::string path = folder.path + "/pipe";
    assert_int_equal(mkfifo(path.c_str(), 0600), 0);
    const pid_t writer = fork();
    if (writer == 0) {
        std::signal(SIGINT, SIG_DFL);
        OutputFile file;
        (void)file.open(path);
        _exit(0);
    }
    wait_ms(100);
    kill(writer, SIGINT);
    int status = 0;
    waitpid(writer, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

void unwritable_places_are_refused_at_once(void **)
{
    const Folder folder;
    OutputFile missing, is_folder;
    assert_false(missing.open(folder.path + "/missing/figures.csv"));
    assert_false(is_folder.open(folder.path));
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(a_commit_replaces_the_file),
        cmocka_unit_test(an_uncommitted_file_leaves_nothing),
        cmocka_unit_test(a_signal_leaves_nothing),
        cmocka_unit_test(a_commit_is_not_interrupted),
        cmocka_unit_test(a_leftover_of_a_killed_program_goes),
        cmocka_unit_test(the_first_interrupt_ends_waiting_for_a_reader),
        cmocka_unit_test(unwritable_places_are_refused_at_once),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
