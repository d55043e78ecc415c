// What holds of child processes and of the calls that a browser has instead.
#define TERRANE_CHILD_INLINE
#include "test_child.cpp"
