#!/usr/bin/env python3
"""A world in Python: a stream fills it, edits dig in it, it is saved, loaded and meshed. Prints the same hash as examples/world_hash.c,
and draws a map. Usage: world.py [PICTURE.png]
"""
import struct
import sys
import tempfile
import zlib

import numpy

import terrane

WORLD_HASH = 0x1468C3D6C9702D50
BOX = [(x, y, z) for y in range(-2, 3) for z in range(-3, 4) for x in range(-3, 4)]


def hashed(value, numbers):
    for number in numbers.tolist():
        value = ((value ^ number) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        value ^= value >> 32
    return value


def hash_blocks(store, value):
    blocks = numpy.empty((32, 32, 32), numpy.uint16)
    for coord in BOX:
        value = hashed(value, store.get_blocks(*coord, out=blocks).ravel())
    return value


def dig(store):
    """Digs balls where chunks meet, builds a wall through them, and scatters single blocks."""
    with store.batch() as batch:
        for i in range(-2, 3):
            batch.fill_sphere((32 * i, 7 * i, -32 * i), 9.5 + i, terrane.lib.TRN_BLOCK_AIR)
        batch.fill_box((-70, -12, 3), (70, 30, 4), terrane.lib.TRN_BLOCK_STONE)
        for i in range(500):
            batch.set(i * 37 % 200 - 100, i * 11 % 90 - 45, i * 53 % 200 - 100, i % 5 + 1)


def fill_and_save(path, terrain):
    """Streams the land around the origin into a store, edits it and saves it. Returns the hash of what it saw."""
    with terrane.BlockTypes() as types, terrane.Save(path, types) as save, terrane.Store(types) as store:
        with terrane.Stream(store, terrain, save, light=True) as stream:
            stream.add_anchor(0, 0, 0, radius=6, height=4)
            stream.settle()
            value = hash_blocks(store, 0)
            print(f"land   0x{value:016X} in {len(store)} chunks")
            dig(store)
            stream.settle()
            value = hash_blocks(store, value)
            print(f"edits  0x{value:016X}")
            print("light  sky {} and blocks {} in the hole".format(*stream.light_at(32, 7, -32)))
            stream.save()
        save.flush()
    return value


def load_and_mesh(path, terrain, value):
    """Loads what was saved into another store, and meshes it."""
    with terrane.BlockTypes() as types, terrane.Save(path, types, "open") as save, terrane.Store(types) as store:
        for coord in BOX:
            try:
                store.insert(*coord, save.get(*coord))
            except terrane.TerraneError as error:
                if error.result != "NOT_FOUND":
                    raise
                store.insert(*coord, terrain.generate(*coord))  # a uniform chunk that was not changed
        mesher, quads = terrane.Mesher(), 0
        for coord in BOX:
            mesh = mesher.mesh(store, *coord, missing_is_solid=False)
            value = hashed(hashed(value, mesh.first), mesh.quads)
            quads += len(mesh.quads)
        print(f"world  0x{value:016X} with {quads} quads")
    return value


def draw(path, terrain, chunks=8, level=3):
    """Writes a map of the land around the origin: the colour of what is seen from above, lit from the west."""
    rows = [numpy.hstack([terrain.sample(x, z, level) for x in range(-chunks, chunks)]) for z in range(-chunks, chunks)]
    land = numpy.vstack(rows)
    with terrane.BlockTypes() as types:
        colours = types.colours()[:, terrane.lib.TRN_FACE_POS_Y]
    slope = numpy.diff(land["surface_y"], axis=1, prepend=land["surface_y"][:, :1]).clip(-4, 4)
    picture = (colours[land["surface"]] * (1 + 0.08 * slope[..., None])).clip(0, 255).astype(numpy.uint8)
    height, width = picture.shape[:2]

    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = b"".join(b"\0" + row.tobytes() for row in picture)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                   + part(b"IDAT", zlib.compress(lines, 9)) + part(b"IEND", b""))


def main():
    with terrane.Terrain(seed=23) as terrain, tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/my.world"
        value = load_and_mesh(path, terrain, fill_and_save(path, terrain))
        if len(sys.argv) > 1:
            draw(sys.argv[1], terrain)
    return 0 if value == WORLD_HASH else f"This is another world than 0x{WORLD_HASH:016X}."


if __name__ == "__main__":
    sys.exit(main())
