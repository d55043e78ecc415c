/// The game in window_glfw.c and window_sdl2.c: built-in terrain that streams in on workers, drawn
/// with OpenGL 3.3; what is dug and built lasts. Include what declares OpenGL before.
#pragma once
#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <terrane/batch.h>
#include <terrane/mesher.h>
#include <terrane/raycast.h>
#include <terrane/save.h>
#include <terrane/terrain.h>

enum { CHUNKS_MAX = 8192 };
typedef struct Mesh {
    GLuint buffer; // on the card
    GLsizei count;
    GLuint quads[][4]; // rectangles of faces: a quad of 8 bytes, its colour, its light
} Mesh;

typedef struct Game { // static, so that what no worker uses takes no memory
    TrnTerrain *terrain;
    TrnStore *store;
    TrnSave *save;
    TrnStream *stream;
    TrnStreamAnchor eye;
    TrnStreamAnchorId id;
    double yaw, pitch;                         // radians; at 0 it looks north, and yaw turns east
    TrnMesh meshes[TRN_STREAM_WORKER_MAX + 1]; // by worker; 0 is the calling thread
    alignas(64) unsigned char scratch[TRN_STREAM_WORKER_MAX + 1][TRN_MESH_SCRATCH_BYTES];
    void *chunks[CHUNKS_MAX]; // in sight
} Game;

static const char *const shaders[2] = {
    "#version 330 core\n" // makes four corners of a quad
    "layout(location = 0) in uvec4 quad; uniform mat4 camera; uniform vec3 low;\n"
    "out vec3 from_eye, colour; out float level;\n"
    "void main() {\n"
    "  uint face = quad.x >> 25 & 7u, ao = quad.x >> 28 | (quad.y & 15u) << 4;\n"
    "  vec2 size = vec2((quad.xx >> uvec2(15, 20) & 31u) + 1u);\n"
    "  size *= vec2(gl_VertexID & 1, gl_VertexID / 2);\n"
    "  float side = float(face & 1u), shade = face == 3u ? 1.0 : face == 2u ? 0.5 : 0.8;\n"
    "  from_eye = low + vec3(quad.xxx >> uvec3(0, 5, 10) & 31u)\n"
    "    + (face < 2u ? vec3(side, size.yx) : face < 4u ? vec3(size.x, side, size.y)\n"
    "    : vec3(size, face < 6u ? side : face == 6u ? size.x : 1.0 - size.x));\n" // 6, 7: plants
    "  shade *= 0.55 + 0.15 * float(ao >> 2 * gl_VertexID & 3u);\n"
    "  colour = vec3(quad.zzz >> uvec3(0, 8, 16) & 255u) / 255.0 * shade;\n"
    "  level = float(max(quad.w >> 8 * gl_VertexID & 15u, quad.w >> 8 * gl_VertexID + 4 & 15u));\n"
    "  gl_Position = camera * vec4(from_eye, 1.0); }\n",
    "#version 330 core\n"
    "in vec3 from_eye, colour; in float level; out vec4 pixel;\n"
    "void main() { float haze = smoothstep(200.0, 300.0, length(from_eye));\n"
    "  float torch = 14.0 - dot(abs(from_eye), vec3(1.0));\n" // in the hand: no edit, no mesh
    "  vec3 lit = colour * (0.04 + 0.064 * max(level, torch));\n"
    "  pixel = vec4(mix(lit, vec3(0.55, 0.75, 0.95), haze), 1.0); }\n"};

/// On a worker. Models, such as stairs, would be in `quads->models`.
static TrnResult world_mesh(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                            TrnStreamMesh *out)
{
    Game *game = user;
    TrnMesh *quads = &game->meshes[job->worker];
    const TrnMeshInput in = trn_mesh_input_of(input, trn_store_block_types(game->store));
    const TrnResult result = trn_mesh_build(quads, &in, game->scratch[job->worker]);
    const uint32_t count = result == TRN_RESULT_OK ? trn_mesh_count(&quads->info) : 0;
    if (count == 0) {
        return result;
    }
    const size_t bytes = sizeof(Mesh) + count * sizeof(GLuint[4]);
    Mesh *mesh = calloc(1, bytes);
    if (!mesh) {
        return TRN_RESULT_NO_MEMORY;
    }
    mesh->count = (GLsizei)count;
    for (uint32_t i = 0; i < count; i++) {
        const bool is_occluded = i < quads->info.first[TRN_MESH_TRANSPARENT]; // or ao has a height
        const TrnQuad quad = quads->quads[i] | (TrnQuad)(is_occluded ? 0 : 255) << 28;
        const uint8_t *rgb = in.types[trn_quad_block(quad)].colour[trn_quad_face(quad) % 6];
        mesh->quads[i][0] = (GLuint)quad;
        mesh->quads[i][1] = (GLuint)(quad >> 32);
        mesh->quads[i][2] = rgb[0] | (GLuint)rgb[1] << 8 | (GLuint)rgb[2] << 16;
        mesh->quads[i][3] =
            quads->info.light == TRN_MESH_LIGHT_VARIES ? quads->light[i] : quads->info.light;
    }
    *out = (TrnStreamMesh){.mesh = mesh, .bytes = bytes};
    return TRN_RESULT_OK;
}

static TrnResult world_show(void *user, TrnChunk *chunk, TrnStreamMesh *shown)
{
    (void)user;
    Mesh *mesh = *(Mesh **)trn_chunk_user(chunk) = shown->mesh; // the one before is dropped next
    if (mesh) {
        glGenBuffers(1, &mesh->buffer);
        glBindBuffer(GL_ARRAY_BUFFER, mesh->buffer);
        glBufferData(GL_ARRAY_BUFFER, mesh->count * (GLsizeiptr)sizeof *mesh->quads, mesh->quads,
                     GL_STATIC_DRAW);
    }
    return TRN_RESULT_OK;
}

static void world_drop_mesh(void *user, TrnStreamMesh dropped)
{
    (void)user;
    Mesh *mesh = dropped.mesh;
    glDeleteBuffers(1, &mesh->buffer);
    free(mesh);
}

static TrnResult world_open(Game *game, const char *file, TrnStorageProblem *problem)
{
    TrnStoreDef store = trn_store_def();
    TrnSaveDef save = trn_save_def();
    TrnStreamDef def = trn_stream_def();
    TrnVoxel begin = {0, 0, 0};
    for (uint32_t i = 0; i <= TRN_STREAM_WORKER_MAX; i++) {
        trn_mesh_init(&game->meshes[i], NULL);
    }
    store.user_bytes = sizeof(Mesh *);
    TrnResult result = trn_store_create(&store, &game->store);
    result = result ? result : trn_terrain_create(NULL, &game->terrain);
    result = result ? result : trn_terrain_height(game->terrain, begin.x, begin.z, &begin.y);
    result = result ? result : trn_storage_sqlite(file, TRN_STORAGE_EITHER, &save.storage, problem);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    save.types = trn_store_block_types(game->store);
    result = trn_save_create(&save, &game->save, problem);
    result = result ? result : trn_save_load_pending(game->save, game->store);
    def.store = game->store;
    def.generator = trn_terrain_generator(game->terrain);
    def.source = trn_save_source(game->save);
    def.hooks = (TrnStreamHooks){
        .mesh = world_mesh, .upload = world_show, .drop_mesh = world_drop_mesh, .user = game};
    def.light = true;
    result = result ? result : trn_stream_create(&def, &game->stream);
    begin.y += 12;
    game->eye = trn_stream_anchor();
    game->eye.position = trn_voxel_position(begin);
    game->eye.radius_chunks = 10;
    return result ? result : trn_stream_anchor_add(game->stream, &game->eye, &game->id);
}

/// Digs a ball where one looks, or builds a block there.
static void world_edit(const Game *game, bool digs)
{
    TrnRayHit hit;
    if (trn_store_raycast(game->store, game->eye.position, game->eye.view, NULL, &hit) ||
        hit.end != TRN_RAY_END_BLOCK || hit.face == TRN_FACE_COUNT) {
        return;
    }
    const TrnVoxel voxel = digs ? hit.voxel : trn_voxel_neighbour(hit.voxel, hit.face);
    TrnBatch *batch;
    (void)trn_batch_begin(game->store, NULL, &batch);
    (void)trn_batch_fill_sphere(batch, voxel, digs ? 2 : 0,
                                digs ? TRN_BLOCK_AIR : TRN_BLOCK_OAK_PLANKS);
    const TrnResult result = trn_batch_commit(batch, NULL); // tells whether any of them failed
    fputs(result ? trn_result_text(result) : "", stderr);
}

static GLuint world_make_program(void)
{
    const GLuint program = glCreateProgram();
    GLuint array;
    for (int i = 0; i < 2; i++) {
        const GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &shaders[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    glUseProgram(program);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glVertexAttribDivisor(0, 1);
    glEnableVertexAttribArray(0);
    glEnable(GL_DEPTH_TEST);
    glClearColor(0.55F, 0.75F, 0.95F, 1);
    return program;
}

/// One frame of the game: loads, and draws what the camera sees.
static void world_frame(Game *game, GLuint program, int width, int height)
{
    (void)trn_stream_anchor_set(game->stream, game->id, &game->eye);
    (void)trn_stream_update(game->stream, NULL, NULL); // what failed is tried again
    const double c = cos(game->yaw), s = sin(game->yaw), t = sin(game->pitch);
    const double tall = 1.2, wide = tall * (height + 1) / (width + 1), *view = game->eye.view;
    const double rows[3][3] = {{c * wide, 0, s * wide},
                               {-s * t * tall, cos(game->pitch) * tall, c * t * tall},
                               {view[0], view[1], view[2]}};
    float matrix[16] = {[14] = -0.2F}; // of voxels from the eye; depths from 0.1 to infinity
    for (int i = 0; i < 12; i++) {
        matrix[i] = (float)rows[i % 4 < 3 ? i % 4 : 2][i / 4];
    }
    TrnFrustum frustum = {.count = 0};
    (void)trn_frustum_from_matrix(matrix, TRN_MATRIX_COLUMNS, TRN_CLIP_DEPTH_MINUS_ONE,
                                  game->eye.position, &frustum);
    const TrnChunkGather gather = {.box = trn_box_everything(),
                                   .frustum = &frustum,
                                   .pointers = game->chunks,
                                   .pool = trn_store_pool(game->store),
                                   .capacity = CHUNKS_MAX};
    const size_t count = trn_chunk_index_gather(trn_store_index(game->store), &gather);
    glViewport(0, 0, width, height);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    const GLint low = glGetUniformLocation(program, "low");
    glUniformMatrix4fv(glGetUniformLocation(program, "camera"), 1, GL_FALSE, matrix);
    for (size_t i = 0; i < count && i < CHUNKS_MAX; i++) {
        const Mesh *mesh = *(Mesh **)trn_chunk_user(game->chunks[i]);
        double at[3];
        if (mesh) {
            const TrnPosition corner = {((TrnChunk *)game->chunks[i])->coord, {0, 0, 0}};
            trn_position_difference(corner, game->eye.position, at);
            glUniform3f(low, (float)at[0], (float)at[1], (float)at[2]);
            glBindBuffer(GL_ARRAY_BUFFER, mesh->buffer);
            glVertexAttribIPointer(0, 4, GL_UNSIGNED_INT, sizeof *mesh->quads, NULL);
            glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, mesh->count);
        }
    }
}

/// Turns and moves the eye. @param right,ahead  in voxels
static void world_move(Game *game, double turn, double rise, double right, double ahead)
{
    game->yaw += turn;
    game->pitch = fmax(-1.5, fmin(1.5, game->pitch + rise));
    const double c = cos(game->yaw), s = sin(game->yaw), k = cos(game->pitch);
    const double view[3] = {s * k, sin(game->pitch), -c * k};
    const double by[3] = {right * c + ahead * view[0], ahead * view[1],
                          right * s + ahead * view[2]};
    game->eye.position = trn_position_add(game->eye.position, by);
    memcpy(game->eye.view, view, sizeof view);
}

/// Saves, and frees everything; also what was opened in part.
static TrnResult world_close(Game *game)
{
    TrnResult saved = game->stream ? trn_stream_save(game->stream) : TRN_RESULT_OK;
    saved = game->stream && !saved ? trn_save_pending(game->save, game->store) : saved;
    trn_stream_destroy(game->stream);
    const TrnResult written = trn_save_destroy(game->save);
    trn_store_destroy(game->store);
    trn_terrain_destroy(game->terrain);
    for (uint32_t i = 0; i <= TRN_STREAM_WORKER_MAX; i++) {
        trn_mesh_free(&game->meshes[i]);
    }
    return saved ? saved : written;
}
