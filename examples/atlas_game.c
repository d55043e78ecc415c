// A block game in the manner of Craft (https://github.com/fogleman/Craft), and its port to Terrane.
// Such a game keeps a hash map of (x, y, z) to block for each column of the world, asks it through
// get_block(), and draws each column from a vertex buffer: unmerged faces with coordinates in a
// texture atlas, ambient occlusion and light, and crossed leaves for plants. Its renderer and its
// atlas stay as they are; the map and the mesher are replaced. Checks that both find the same
// blocks and draw the same vertices, and prints what each takes.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <terrane/block_types.h>
#include <terrane/light.h>
#include <terrane/mesh_vertices.h>
#include <terrane/store.h>

enum {
    EDGE = 32,                      // of a column, in blocks along x and z
    HEIGHT = 256,                   // of a column
    COLUMN_CHUNKS = HEIGHT / EDGE,  // Terrane's chunks of a column
    RADIUS = 2,                     // the world is 5 x 5 columns around (0, 0)
    SIDE = 2 * RADIUS + 1,          // columns along an axis
    COLUMN_COUNT = SIDE * SIDE,     // columns of the world
    LEVEL_MAX = TRN_BLOCK_LIGHT_MAX // the light of a lamp
};

/// The game's blocks, as in its saves. The text below gives types the same ids.
enum { AIR, GRASS, DIRT, STONE, WOOD, LEAVES, GLASS, LAMP, FERN, BLOCK_COUNT };

/// A corner as the game's shader reads it; four of them are a face.
typedef struct Vertex {
    float position[3], normal[3];
    float uv[2]; // in the atlas of 16 x 16 tiles
    float ao, light;
} Vertex;

typedef struct Face {
    Vertex corners[4]; // (0, 0), (1, 0), (0, 1), (1, 1) of the face's axes, as in a TrnQuad
} Face;

/// The vertex buffer of a column.
typedef struct Faces {
    Face *list;
    size_t count, capacity;
} Faces;

static void must(bool good, const char *what)
{
    if (!good) {
        printf("%s\n", what);
        exit(1);
    }
}

static Face *faces_add(Faces *faces)
{
    if (!faces->list || faces->count == faces->capacity) {
        faces->capacity = faces->capacity ? 2 * faces->capacity : 4096;
        faces->list = realloc(faces->list, faces->capacity * sizeof *faces->list);
        if (!faces->list) {
            printf("Out of memory.\n");
            exit(1);
        }
    }
    return &faces->list[faces->count++];
}

/// Returns the place of a corner in the atlas. @param u,v  inside the tile, 0..1
static void atlas_uv(uint32_t tile, float u, float v, float uv[2])
{
    const uint32_t column = tile % 16, row = tile / 16;
    uv[0] = ((float)column + u) / 16;
    uv[1] = ((float)row + v) / 16;
}

// ---- before: the map and the mesher -------------------------------------------------------------

/// A block of a column, in 4 bytes. Blocks that were dug stay as air.
typedef struct MapEntry {
    uint8_t x, y, z;
    uint8_t block1; // the block and one; 0: the entry is free
} MapEntry;

typedef struct Map {
    MapEntry *entries;
    uint32_t mask, count;
} Map;

typedef struct OldGame {
    Map columns[COLUMN_COUNT];
} OldGame;

static const uint8_t old_tiles[BLOCK_COUNT][TRN_FACE_COUNT] = {
    [GRASS] = {17, 17, 1, 33, 17, 17},   [DIRT] = {1, 1, 1, 1, 1, 1},
    [STONE] = {6, 6, 6, 6, 6, 6},        [WOOD] = {21, 21, 37, 37, 21, 21},
    [LEAVES] = {15, 15, 15, 15, 15, 15}, [GLASS] = {10, 10, 10, 10, 10, 10},
    [LAMP] = {11, 11, 11, 11, 11, 11},   [FERN] = {48, 48, 48, 48, 48, 48}};

static bool is_transparent(uint32_t block)
{
    return block == AIR || block == LEAVES || block == GLASS || block == FERN;
}

static MapEntry *map_place(const Map *map, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t at = (x | y << 5 | z << 13) * 2654435769u >> 7;
    MapEntry *entry = &map->entries[at & map->mask];
    while (entry->block1 && (entry->x != x || entry->y != y || entry->z != z)) {
        entry = &map->entries[++at & map->mask];
    }
    return entry;
}

static void map_set(Map *map, uint32_t x, uint32_t y, uint32_t z, uint32_t block);

static void map_grow(Map *map)
{
    Map larger = {.mask = map->entries ? 2 * map->mask + 1 : 4095};
    larger.entries = calloc((size_t)larger.mask + 1, sizeof *larger.entries);
    must(larger.entries != NULL, "Out of memory.");
    for (uint32_t i = 0; map->entries && i <= map->mask; i++) {
        const MapEntry *entry = &map->entries[i];
        if (entry->block1) {
            map_set(&larger, entry->x, entry->y, entry->z, entry->block1 - 1u);
        }
    }
    free(map->entries);
    *map = larger;
}

static void map_set(Map *map, uint32_t x, uint32_t y, uint32_t z, uint32_t block)
{
    if (!map->entries || 2 * map->count > map->mask) {
        map_grow(map);
    }
    MapEntry *entry = map_place(map, x, y, z);
    map->count += entry->block1 == 0;
    *entry = (MapEntry){(uint8_t)x, (uint8_t)y, (uint8_t)z, (uint8_t)(block + 1)};
}

/// Returns the map of a column, or NULL outside the world.
static Map *old_column(const OldGame *game, int p, int q)
{
    const bool is_inside = abs(p) <= RADIUS && abs(q) <= RADIUS;
    return is_inside ? (Map *)&game->columns[(q + RADIUS) * SIDE + p + RADIUS] : NULL;
}

static int column_of(int x)
{
    return x >= 0 ? x / EDGE : (x + 1) / EDGE - 1; // rounds down
}

static uint32_t old_get_block(const OldGame *game, int x, int y, int z)
{
    const Map *map = old_column(game, column_of(x), column_of(z));
    if (!map || y < 0 || y >= HEIGHT) {
        return AIR;
    }
    const MapEntry *entry = map_place(map, (uint32_t)x % EDGE, (uint32_t)y, (uint32_t)z % EDGE);
    return entry->block1 ? entry->block1 - 1u : AIR;
}

static void old_set_block(OldGame *game, int x, int y, int z, uint32_t block)
{
    map_set(old_column(game, column_of(x), column_of(z)), (uint32_t)x % EDGE, (uint32_t)y,
            (uint32_t)z % EDGE, block);
}

/// The blocks and light of a column and the eight around it, since look-ups in maps are slow.
typedef struct Grid {
    uint8_t blocks[HEIGHT + 2][3 * EDGE][3 * EDGE]; // y from -1; z and x from -EDGE
    uint8_t light[HEIGHT + 2][3 * EDGE][3 * EDGE];
    int lamps[64][3];
    uint32_t lamp_count;
} Grid;

/// Light falls by one level a block and does not enter opaque blocks.
static void grid_light(Grid *grid, int x, int y, int z, uint8_t level)
{
    static const int steps[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                    {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    grid->light[y][z][x] = level;
    for (int i = 0; i < 6 && level > 1; i++) {
        const int nx = x + steps[i][0], ny = y + steps[i][1], nz = z + steps[i][2];
        if (nx >= 0 && nx < 3 * EDGE && nz >= 0 && nz < 3 * EDGE && ny >= 0 && ny < HEIGHT + 2 &&
            is_transparent(grid->blocks[ny][nz][nx]) && grid->light[ny][nz][nx] < level - 1) {
            grid_light(grid, nx, ny, nz, (uint8_t)(level - 1));
        }
    }
}

static void grid_set(Grid *grid, int x, int y, int z, uint32_t block)
{
    grid->blocks[y][z][x] = (uint8_t)block;
    if (block == LAMP) {
        must(grid->lamp_count < sizeof grid->lamps / sizeof *grid->lamps, "Too many lamps.");
        const int lamp[3] = {x, y, z};
        memcpy(grid->lamps[grid->lamp_count++], lamp, sizeof lamp);
    }
}

static void grid_read(Grid *grid, const OldGame *game, int p, int q)
{
    memset(grid, 0, sizeof *grid);
    for (int i = 0; i < 9; i++) {
        const Map *map = old_column(game, p + i % 3 - 1, q + i / 3 - 1);
        for (uint32_t at = 0; map && at <= map->mask; at++) {
            const MapEntry *entry = &map->entries[at];
            if (entry->block1) {
                grid_set(grid, entry->x + i % 3 * EDGE, entry->y + 1, entry->z + i / 3 * EDGE,
                         entry->block1 - 1u);
            }
        }
    }
    for (uint32_t i = 0; i < grid->lamp_count; i++) {
        grid_light(grid, grid->lamps[i][0], grid->lamps[i][1], grid->lamps[i][2], LEVEL_MAX);
    }
}

/// The axes of faces along x, y and z: across and along, as trn_quad_axes().
static const int face_axes[3][2] = {{2, 1}, {0, 2}, {0, 1}};

/// Ambient occlusion and light of a corner: of the four blocks in front of the face that touch it.
/// @param at      the block in front of the face, in the grid
/// @param across,along  -1 or 1, towards the corner
static void old_shade(const Grid *grid, const int at[3], const int axes[2], int across, int along,
                      Vertex *corner)
{
    uint32_t is_open[4], sum = 0, count = 0;
    for (int i = 0; i < 4; i++) {
        int to[3] = {at[0], at[1], at[2]};
        to[axes[0]] += i & 1 ? across : 0;
        to[axes[1]] += i & 2 ? along : 0;
        is_open[i] = is_transparent(grid->blocks[to[1]][to[2]][to[0]]);
        if (is_open[i] && (i < 3 || is_open[1] || is_open[2])) {
            sum += grid->light[to[1]][to[2]][to[0]];
            count++;
        }
    }
    const bool is_closed = !is_open[1] && !is_open[2];
    corner->ao = (float)(is_closed ? 0 : is_open[1] + is_open[2] + is_open[3]) / 3;
    const uint32_t level = (2 * sum + count) / (2 * count); // the mean, rounded
    corner->light = (float)level / LEVEL_MAX;
}

static void old_face(const Grid *grid, const int at[3], const int offset[3], int face, Faces *faces)
{
    const int *axes = face_axes[face / 2];
    const uint32_t block = grid->blocks[at[1]][at[2]][at[0]];
    int front[3] = {at[0], at[1], at[2]};
    front[face / 2] += face % 2 ? 1 : -1;
    Face *made = faces_add(faces);
    memset(made, 0, sizeof *made);
    for (int i = 0; i < 4; i++) {
        Vertex *corner = &made->corners[i];
        const int across = i & 1, along = i >> 1;
        int place[3] = {at[0] + offset[0], at[1] + offset[1], at[2] + offset[2]};
        place[face / 2] += face % 2;
        place[axes[0]] += across;
        place[axes[1]] += along;
        for (int axis = 0; axis < 3; axis++) {
            corner->position[axis] = (float)place[axis];
        }
        corner->normal[face / 2] = face % 2 ? 1 : -1;
        const bool is_mirrored = face == TRN_FACE_POS_X || face == TRN_FACE_NEG_Z;
        atlas_uv(old_tiles[block][face], (float)(is_mirrored ? 1 - across : across),
                 (float)(face == TRN_FACE_POS_Y ? 1 - along : along), corner->uv);
        old_shade(grid, front, axes, across ? 1 : -1, along ? 1 : -1, corner);
    }
}

/// Two crossed leaves, each with both its sides.
static void old_plant(const Grid *grid, const int at[3], const int offset[3], Faces *faces)
{
    for (int side = 0; side < 4; side++) {
        const bool is_second = side / 2, is_back = side % 2;
        Face *made = faces_add(faces);
        for (int i = 0; i < 4; i++) {
            const int along = i & 1, up = i >> 1, x = is_second ? 1 - along : along;
            const float turn = is_back ? -0.70710678f : 0.70710678f;
            made->corners[i] =
                (Vertex){{(float)(at[0] + offset[0] + x), (float)(at[1] + offset[1] + up),
                          (float)(at[2] + offset[2] + along)},
                         {-turn, 0, is_second ? -turn : turn},
                         {0},
                         1,
                         (float)grid->light[at[1]][at[2]][at[0]] / LEVEL_MAX};
            atlas_uv(old_tiles[grid->blocks[at[1]][at[2]][at[0]]][0],
                     (float)(is_back ? 1 - along : along), (float)up, made->corners[i].uv);
        }
    }
}

static void old_mesh(const OldGame *game, int p, int q, Faces *faces)
{
    static Grid grid; // 4.7 MB
    grid_read(&grid, game, p, q);
    const Map *map = old_column(game, p, q);
    const int offset[3] = {(p - 1) * EDGE, -1, (q - 1) * EDGE};
    for (uint32_t i = 0; i <= map->mask; i++) {
        const MapEntry *entry = &map->entries[i];
        const uint32_t block = entry->block1 ? entry->block1 - 1u : AIR;
        const int at[3] = {entry->x + EDGE, entry->y + 1, entry->z + EDGE};
        if (block == FERN) {
            old_plant(&grid, at, offset, faces);
        }
        for (int face = 0; face < TRN_FACE_COUNT && block != AIR && block != FERN; face++) {
            int front[3] = {at[0], at[1], at[2]};
            front[face / 2] += face % 2 ? 1 : -1;
            if (is_transparent(grid.blocks[front[1]][front[2]][front[0]])) {
                old_face(&grid, at, offset, face, faces);
            }
        }
    }
}

// ---- after: the store and Terrane's mesher ------------------------------------------------------

/// A layer is a tile of the atlas. Glass and leaves are cutouts: they keep the faces between them.
static const char blocks_text[] = "[game:grass]\nkind = opaque\n"
                                  "layer.side = 17\nlayer.bottom = 1\nlayer.top = 33\n"
                                  "[game:dirt]\nkind = opaque\nlayer.all = 1\n"
                                  "[game:stone]\nkind = opaque\nlayer.all = 6\n"
                                  "[game:wood]\nkind = opaque\n"
                                  "layer.side = 21\nlayer.bottom = 37\nlayer.top = 37\n"
                                  "[game:leaves]\nkind = cutout\ndims = 0\nlayer.all = 15\n"
                                  "[game:glass]\nkind = cutout\ndims = 0\nlayer.all = 10\n"
                                  "[game:lamp]\nkind = opaque\nlight = 15\nlayer.all = 11\n"
                                  "[game:fern]\nkind = plant\nlayer.all = 48\n";

typedef struct NewGame {
    TrnBlockTypes *types;
    TrnStore *store;
    TrnLightSolver *solver;
    TrnLight light;
    TrnMesh mesh;
    void *scratch;
} NewGame;

static void new_create(NewGame *game)
{
    TrnStoreDef def = trn_store_def();
    TrnResult result = trn_block_types_create(NULL, &game->types);
    if (result == TRN_RESULT_OK) {
        result = trn_block_types_load(game->types, blocks_text, strlen(blocks_text), NULL);
    }
    def.types = game->types;
    result = result == TRN_RESULT_OK ? trn_store_create(&def, &game->store) : result;
    result = result == TRN_RESULT_OK ? trn_light_solver_create(NULL, &game->solver) : result;
    trn_mesh_init(&game->mesh, NULL);
    game->scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
    must(result == TRN_RESULT_OK && game->scratch, trn_result_text(result));
}

static void new_destroy(NewGame *game)
{
    trn_aligned_free(game->scratch);
    trn_mesh_free(&game->mesh);
    trn_light_solver_destroy(game->solver);
    trn_store_destroy(game->store);
    trn_block_types_destroy(game->types);
}

static uint32_t new_get_block(const NewGame *game, int x, int y, int z)
{
    TrnBlock block = AIR; // stays where no chunk is loaded
    (void)trn_store_get_block_at(game->store, x, y, z, &block);
    return block;
}

static void new_set_block(NewGame *game, int x, int y, int z, uint32_t block)
{
    const TrnResult result =
        trn_store_set_block(game->store, (TrnVoxel){x, y, z}, (TrnBlock)block, NULL);
    must(result == TRN_RESULT_OK, trn_result_text(result));
}

/// Writes four vertices of the mesher as the game's shader reads them.
/// @param tiles   by TrnFace
/// @param light   of the four corners
static void new_face(const TrnMeshVertex *vertices, const uint16_t *tiles, uint32_t light,
                     Faces *faces)
{
    Face *made = faces_add(faces);
    for (uint32_t i = 0; i < 4; i++) {
        const TrnMeshVertex *from = &vertices[i];
        Vertex *to = &made->corners[i];
        memcpy(to->position, from->position, sizeof to->position);
        memcpy(to->normal, from->normal, sizeof to->normal);
        const uint32_t face = from->face < TRN_FACE_COUNT ? from->face : 0; // of a plant: any
        atlas_uv(tiles[face], from->uv[0], from->uv[1], to->uv);
        to->ao = (float)from->ao / 255;
        to->light = (float)trn_mesh_light_blocks(light, i) / LEVEL_MAX;
    }
}

static void new_mesh_chunk(NewGame *game, TrnCoord coord, Faces *faces)
{
    TrnMeshInput input = {.without_merging = true, .blocks = &game->light};
    input.present = trn_store_snapshot_around(game->store, coord, input.around);
    input.types = trn_block_types_all(game->types, &input.type_count);
    trn_light_read(game->solver, input.around, game->types);
    trn_light_blocks(game->solver, NULL, &game->light);
    const TrnResult result = trn_mesh_build(&game->mesh, &input, game->scratch);
    must(result == TRN_RESULT_OK, trn_result_text(result));
    const TrnMesh *mesh = &game->mesh;
    const float offset[3] = {(float)(coord.x * EDGE), (float)(coord.y * EDGE),
                             (float)(coord.z * EDGE)};
    for (uint32_t i = 0; i < trn_mesh_count(&mesh->info); i++) {
        const bool varies = mesh->info.light == TRN_MESH_LIGHT_VARIES;
        const TrnBlockType *type = &input.types[trn_quad_block(mesh->quads[i])];
        TrnMeshVertex vertices[TRN_QUAD_VERTICES_MAX];
        const uint32_t count = trn_quad_vertices(mesh->quads[i], false, offset, vertices);
        for (uint32_t first = 0; first < count; first += 4) {
            new_face(vertices + first, type->layer, varies ? mesh->light[i] : mesh->info.light,
                     faces);
        }
    }
    for (uint32_t i = 0; i < mesh->model_count; i++) {
        const TrnModelFace *face = &mesh->models[i];
        const TrnBlockModel *model = input.types[trn_model_face_block(face)].model;
        TrnMeshVertex vertices[4];
        trn_model_face_vertices(face, offset, vertices);
        new_face(vertices, model->boxes[trn_model_face_box(face)].layer, face->light, faces);
    }
}

static void new_mesh(NewGame *game, int p, int q, Faces *faces)
{
    for (int y = 0; y < COLUMN_CHUNKS; y++) {
        new_mesh_chunk(game, (TrnCoord){p, y, q}, faces);
    }
}

// ---- a world for both ---------------------------------------------------------------------------

/// The blocks of a column while it is generated.
typedef uint8_t Land[HEIGHT][EDGE][EDGE]; // y, z, x

static uint32_t noise(int x, int z)
{
    const uint32_t mixed = ((uint32_t)x * 374761393u + (uint32_t)z * 668265263u) * 2246822519u;
    return mixed >> 16;
}

static int ground(int x, int z)
{
    return 60 + abs(x % 48 - 10) / 3 + abs((z + x / 4) % 40) / 4;
}

/// A trunk and a round crown.
static void land_tree(Land land, int x, int y, int z)
{
    for (int dy = 3; dy < 8; dy++) {
        for (int i = 0; i < 49; i++) {
            const int dx = i % 7 - 3, dz = i / 7 - 3;
            if (dx * dx + (dy - 4) * (dy - 4) + dz * dz < 11) {
                land[y + dy][z + dz][x + dx] = LEAVES;
            }
        }
    }
    for (int dy = 0; dy < 7; dy++) {
        land[y + dy][z][x] = WOOD;
    }
}

static void land_generate(Land land, int p, int q)
{
    memset(land, AIR, sizeof(Land));
    for (int i = 0; i < EDGE * EDGE; i++) {
        const int x = i % EDGE, z = i / EDGE, at_x = p * EDGE + x, at_z = q * EDGE + z;
        const int top = ground(at_x, at_z);
        for (int y = 0; y < top; y++) {
            land[y][z][x] = y + 1 == top ? GRASS : y + 4 >= top ? DIRT : STONE;
        }
        const uint32_t random = noise(at_x, at_z);
        if (random % 23 == 0 && land[top][z][x] == AIR) {
            land[top][z][x] = FERN;
        }
        if (random % 151 == 1 && x > 3 && x < EDGE - 4 && z > 3 && z < EDGE - 4) {
            land_tree(land, x, top, z);
        }
    }
    for (int i = 0; p == 0 && q == 0 && i < 9 * 9 * 9; i++) { // a lit house of glass
        const int x = i % 9, y = i / 81, z = i / 9 % 9;
        const bool is_wall = x % 8 == 0 || y % 8 == 0 || z % 8 == 0;
        land[75 + y][10 + z][10 + x] = is_wall ? y == 0 ? STONE : GLASS : AIR;
        land[76][14][14] = LAMP;
    }
}

static void worlds_insert(OldGame *old, NewGame *new, int p, int q)
{
    static Land land;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    land_generate(land, p, q);
    for (int y = 0; y < HEIGHT; y++) {
        for (int i = 0; i < EDGE * EDGE; i++) {
            const uint8_t block = land[y][i / EDGE][i % EDGE];
            blocks[y % EDGE * EDGE * EDGE + i] = block; // x fastest, then z, then y
            if (block != AIR) {
                old_set_block(old, p * EDGE + i % EDGE, y, q * EDGE + i / EDGE, block);
            }
        }
        if (y % EDGE == EDGE - 1) {
            const TrnCoord coord = {p, y / EDGE, q};
            const TrnResult result = trn_store_insert_voxels(new->store, coord, blocks, NULL);
            must(result == TRN_RESULT_OK, trn_result_text(result));
        }
    }
}

// ---- comparison ---------------------------------------------------------------------------------

static double milliseconds(clock_t ticks)
{
    return (double)ticks * 1000 / CLOCKS_PER_SEC;
}

static int face_compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(Face));
}

/// Looks up every block of the world, and one voxel around it, in both.
static void compare_look_ups(const OldGame *old, const NewGame *new)
{
    const int low = -RADIUS * EDGE - 1, high = (RADIUS + 1) * EDGE + 1;
    uint64_t sums[2] = {0};
    uint32_t number = 0;
    clock_t times[3] = {clock()};
    for (int game = 0; game < 2; game++) {
        number = 0;
        for (int y = 0; y < HEIGHT; y++) {
            for (int z = low; z < high; z++) {
                for (int x = low; x < high; x++) {
                    sums[game] += (uint64_t)++number * (game == 0 ? old_get_block(old, x, y, z)
                                                                  : new_get_block(new, x, y, z));
                }
            }
        }
        times[game + 1] = clock();
    }
    must(sums[0] == sums[1], "The store has other blocks than the maps.");
    printf("look-ups: %.0f ns in maps, %.0f in the store\n",
           milliseconds(times[1] - times[0]) * 1e6 / number,
           milliseconds(times[2] - times[1]) * 1e6 / number);
}

static void compare_meshes(const OldGame *old, NewGame *new)
{
    Faces before = {0}, after = {0};
    clock_t spent[2] = {0};
    size_t count = 0;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const int p = i % SIDE - RADIUS, q = i / SIDE - RADIUS;
        before.count = after.count = 0;
        const clock_t start = clock();
        old_mesh(old, p, q, &before);
        const clock_t middle = clock();
        new_mesh(new, p, q, &after);
        spent[0] += middle - start;
        spent[1] += clock() - middle;
        must(before.list && after.list && before.count == after.count,
             "Terrane draws another number of faces.");
        qsort(before.list, before.count, sizeof(Face), face_compare);
        qsort(after.list, after.count, sizeof(Face), face_compare);
        must(memcmp(before.list, after.list, before.count * sizeof(Face)) == 0,
             "Terrane draws other vertices.");
        count += after.count;
    }
    printf(
        "%zu faces, the same from both; a column takes %.2f ms from its map, %.2f from the store\n",
        count, milliseconds(spent[0]) / COLUMN_COUNT, milliseconds(spent[1]) / COLUMN_COUNT);
    free(before.list);
    free(after.list);
}

/// What a player does: digs a shaft at the corner of four columns, and hangs a lamp into it.
static void edit_both(OldGame *old, NewGame *new)
{
    for (int i = 0; i < 5 * 5 * 30; i++) {
        const int x = i % 5 - 2, y = 40 + i / 25, z = i / 5 % 5 - 2;
        const uint32_t block = x == 0 && z == 0 && y == 50 ? LAMP : AIR;
        old_set_block(old, x, y, z, block);
        new_set_block(new, x, y, z, block);
    }
}

/// What the old game could not: a slab, a model of one box, next to the house.
static void add_slab(NewGame *game)
{
    static const char text[] = "[game:slab]\nkind = model\nlayer.all = 6\nbox = 0 0 0 16 8 16\n";
    TrnBlock slab = AIR;
    TrnResult result = trn_block_types_load(game->types, text, strlen(text), NULL);
    if (result == TRN_RESULT_OK) {
        result = trn_block_types_find(game->types, "game:slab", &slab);
    }
    must(result == TRN_RESULT_OK, trn_result_text(result));
    Faces before = {0}, after = {0};
    new_mesh(game, 0, 0, &before);
    new_set_block(game, 5, 100, 5, slab);
    new_mesh(game, 0, 0, &after);
    must(after.count == before.count + 6, "A slab in the air shows six faces.");
    printf("a slab adds %zu faces\n", after.count - before.count);
    free(before.list);
    free(after.list);
}

int main(void)
{
    static OldGame old;
    static NewGame new;
    new_create(&new);
    size_t map_bytes = 0;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        worlds_insert(&old, &new, i % SIDE - RADIUS, i / SIDE - RADIUS);
        map_bytes += (old.columns[i].mask + 1) * sizeof(MapEntry);
    }
    printf("%d columns take %zu KiB in maps, %zu in the store\n", COLUMN_COUNT, map_bytes >> 10,
           trn_store_stats(new.store).used_bytes >> 10);
    compare_look_ups(&old, &new);
    compare_meshes(&old, &new);
    edit_both(&old, &new);
    compare_look_ups(&old, &new);
    compare_meshes(&old, &new);
    add_slab(&new);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        free(old.columns[i].entries);
    }
    new_destroy(&new);
    return 0;
}
