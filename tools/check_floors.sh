#!/bin/sh
# The floors of docs/design.md: a part includes only what stands below it. Reads the #include lines; prints what runs upwards.
set -eu
cd "$(dirname "$0")/.."

# allowed FOLDER: the Terrane headers that a folder may include.
allowed() {
    base="base coord"
    index="$base chunk_index pool registry spatial_array"
    voxels="$index block_types voxels"
    store="$voxels batch store"
    case $1 in
    chunks/base) echo "$base" ;;
    chunks/index) echo "$index" ;;
    chunks/voxels) echo "$voxels" ;;
    chunks/store) echo "$store" ;;
    chunks/physics) echo "$store body raycast" ;;
    chunks/stream) echo "$store generator stream" ;;
    chunks/terrain) echo "$voxels generator noise terrain" ;;
    mesher) echo "$store mesh_vertices mesher visibility" ;;
    *) echo "unknown folder $1" >&2; exit 1 ;;
    esac
}

bad=0
for folder in chunks/base chunks/index chunks/voxels chunks/store chunks/physics chunks/stream chunks/terrain mesher; do
    headers=" $(allowed "$folder") "
    for file in "$folder"/*.c "$folder"/*.h; do
        [ -e "$file" ] || continue
        for header in $(sed -n 's/^#include <terrane\/\(.*\)\.h>.*/\1/p' "$file"); do
            case $headers in
            *" $header "*) ;;
            *) echo "$file includes <terrane/$header.h>, which does not stand below $folder"; bad=1 ;;
            esac
        done
        # Private headers: of the own folder, of base, or what another folder calls *_internal.h.
        for header in $(sed -n 's/^#include "\(.*\)"$/\1/p' "$file"); do
            case $header in
            base/* | "${folder#*/}"/* | */*_internal.h) ;;
            */*) echo "$file includes \"$header\" of another folder"; bad=1 ;;
            esac
        done
        # A library owns no window, engine or thread: of the system it knows the C library alone, address ranges with their
        # pages, and the threads that a stream's def may ask for.
        [ "$file" = chunks/base/address_range.c ] && continue
        [ "$file" = chunks/stream/stream_pool.c ] && continue
        if grep -nE '^#include <(GL|GLFW|glad|pthread|unistd|sys/)' "$file"; then
            echo "$file includes a system header that a library must not know"
            bad=1
        fi
    done
done

# below FOLDER: the viewer's folders that one of them may look into.
below() {
    case $1 in
    debris | gather | series) echo ;;
    render) echo "debris" ;;
    hand | index_view | window | world) echo "render" ;;
    flight) echo "render hand world" ;;
    panels) echo "debris render index_view series" ;;
    player) echo "debris render hand window world flight panels" ;;
    *) echo "unknown folder viewer/$1" >&2; exit 1 ;;
    esac
}

for folder in viewer/*/; do
    folder=$(basename "$folder")
    folders=" $(below "$folder") "
    for file in "viewer/$folder"/*.[ch] "viewer/$folder"/*.cpp; do
        [ -e "$file" ] || continue
        for header in $(sed -n 's/^#include "\(.*\)"$/\1/p' "$file"); do
            case "$header $folders" in
            "$folder"/*) ;;
            */*" ${header%%/*} "*) ;;
            */*) echo "$file includes \"$header\", which does not stand below viewer/$folder"; bad=1 ;;
            *)
                # Without a folder: of common/, or an asset; what stands above all folders is not for them.
                [ "$header" = assets.h ] || [ ! -e "viewer/$header" ] || {
                    echo "$file includes \"$header\", which stands above viewer/$folder"
                    bad=1
                }
                ;;
            esac
        done
    done
done
exit $bad
