#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "export_gltf.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

// Constants of glTF 2.0 and OpenGL.
#define GLTF_UNSIGNED_BYTE 5121
#define GLTF_UNSIGNED_INT 5125
#define GLTF_FLOAT 5126
#define GLTF_ARRAY_BUFFER 34962
#define GLTF_ELEMENT_ARRAY_BUFFER 34963
#define GLB_MAGIC 0x46546C67u
#define GLB_JSON 0x4E4F534Au
#define GLB_BIN 0x004E4942u

#define VERTEX_NORMAL_AT 12
#define VERTEX_COLOUR_AT 24

#define WATER_ALPHA 0.7

// ---- the text -----------------------------------------------------------------------------------

/// A JSON text being built. Running out of memory is recorded; later items are then left out.
typedef struct GltfText {
    cJSON *root;
    bool failed;
} GltfText;

/// Adds an item to an object, or to an array if it has no name.
/// @return the item, or NULL if out of memory for it or its parent
static cJSON *export_add_item(GltfText *text, cJSON *parent, const char *name, cJSON *item)
{
    if (item && parent &&
        (name ? cJSON_AddItemToObject(parent, name, item) : cJSON_AddItemToArray(parent, item))) {
        return item;
    }
    cJSON_Delete(item);
    text->failed = true;
    return NULL;
}

static cJSON *export_add_object(GltfText *text, cJSON *parent, const char *name)
{
    return export_add_item(text, parent, name, cJSON_CreateObject());
}

static cJSON *export_add_array(GltfText *text, cJSON *parent, const char *name)
{
    return export_add_item(text, parent, name, cJSON_CreateArray());
}

static void export_add_number(GltfText *text, cJSON *parent, const char *name, double number)
{
    (void)export_add_item(text, parent, name, cJSON_CreateNumber(number));
}

static void export_add_string(GltfText *text, cJSON *parent, const char *name, const char *string)
{
    (void)export_add_item(text, parent, name, cJSON_CreateString(string));
}

static void export_add_numbers(GltfText *text, cJSON *parent, const char *name,
                               const double *numbers, int count)
{
    cJSON *array = export_add_array(text, parent, name);
    for (int i = 0; i < count; i++) {
        export_add_number(text, array, NULL, numbers[i]);
    }
}

static size_t export_vertex_bytes(const ExportMesh *mesh)
{
    return mesh->has_ao ? EXPORT_VERTEX_BYTES_MAX : VERTEX_COLOUR_AT;
}

static size_t export_all_vertices_bytes(const ExportMesh *mesh)
{
    return mesh->count * 4 * export_vertex_bytes(mesh);
}

static size_t export_all_indices_bytes(const ExportMesh *mesh)
{
    return mesh->count * 6 * sizeof(uint32_t);
}

static void export_add_asset(GltfText *text, const ExportMesh *mesh, const ExportSource *source)
{
    cJSON *asset = export_add_object(text, text->root, "asset");
    char words[64];
    export_add_string(text, asset, "version", "2.0");
    (void)snprintf(words, sizeof words, "Terrane %s", trn_version());
    export_add_string(text, asset, "generator", words);
    cJSON *extras = export_add_object(text, asset, "extras");
    (void)snprintf(words, sizeof words, "%llu", (unsigned long long)source->seed);
    if (!source->is_seedless) {
        export_add_string(text, extras, "terrane_seed", words); // a JSON number has only 53 bits
    }
    if (source->land[0]) {
        export_add_string(text, extras, "terrane_land", source->land);
    }
    const TrnVoxel min = mesh->box.min;
    int64_t size[3];
    export_box_size(&mesh->box, size);
    const double origin[3] = {(double)min.x, (double)min.y, (double)min.z};
    const double edges[3] = {(double)size[0], (double)size[1], (double)size[2]};
    export_add_numbers(text, extras, "terrane_origin_voxel", origin, 3);
    export_add_numbers(text, extras, "terrane_size_voxels", edges, 3);
}

static void export_add_scene(GltfText *text)
{
    static const double root = 0;
    export_add_number(text, text->root, "scene", 0);
    cJSON *scene = export_add_object(text, export_add_array(text, text->root, "scenes"), NULL);
    export_add_numbers(text, scene, "nodes", &root, 1);
    cJSON *node = export_add_object(text, export_add_array(text, text->root, "nodes"), NULL);
    export_add_string(text, node, "name", "land");
    export_add_number(text, node, "mesh", 0);
}

/// glTF's colours are linear.
static double export_linear_of_srgb(uint8_t value)
{
    const double c = value / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static void export_add_material(GltfText *text, cJSON *materials, const ExportMaterial *material)
{
    const bool is_transparent = export_material_is_transparent(material);
    const uint8_t *colour = material->colour;
    const double factor[4] = {export_linear_of_srgb(colour[0]), export_linear_of_srgb(colour[1]),
                              export_linear_of_srgb(colour[2]), is_transparent ? WATER_ALPHA : 1};
    cJSON *item = export_add_object(text, materials, NULL);
    export_add_string(text, item, "name", export_material_name(material).text);
    cJSON *surface = export_add_object(text, item, "pbrMetallicRoughness");
    export_add_numbers(text, surface, "baseColorFactor", factor, 4);
    export_add_number(text, surface, "metallicFactor", 0);
    export_add_number(text, surface, "roughnessFactor", is_transparent ? 0.1 : 1);
    if (is_transparent) {
        export_add_string(text, item, "alphaMode", "BLEND");
    }
    if (export_material_is_plant(material)) {
        (void)export_add_item(text, item, "doubleSided", cJSON_CreateTrue());
    }
    if (material->type->light) {
        const double part = (double)material->type->light / TRN_BLOCK_LIGHT_MAX;
        const double light[3] = {factor[0] * part, factor[1] * part, factor[2] * part};
        export_add_numbers(text, item, "emissiveFactor", light, 3);
    }
}

static cJSON *export_add_accessor(GltfText *text, cJSON *accessors, int view, size_t offset,
                                  size_t count, int component, const char *type)
{
    cJSON *accessor = export_add_object(text, accessors, NULL);
    export_add_number(text, accessor, "bufferView", view);
    export_add_number(text, accessor, "byteOffset", (double)offset);
    export_add_number(text, accessor, "componentType", component);
    export_add_number(text, accessor, "count", (double)count);
    export_add_string(text, accessor, "type", type);
    return accessor;
}

static void export_add_primitive(GltfText *text, cJSON *primitives, cJSON *accessors,
                                 const ExportMesh *mesh, size_t place)
{
    const ExportMaterial *material = &mesh->materials[place];
    const size_t count = material->count * 4, at = material->first * 4 * export_vertex_bytes(mesh);
    int next = cJSON_GetArraySize(accessors);
    cJSON *primitive = export_add_object(text, primitives, NULL);
    cJSON *attributes = export_add_object(text, primitive, "attributes");

    cJSON *positions = export_add_accessor(text, accessors, 0, at, count, GLTF_FLOAT, "VEC3");
    const double min[3] = {(double)material->min[0], (double)material->min[1],
                           (double)material->min[2]};
    const double max[3] = {(double)material->max[0], (double)material->max[1],
                           (double)material->max[2]};
    export_add_numbers(text, positions, "min", min, 3);
    export_add_numbers(text, positions, "max", max, 3);
    export_add_number(text, attributes, "POSITION", next++);

    (void)export_add_accessor(text, accessors, 0, at + VERTEX_NORMAL_AT, count, GLTF_FLOAT, "VEC3");
    export_add_number(text, attributes, "NORMAL", next++);
    if (mesh->has_ao) {
        cJSON *colours = export_add_accessor(text, accessors, 0, at + VERTEX_COLOUR_AT, count,
                                             GLTF_UNSIGNED_BYTE, "VEC4");
        (void)export_add_item(text, colours, "normalized", cJSON_CreateTrue());
        export_add_number(text, attributes, "COLOR_0", next++);
    }
    (void)export_add_accessor(text, accessors, 1, material->first * 6 * sizeof(uint32_t),
                              material->count * 6, GLTF_UNSIGNED_INT, "SCALAR");
    export_add_number(text, primitive, "indices", next);
    export_add_number(text, primitive, "material", (double)place);
}

static void export_add_mesh(GltfText *text, const ExportMesh *mesh)
{
    cJSON *materials = export_add_array(text, text->root, "materials");
    cJSON *item = export_add_object(text, export_add_array(text, text->root, "meshes"), NULL);
    export_add_string(text, item, "name", "land");
    cJSON *primitives = export_add_array(text, item, "primitives");
    cJSON *accessors = export_add_array(text, text->root, "accessors");
    for (size_t i = 0; i < mesh->material_count; i++) {
        export_add_material(text, materials, &mesh->materials[i]);
        export_add_primitive(text, primitives, accessors, mesh, i);
    }
}

/// A file's name as a relative reference (RFC 3986): other characters become %XX.
static void export_add_uri(GltfText *text, cJSON *parent, const char *file)
{
    static const char plain[] = "-._~";
    char uri[PATH_MAX * 3 + 1];
    size_t length = 0;
    for (const char *at = file; *at && length + 3 < sizeof uri; at++) {
        const unsigned char c = (unsigned char)*at;
        const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                              (c >= 'a' && c <= 'z') || strchr(plain, c);
        length +=
            (size_t)snprintf(uri + length, sizeof uri - length, is_plain ? "%c" : "%%%02X", c);
    }
    export_add_string(text, parent, "uri", uri);
}

/// @param data_name  NULL: the binary data is in the same file
static void export_add_buffers(GltfText *text, const ExportMesh *mesh, const char *data_name)
{
    const size_t vertices = export_all_vertices_bytes(mesh),
                 indices = export_all_indices_bytes(mesh);
    cJSON *buffer = export_add_object(text, export_add_array(text, text->root, "buffers"), NULL);
    export_add_number(text, buffer, "byteLength", (double)(vertices + indices));
    if (data_name) {
        export_add_uri(text, buffer, data_name);
    }
    cJSON *views = export_add_array(text, text->root, "bufferViews");
    cJSON *view = export_add_object(text, views, NULL);
    export_add_number(text, view, "buffer", 0);
    export_add_number(text, view, "byteLength", (double)vertices);
    export_add_number(text, view, "byteStride", (double)export_vertex_bytes(mesh));
    export_add_number(text, view, "target", GLTF_ARRAY_BUFFER);
    view = export_add_object(text, views, NULL);
    export_add_number(text, view, "buffer", 0);
    export_add_number(text, view, "byteOffset", (double)vertices);
    export_add_number(text, view, "byteLength", (double)indices);
    export_add_number(text, view, "target", GLTF_ELEMENT_ARRAY_BUFFER);
}

/// @return the text, for cJSON_free; or NULL with the problem set
static char *export_print_gltf(const ExportMesh *mesh, const ExportSource *source,
                               const char *data_name, Message *problem)
{
    GltfText text = {.root = cJSON_CreateObject()};
    export_add_asset(&text, mesh, source);
    export_add_scene(&text);
    export_add_mesh(&text, mesh);
    export_add_buffers(&text, mesh, data_name);
    char *printed = text.failed ? NULL
                    : data_name ? cJSON_Print(text.root)
                                : cJSON_PrintUnformatted(text.root);
    cJSON_Delete(text.root);
    if (!printed) {
        (void)message_set(problem, "Out of memory for the file; make the box smaller.");
    }
    return printed;
}

// ---- binary data --------------------------------------------------------------------------------

/// Linear brightness of the four values of ambient occlusion.
static uint8_t export_light_of_ao(uint8_t ao)
{
    static const uint8_t light[4] = {89, 140, 196, 255};
    return light[ao / 85];
}

/// Writes little-endian, as in glTF. @return the end
static unsigned char *export_put_u32(unsigned char *at, uint32_t number)
{
    at[0] = (unsigned char)number;
    at[1] = (unsigned char)(number >> 8);
    at[2] = (unsigned char)(number >> 16);
    at[3] = (unsigned char)(number >> 24);
    return at + 4;
}

static unsigned char *export_put_vector(unsigned char *at, const float vector[3])
{
    for (int axis = 0; axis < 3; axis++) {
        uint32_t bits;
        memcpy(&bits, &vector[axis], sizeof bits);
        at = export_put_u32(at, bits);
    }
    return at;
}

static unsigned char *export_put_vertex(unsigned char *at, const TrnMeshVertex *vertex, bool has_ao)
{
    at = export_put_vector(at, vertex->position);
    at = export_put_vector(at, vertex->normal);
    if (has_ao) {
        at[0] = at[1] = at[2] = export_light_of_ao(vertex->ao);
        at[3] = 255;
        at += 4;
    }
    return at;
}

static void export_write_gltf_vertices(WholeFile *out, const ExportMesh *mesh)
{
    TrnMeshVertex vertices[4];
    unsigned char bytes[4 * EXPORT_VERTEX_BYTES_MAX];
    for (size_t i = 0; i < mesh->count && !out->error; i++) {
        export_mesh_vertices(mesh, &mesh->quads[i], vertices);
        unsigned char *end = bytes;
        for (uint32_t v = 0; v < 4; v++) {
            end = export_put_vertex(end, &vertices[v], mesh->has_ao);
        }
        whole_file_write(out, bytes, (size_t)(end - bytes));
    }
}

/// Indices count from the first vertex of their primitive.
static void export_write_gltf_indices(WholeFile *out, const ExportMesh *mesh)
{
    uint32_t indices[6];
    unsigned char bytes[6 * sizeof(uint32_t)];
    for (size_t m = 0; m < mesh->material_count; m++) {
        const ExportMaterial *material = &mesh->materials[m];
        uint32_t first = 0;
        for (size_t i = 0; i < material->count && !out->error; i++) {
            export_mesh_indices(&mesh->quads[material->first + i], first, indices);
            unsigned char *end = bytes;
            for (uint32_t k = 0; k < 6; k++) {
                end = export_put_u32(end, indices[k]);
            }
            whole_file_write(out, bytes, (size_t)(end - bytes));
            first += 4;
        }
    }
}

/// The header of a .glb's chunk, or of the file.
static void export_write_glb_head(WholeFile *out, const uint32_t *numbers, int count)
{
    unsigned char bytes[3 * sizeof(uint32_t)], *end = bytes;
    for (int i = 0; i < count; i++) {
        end = export_put_u32(end, numbers[i]);
    }
    whole_file_write(out, bytes, (size_t)(end - bytes));
}

bool export_glb_write(WholeFile *out, const ExportMesh *mesh, const ExportSource *source,
                      Message *problem)
{
    char *text = export_print_gltf(mesh, source, NULL, problem);
    if (!text) {
        return false;
    }
    const size_t length = strlen(text), padded = (length + 3) / 4 * 4;
    const size_t data = export_all_vertices_bytes(mesh) + export_all_indices_bytes(mesh);
    const uint32_t file_head[3] = {GLB_MAGIC, 2, (uint32_t)(12 + 8 + padded + 8 + data)};
    const uint32_t text_head[2] = {(uint32_t)padded, GLB_JSON};
    const uint32_t data_head[2] = {(uint32_t)data, GLB_BIN};
    export_write_glb_head(out, file_head, 3);
    export_write_glb_head(out, text_head, 2);
    whole_file_write(out, text, length);
    whole_file_write(out, "   ", padded - length);
    export_write_glb_head(out, data_head, 2);
    cJSON_free(text);
    export_write_gltf_vertices(out, mesh);
    export_write_gltf_indices(out, mesh);
    return true;
}

bool export_gltf_write(WholeFile *out, WholeFile *data, const char *data_name,
                       const ExportMesh *mesh, const ExportSource *source, Message *problem)
{
    char *text = export_print_gltf(mesh, source, data_name, problem);
    if (!text) {
        return false;
    }
    whole_file_write(out, text, strlen(text));
    whole_file_write(out, "\n", 1);
    cJSON_free(text);
    export_write_gltf_vertices(data, mesh);
    export_write_gltf_indices(data, mesh);
    return true;
}
