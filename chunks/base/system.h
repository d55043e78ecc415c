/// Private: the operating system's own calls. A source that makes any includes this before all
/// other headers, so that the C library declares more than ISO C. All of them lie in base/.
#ifndef TERRANE_BASE_SYSTEM_H
#define TERRANE_BASE_SYSTEM_H

#if defined(_WIN32)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef _CRT_RAND_S
#define _CRT_RAND_S // NOLINT(bugprone-reserved-identifier): rand_s of stdlib.h
#endif
#include <windows.h>
#undef near // words that 16-bit compilers reserved
#undef far
#else
// Each C library reads its own switch: glibc, musl and Emscripten; macOS; NetBSD; illumos. FreeBSD
// and OpenBSD need none, and declare less if _POSIX_C_SOURCE is defined.
// NOLINTBEGIN(bugprone-reserved-identifier)
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef _DARWIN_C_SOURCE
#define _DARWIN_C_SOURCE
#endif
#ifndef _NETBSD_SOURCE
#define _NETBSD_SOURCE
#endif
#ifndef __EXTENSIONS__
#define __EXTENSIONS__
#endif
// NOLINTEND(bugprone-reserved-identifier)
#endif

#endif
