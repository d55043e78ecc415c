/// What libFuzzer and AFL++ call. FUZZ_TARGET is the function of the target that this is compiled
/// for.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): setenv
#include "fuzz.h"

int FUZZ_TARGET(const uint8_t *bytes, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/// A failed assertion of cmocka's, which the models share with the tests, aborts: AFL++ takes an
/// exit for a good end.
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return setenv("CMOCKA_TEST_ABORT", "1", 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return FUZZ_TARGET(bytes, size);
}
