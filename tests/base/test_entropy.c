// Keys: never 0, each another, with and without random bytes of the system.

#include "testing.h"

#ifdef __linux__
#include <sys/random.h>
#endif

#include "base/entropy.h"

static bool system_refuses;

#ifdef __linux__
// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
ssize_t __real_getrandom(void *buffer, size_t bytes, unsigned flags);
ssize_t __wrap_getrandom(void *buffer, size_t bytes, unsigned flags);

ssize_t __wrap_getrandom(void *buffer, size_t bytes, unsigned flags)
{
    assert_true(flags & GRND_NONBLOCK);
    return system_refuses ? -1 : __real_getrandom(buffer, bytes, flags);
}
// NOLINTEND(bugprone-reserved-identifier)
#endif

static void keys_differ(void **state)
{
    (void)state;
    for (int refuses = 0; refuses < 2; refuses++) {
        system_refuses = refuses;
        uint64_t keys[256], ones = 0, zeros = 0;
        for (int i = 0; i < 256; i++) {
            keys[i] = trn_entropy_key();
            assert_true(keys[i] != 0);
            ones |= keys[i];
            zeros |= ~keys[i];
            for (int j = 0; j < i; j++) {
                assert_true(keys[i] != keys[j]);
            }
        }
        assert_true(ones == UINT64_MAX && zeros == UINT64_MAX); // every bit takes both values
    }
    system_refuses = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_differ)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
