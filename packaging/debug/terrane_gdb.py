"""Shows Terrane's types in gdb, in a running program and in a core file.

    (gdb) source /usr/share/terrane/terrane_gdb.py
    (gdb) print *store
    (gdb) print $trn_chunk(store, 3, -1, 7)
    (gdb) print $trn_block(store, 100, -20, 230)

Needs what the compiler's -g writes about the library. It reads memory alone and calls nothing, so that it works after a crash.
docs/debugging.md shows a session.
"""
import struct
import sys

import gdb
import gdb.printing

EDGE = 32
HALF_VOXELS = 512
LINE = 64
CHUNKS_SHOWN = 200 # of a store; gdb itself stops at `print elements`
STREAM_BYTES = 1 << 20 # at least sizeof(TrnStream), which is more than gdb prints without being told


def numbers(value):
    return ", ".join(str(int(value[axis])) for axis in "xyz")


# ---- voxels --------------------------------------------------------------------------------------

def payload_of(word):
    """The payload that a word of voxels leads to; None if the chunk is uniform."""
    word = int(word)
    if word == 0 or word & 1:
        return None
    return gdb.Value(word).cast(gdb.lookup_type("TrnPayload").pointer()).dereference()


def payload_ids(payload):
    """The lists of blocks of a payload."""
    after = (payload.address + 1).cast(gdb.lookup_type("uint16_t").pointer())
    return [int(after[i]) for i in range(int(payload["lut_ids"]))]


def payload_block(payload, index):
    half = payload["half"][index // HALF_VOXELS]
    bits = int(half["bits"])
    lines = payload.address.cast(gdb.lookup_type("uint8_t").pointer())
    number = 0
    if bits:
        at = index % HALF_VOXELS * bits
        first = int(half["fields"]) * LINE + at // 32 * 4
        word = int.from_bytes(bytes(int(lines[first + i]) for i in range(4)), "little")
        number = word >> at % 32 & (1 << bits) - 1
    return number if bits == 16 else payload_ids(payload)[int(half["lut"]) * 4 + number]


def word_text(word):
    payload = payload_of(word)
    if payload is not None:
        types = int(payload["palette_count"])
        return (f"{types if types else 'over 256'} types in {int(payload['line_count']) * LINE} bytes, "
                f"revision {int(payload['revision'])}")
    word = int(word)
    omitted = ", voxels omitted" if word >> 63 else ""
    return f"all of block {word >> 1 & 0xFFFF}, revision {word >> 17 & (1 << 46) - 1}{omitted}"


class Voxels:
    """TrnVoxels and TrnSnapshot."""
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return word_text(self.value["word"])

    def children(self):
        payload = payload_of(self.value["word"])
        return [] if payload is None else [("payload", payload)]


class Payload:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        widths = {}
        for half in range(64):
            bits = int(self.value["half"][half]["bits"])
            widths[bits] = widths.get(bits, 0) + 1
        halves = ", ".join(f"{count} of {bits} bits" if bits else f"{count} of one block" for bits, count in sorted(widths.items()))
        ids = payload_ids(self.value)
        first = int(self.value["palette_lut"]) * 4
        palette = ids[first:first + int(self.value["palette_count"])]
        return f"half-layers: {halves}; palette {palette}"


# ---- chunks --------------------------------------------------------------------------------------

def pool_slots(pool):
    """The slots of a pool that are taken: (address, generation, bytes)."""
    memory = gdb.selected_inferior()
    size, count = int(pool["slot_bytes"]), 1 << int(pool["block_shift"])
    ready = int(pool["ready"]["slot"]) if int(pool["ready"]["next_id"]) else 0
    blocks = gdb.Value(int(pool["blocks"])).cast(gdb.lookup_type("TrnPoolBlock").pointer().pointer())
    for number in range(int(pool["block_count"])):
        block = blocks[number]
        slots = int(block["slots"])
        if not slots:
            continue
        generations = memory.read_memory(int(block + 1), 4 * count).tobytes()
        bits = int.from_bytes(memory.read_memory(int(block["bits"]), (count + 63) // 64 * 8).tobytes(), sys.byteorder)
        content = memory.read_memory(slots, count * size).tobytes()
        for slot in range(count):
            if bits >> slot & 1 and slots + slot * size != ready:
                generation = int.from_bytes(generations[4 * slot:4 * slot + 4], sys.byteorder)
                yield slots + slot * size, generation, content[slot * size:(slot + 1) * size]


def store_chunks(store, wanted=None):
    """The chunks that are loaded. wanted: the one at these coordinates alone"""
    pointer = gdb.lookup_type("TrnChunk").pointer()
    for address, generation, content in pool_slots(store["headers"].dereference()):
        x, y, z, _, own = struct.unpack_from("=iiiII", content) # TrnChunk.coord and .id
        if own == generation and (wanted is None or wanted == (x, y, z)):
            yield gdb.Value(address).cast(pointer).dereference()


class Chunk:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return f"chunk ({numbers(self.value['coord'])}): {word_text(self.value['voxels']['word'])}"


class Position:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        chunk, offset = self.value["chunk"], self.value["offset"]
        at = ", ".join(f"{int(chunk[axis]) * EDGE + float(offset[i]):.3f}" for i, axis in enumerate("xyz"))
        return f"voxel ({at}) in chunk ({numbers(chunk)})"


class Coord:
    """TrnCoord and TrnVoxel."""
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return f"({numbers(self.value)})"


# ---- store, index, stream ------------------------------------------------------------------------

class Store:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        value = self.value
        return (f"{int(value['chunks'])} chunks, revision {int(value['revision'])}, {int(value['bytes'])} bytes; "
                f"inserted {int(value['inserted'])}, removed {int(value['removed'])}, refused {int(value['refused'])}")

    def children(self):
        for number, chunk in enumerate(store_chunks(self.value)):
            if number == CHUNKS_SHOWN:
                return
            yield f"[{number}]", chunk


class Index:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        pointer = gdb.lookup_type("TrnMap").pointer()
        shape = gdb.Value(int(self.value["map"])).cast(pointer).dereference()
        low = ", ".join(str(int(shape["origin"][i]) * 8) for i in range(3))
        size = " x ".join(str(int(shape["extent"][i]) * 8) for i in range(3))
        pages = sum(int(self.value["page_counts"][i]) for i in range(self.value["page_counts"].type.range()[1] + 1))
        return f"{int(self.value['chunk_count'])} chunks in {pages} pages; directory of {size} chunks from ({low})"


class Stream:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        cells, jobs = self.value["cells"], self.value["jobs"]
        report = self.value["figures"]["report"]
        return (f"level {int(cells['level'])}: {int(cells['wanted_count'])} chunks wanted, {int(cells['loaded_count'])} loaded, "
                f"{int(cells['shown_count'])} shown, {int(cells['unsaved_count'])} unsaved; {int(jobs['under_way'])} pieces of work under way; "
                f"last result {self.value['figures']['result']}, {'idle' if report['is_idle'] else 'not idle'}")

    def children(self):
        queue = self.value["queue"]["work"]
        return [("waiting", queue), ("last_report", self.value["figures"]["report"]), ("store", self.value["store"])]


# ---- functions -----------------------------------------------------------------------------------

def target(value):
    """What a pointer, of C++ as of C, leads to."""
    return value.referenced_value() if value.type.strip_typedefs().code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF) else value


class FindChunk(gdb.Function):
    """$trn_chunk(store, x, y, z): the loaded chunk at chunk coordinates. Looks at every chunk."""
    def __init__(self):
        super().__init__("trn_chunk")

    def invoke(self, store, x, y, z):
        wanted = int(x), int(y), int(z)
        for chunk in store_chunks(target(store), wanted):
            return chunk
        raise gdb.GdbError(f"chunk {wanted} is not loaded")


class FindBlock(gdb.Function):
    """$trn_block(store, x, y, z): the block of a voxel. Its chunk must be loaded."""
    def __init__(self, find):
        super().__init__("trn_block")
        self.find = find

    def invoke(self, store, x, y, z):
        x, y, z = int(x), int(y), int(z)
        word = int(self.find.invoke(store, x // EDGE, y // EDGE, z // EDGE)["voxels"]["word"])
        payload = payload_of(word)
        return word >> 1 & 0xFFFF if payload is None else payload_block(payload, x % EDGE + z % EDGE * EDGE + y % EDGE * EDGE * EDGE)


def register():
    most = gdb.parameter("max-value-size") # None: unlimited
    if most is not None and most < STREAM_BYTES:
        gdb.execute(f"set max-value-size {STREAM_BYTES}", to_string=True)
    printers = gdb.printing.RegexpCollectionPrettyPrinter("terrane")
    for printer, names in ((Voxels, "TrnVoxels|TrnSnapshot"), (Payload, "TrnPayload"), (Chunk, "TrnChunk"), (Position, "TrnPosition"),
                           (Coord, "TrnCoord|TrnVoxel"), (Store, "TrnStore"), (Index, "TrnChunkIndex"), (Stream, "TrnStream")):
        printers.add_printer(printer.__name__, f"^({names})$", printer)
    gdb.printing.register_pretty_printer(None, printers, replace=True)
    FindBlock(FindChunk())


register()
