# What tools/windows_deps.sh and tools/web.sh share (sourced, not run, after lib.sh): builds the libraries that the programs need for
# another system, as static libraries with files for pkg-config, from the sources of Debian's packages. The caller sets
#     DEPS_FOR               the system, for the descriptions
#     DEPS_CC DEPS_CXX DEPS_AR    the tools
#     DEPS_FLAGS             for every file
#     DEPS_PREFIX            where libraries and headers go
#     DEPS_OBJECTS           where objects and logs go
DEPS_FROM=build/portability/source

# deps_compile SOURCE FLAG...: into a name that no other source has.
deps_compile() {
    deps_source=$1
    shift
    case $deps_source in
    *.cpp) deps_compiler=$DEPS_CXX ;;
    *) deps_compiler=$DEPS_CC ;;
    esac
    deps_object=$DEPS_OBJECTS/$(echo "$deps_source" | tr / _).o
    # shellcheck disable=SC2086  # a list of flags
    [ "$deps_object" -nt "$deps_source" ] || $deps_compiler -O2 -DNDEBUG $DEPS_FLAGS "$@" -c "$deps_source" -o "$deps_object" || return
    echo "$deps_object"
}

# deps_library NAME LIBS CFLAGS SOURCE...: a static library, called as the first of LIBS, and NAME.pc.
deps_library() {
    deps_name=$1 deps_libs=$2 deps_cflags=$3
    shift 3
    deps_archive=$DEPS_PREFIX/lib/lib$(echo "$deps_libs" | sed 's/^-l\([^ ]*\).*/\1/').a
    deps_files=
    for deps_file in "$@"; do
        # shellcheck disable=SC2086  # a list of flags
        deps_files="$deps_files $(deps_compile "$deps_file" -I"$DEPS_PREFIX/include" $deps_cflags)" || return
    done
    rm -f "$deps_archive"
    # shellcheck disable=SC2086  # a list of files, none of which has spaces
    (cd / && $DEPS_AR rcs "$deps_archive" $deps_files)
    deps_describe "$deps_name" "$(deps_version "$package")" "-L$DEPS_PREFIX/lib $deps_libs" "$deps_cflags"
}

# deps_describe NAME VERSION LIBS CFLAGS
deps_describe() {
    printf 'Name: %s\nDescription: %s for %s\nVersion: %s\nLibs: %s\nCflags: -I%s %s\n' \
        "$1" "$1" "$DEPS_FOR" "$2" "$3" "$DEPS_PREFIX/include" "$4" >"$DEPS_PREFIX/lib/pkgconfig/$1.pc"
}

# deps_version PACKAGE: of its upstream source, from the archive's name.
deps_version() {
    set -- "$DEPS_FROM/apt/$1"/*.orig.tar.*
    basename "$1" | sed 's/^[^_]*_\([0-9.]*[0-9]\).*/\1/'
}

# deps_build PACKAGE: a package that is the same for every system.
deps_build() {
    package=$1
    case $package in
    zlib)
        cp "$DEPS_FROM/zlib/zlib.h" "$DEPS_FROM/zlib/zconf.h" "$DEPS_PREFIX/include/"
        deps_library zlib -lz -DHAVE_UNISTD_H "$DEPS_FROM"/zlib/*.c
        ;;
    libspng)
        cp "$DEPS_FROM/libspng/spng/spng.h" "$DEPS_PREFIX/include/"
        deps_library spng "-lspng -lz" -DSPNG_STATIC "$DEPS_FROM/libspng/spng/spng.c"
        ;;
    cjson)
        mkdir -p "$DEPS_PREFIX/include/cjson"
        cp "$DEPS_FROM/cjson/cJSON.h" "$DEPS_PREFIX/include/cjson/"
        deps_library libcjson -lcjson -DCJSON_HIDE_SYMBOLS "$DEPS_FROM/cjson/cJSON.c"
        ;;
    sqlite3) # its own scripts join its sources into one
        mkdir -p "$DEPS_OBJECTS/sqlite3"
        [ -f "$DEPS_OBJECTS/sqlite3/sqlite3.c" ] ||
            (deps_root=$PWD && cd "$DEPS_OBJECTS/sqlite3" && "$deps_root/$DEPS_FROM/sqlite3/configure" --disable-tcl &&
                make sqlite3.c) >"$DEPS_OBJECTS/sqlite3.log" 2>&1 ||
            die "SQLite cannot be built; $DEPS_OBJECTS/sqlite3.log says why"
        cp "$DEPS_OBJECTS/sqlite3/sqlite3.h" "$DEPS_PREFIX/include/"
        deps_library sqlite3 -lsqlite3 "${DEPS_SQLITE_FLAGS:--DSQLITE_THREADSAFE=1}" "$DEPS_OBJECTS/sqlite3/sqlite3.c"
        ;;
    libzstd)
        cp "$DEPS_FROM"/libzstd/lib/*.h "$DEPS_PREFIX/include/"
        deps_library libzstd -lzstd -DZSTD_DISABLE_ASM "$DEPS_FROM"/libzstd/lib/common/*.c "$DEPS_FROM"/libzstd/lib/compress/*.c \
            "$DEPS_FROM"/libzstd/lib/decompress/*.c "$DEPS_FROM"/libzstd/lib/dictBuilder/*.c
        ;;
    xxhash)
        cp "$DEPS_FROM"/xxhash/*.h "$DEPS_PREFIX/include/"
        deps_library libxxhash -lxxhash "" "$DEPS_FROM/xxhash/xxhash.c"
        ;;
    lz4)
        cp "$DEPS_FROM/lz4/lib/lz4.h" "$DEPS_FROM/lz4/lib/lz4hc.h" "$DEPS_PREFIX/include/" # it has an old xxhash.h too
        deps_library liblz4 -llz4 "" "$DEPS_FROM"/lz4/lib/lz4.c "$DEPS_FROM"/lz4/lib/lz4hc.c
        ;;
    imgui)
        mkdir -p "$DEPS_PREFIX/include/backends"
        cp "$DEPS_FROM"/imgui/*.h "$DEPS_PREFIX/include/"
        cp "$DEPS_FROM"/imgui/backends/imgui_impl_opengl3*.h "$DEPS_FROM"/imgui/backends/imgui_impl_glfw.h "$DEPS_PREFIX/include/backends/"
        deps_library imgui "-limgui ${DEPS_IMGUI_LIBS:-}" "-I$DEPS_PREFIX/include/backends ${DEPS_IMGUI_FLAGS:-}" "$DEPS_FROM"/imgui/*.cpp \
            "$DEPS_FROM"/imgui/backends/imgui_impl_opengl3.cpp "$DEPS_FROM"/imgui/backends/imgui_impl_glfw.cpp
        ;;
    cglm) # headers alone are the same for every system, so Debian's package of them serves
        ensure_packages libcglm-dev
        cp -R /usr/include/cglm "$DEPS_PREFIX/include/"
        deps_describe cglm "$(pkg-config --modversion cglm)" "" ""
        ;;
    esac
}

# deps_all PACKAGE...: fetches and builds each. A library whose source cannot be had is left out, with a sentence.
deps_all() {
    mkdir -p "$DEPS_PREFIX/include" "$DEPS_PREFIX/lib/pkgconfig" "$DEPS_OBJECTS"
    for package in "$@"; do
        say "$package ..."
        if debian_source "$package" >"$DEPS_OBJECTS/$package.log" 2>&1; then
            deps_build "$package"
        else
            say "$PROGRAM: the source of $package cannot be had; $DEPS_OBJECTS/$package.log says why. It is left out."
        fi
    done
    deps_build cglm
}
