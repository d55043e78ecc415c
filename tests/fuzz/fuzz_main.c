/// What libFuzzer calls. FUZZ_TARGET is the function of the target that this is compiled for.
#include "fuzz.h"

int FUZZ_TARGET(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return FUZZ_TARGET(bytes, size);
}
