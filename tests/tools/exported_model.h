/// Shared by tests of terrane export: writes models as glTF and OBJ, and reads them back.
/// _XOPEN_SOURCE must be 700.
#pragma once

#include "place.h"
#include "testing.h"
#include "vector.h"

#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include <export_gltf.h>
#include <export_obj.h>

// ---- the model read back -----------------------------------------------------------------------

static inline bool near_to(double a, double b)
{
    return fabs(a - b) < 1e-3 * (1 + fabs(b));
}

#define MODEL_COLOURS_MAX 64

/// All triangles of one colour.
typedef struct ModelColour {
    uint32_t rgb; ///< sRGB, red highest
    double area;
    Vector moment; ///< the sum of the triangles' middles, by their area
} ModelColour;

/// The content of an exported file.
typedef struct Model {
    uint64_t triangles;
    double opaque_area, opaque_volume, plant_area, water_top;
    Vector min, max;
    ModelColour colours[MODEL_COLOURS_MAX];
    uint32_t colour_count;
} Model;

static const Model EMPTY_MODEL = {.min = {1e9, 1e9, 1e9}, .max = {-1e9, -1e9, -1e9}};

static inline void extend(Model *model, Vector at)
{
    model->min =
        (Vector){fmin(model->min.x, at.x), fmin(model->min.y, at.y), fmin(model->min.z, at.z)};
    model->max =
        (Vector){fmax(model->max.x, at.x), fmax(model->max.y, at.y), fmax(model->max.z, at.z)};
}

static inline void add_colour(Model *model, uint32_t rgb, const Vector corners[3], double area)
{
    uint32_t i = 0;
    while (i < model->colour_count && model->colours[i].rgb != rgb) {
        i++;
    }
    assert_in_range(i, 0, MODEL_COLOURS_MAX - 1);
    ModelColour *const colour = &model->colours[i];
    model->colour_count = i == model->colour_count ? i + 1 : model->colour_count;
    colour->rgb = rgb;
    colour->area += area;
    for (int c = 0; c < 3; c++) {
        colour->moment.x += corners[c].x * area / 3;
        colour->moment.y += corners[c].y * area / 3;
        colour->moment.z += corners[c].z * area / 3;
    }
}

/// What the file says of a material.
typedef struct ModelMaterial {
    char name[96];
    uint32_t rgb;
} ModelMaterial;

static inline void add_triangle(Model *model, const TrnBlockTypes *types,
                                const ModelMaterial *material, const Vector corners[3],
                                Vector normal)
{
    const Vector vector = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
    const double length = dot(vector, normal);
    assert_true(near_to(dot(normal, normal), 1));
    assert_true(length > 0 && near_to(length * length, dot(vector, vector)));
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(material->name, "/"), material->name);
    TrnBlock block;
    assert_int_equal(trn_block_types_find(types, name, &block), TRN_RESULT_OK);
    switch (trn_block_types_get(types, block)->kind) {
    case TRN_BLOCK_KIND_OPAQUE:
        model->opaque_area += length / 2;
        model->opaque_volume += dot(corners[0], vector) / 6;
        break;
    case TRN_BLOCK_KIND_PLANT:
        model->plant_area += length / 2;
        break;
    case TRN_BLOCK_KIND_CUTOUT:
    case TRN_BLOCK_KIND_MODEL:
        break; // by colour
    default:
        model->water_top += normal.y > 0.5 ? length / 2 : 0;
    }
    add_colour(model, material->rgb, corners, length / 2);
    model->triangles++;
    for (int i = 0; i < 3; i++) {
        extend(model, corners[i]);
    }
}

// ---- glTF ---------------------------------------------------------------------------------------

typedef struct Bytes {
    unsigned char *bytes;
    size_t size;
} Bytes;

static inline Bytes read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    Bytes read = {.size = (size_t)ftell(file)};
    rewind(file);
    read.bytes = malloc(read.size + 1);
    assert_non_null(read.bytes);
    assert_int_equal(fread(read.bytes, 1, read.size, file), read.size);
    read.bytes[read.size] = '\0';
    fclose(file);
    return read;
}

static inline uint32_t u32_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static inline double f32_at(const unsigned char *bytes)
{
    const uint32_t bits = u32_at(bytes);
    float number;
    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

static inline const cJSON *json_at(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!item) {
        fail_msg("no %s", name);
    }
    return item;
}

static inline size_t whole_at(const cJSON *object, const char *name)
{
    const double number = cJSON_GetNumberValue(json_at(object, name));
    assert_true(number >= 0 && number == floor(number));
    return (size_t)number;
}

static inline double number_of(const cJSON *array, int i)
{
    assert_true(i < cJSON_GetArraySize(array));
    return cJSON_GetNumberValue(cJSON_GetArrayItem(array, i));
}

/// The data of a glTF accessor.
typedef struct View {
    const unsigned char *bytes;
    size_t count, stride;
} View;

/// Checks that an accessor lies in its buffer view, and the buffer view in the buffer. @param
/// element  bytes of one element
static inline View view_of(const cJSON *root, Bytes data, size_t accessor_index, size_t component,
                           const char *type, size_t element, size_t target)
{
    const cJSON *accessor = cJSON_GetArrayItem(json_at(root, "accessors"), (int)accessor_index);
    assert_non_null(accessor);
    assert_int_equal(whole_at(accessor, "componentType"), component);
    assert_string_equal(cJSON_GetStringValue(json_at(accessor, "type")), type);
    const cJSON *view =
        cJSON_GetArrayItem(json_at(root, "bufferViews"), (int)whole_at(accessor, "bufferView"));
    assert_int_equal(whole_at(view, "target"), target);
    const cJSON *offset = cJSON_GetObjectItemCaseSensitive(view, "byteOffset");
    const size_t start = offset ? (size_t)cJSON_GetNumberValue(offset) : 0;
    const size_t length = whole_at(view, "byteLength"), at = whole_at(accessor, "byteOffset");
    assert_true(start + length <= data.size && start % 4 == 0 && at % 4 == 0);
    const cJSON *stride = cJSON_GetObjectItemCaseSensitive(view, "byteStride");
    const View read = {data.bytes + start + at, whole_at(accessor, "count"),
                       stride ? (size_t)cJSON_GetNumberValue(stride) : element};
    assert_true(read.count > 0 && read.stride % 4 == 0);
    assert_true(at + (read.count - 1) * read.stride + element <= length);
    return read;
}

static inline Vector vector_at(View view, size_t i)
{
    const unsigned char *bytes = view.bytes + i * view.stride;
    return (Vector){f32_at(bytes), f32_at(bytes + 4), f32_at(bytes + 8)};
}

static inline void check_bounds(const cJSON *root, size_t accessor_index, View positions)
{
    const cJSON *accessor = cJSON_GetArrayItem(json_at(root, "accessors"), (int)accessor_index);
    Model bounds = EMPTY_MODEL;
    for (size_t i = 0; i < positions.count; i++) {
        extend(&bounds, vector_at(positions, i));
    }
    const cJSON *min = json_at(accessor, "min"), *max = json_at(accessor, "max");
    assert_true(number_of(min, 0) == bounds.min.x && number_of(max, 0) == bounds.max.x);
    assert_true(number_of(min, 1) == bounds.min.y && number_of(max, 1) == bounds.max.y);
    assert_true(number_of(min, 2) == bounds.min.z && number_of(max, 2) == bounds.max.z);
}

/// A colour of glTF, which is linear, as sRGB.
static inline uint32_t srgb_of(const cJSON *linear)
{
    uint32_t rgb = 0;
    for (int c = 0; c < 3; c++) {
        const double value = number_of(linear, c);
        const double part =
            value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055;
        rgb = rgb << 8 | (uint32_t)lround(part * 255);
    }
    return rgb;
}

static inline void add_primitive(Model *model, const TrnBlockTypes *types, const cJSON *root,
                                 Bytes data, const cJSON *primitive, bool has_ao)
{
    const cJSON *material =
        cJSON_GetArrayItem(json_at(root, "materials"), (int)whole_at(primitive, "material"));
    ModelMaterial read = {
        .rgb = srgb_of(json_at(json_at(material, "pbrMetallicRoughness"), "baseColorFactor"))};
    snprintf(read.name, sizeof read.name, "%s", cJSON_GetStringValue(json_at(material, "name")));
    const cJSON *attributes = json_at(primitive, "attributes");
    const View positions =
        view_of(root, data, whole_at(attributes, "POSITION"), 5126, "VEC3", 12, 34962);
    const View normals =
        view_of(root, data, whole_at(attributes, "NORMAL"), 5126, "VEC3", 12, 34962);
    const View indices =
        view_of(root, data, whole_at(primitive, "indices"), 5125, "SCALAR", 4, 34963);
    check_bounds(root, whole_at(attributes, "POSITION"), positions);
    assert_int_equal(normals.count, positions.count);
    assert_int_equal(cJSON_HasObjectItem(attributes, "COLOR_0"), has_ao);
    if (has_ao) {
        const View colours =
            view_of(root, data, whole_at(attributes, "COLOR_0"), 5121, "VEC4", 4, 34962);
        assert_int_equal(colours.count, positions.count);
        const cJSON *accessor =
            cJSON_GetArrayItem(json_at(root, "accessors"), (int)whole_at(attributes, "COLOR_0"));
        assert_true(cJSON_IsTrue(json_at(accessor, "normalized")));
        for (size_t i = 0; i < colours.count; i++) {
            const unsigned char *colour = colours.bytes + i * colours.stride;
            assert_true(colour[0] == colour[1] && colour[0] == colour[2] && colour[3] == 255);
            assert_true(colour[0] > 60);
        }
    }
    assert_int_equal(indices.count % 3, 0);
    for (size_t i = 0; i < indices.count; i += 3) {
        Vector corners[3];
        for (size_t k = 0; k < 3; k++) {
            const uint32_t index = u32_at(indices.bytes + (i + k) * 4);
            assert_true(index < positions.count);
            corners[k] = vector_at(positions, index);
        }
        add_triangle(model, types, &read, corners,
                     vector_at(normals, u32_at(indices.bytes + i * 4)));
    }
}

static inline void check_materials(const cJSON *root, const TrnBlockTypes *types)
{
    const cJSON *materials = json_at(root, "materials"), *material;
    cJSON_ArrayForEach(material, materials)
    {
        char name[64];
        const char *whole = cJSON_GetStringValue(json_at(material, "name"));
        snprintf(name, sizeof name, "%.*s", (int)strcspn(whole, "/"), whole);
        TrnBlock block;
        assert_int_equal(trn_block_types_find(types, name, &block), TRN_RESULT_OK);
        const bool is_water = block == TRN_BLOCK_WATER;
        assert_int_equal(cJSON_HasObjectItem(material, "alphaMode"), is_water);
        assert_int_equal(cJSON_HasObjectItem(material, "doubleSided"), block == TRN_BLOCK_FLOWER);
        const cJSON *colour = json_at(json_at(material, "pbrMetallicRoughness"), "baseColorFactor");
        assert_int_equal(cJSON_GetArraySize(colour), 4);
        assert_true(is_water ? number_of(colour, 3) < 1 : number_of(colour, 3) == 1);
        for (int c = 0; c < 3; c++) {
            assert_true(number_of(colour, c) >= 0 && number_of(colour, c) <= 1);
        }
    }
}

static inline Model model_of_gltf(const cJSON *root, Bytes data, const TrnBlockTypes *types,
                                  bool has_ao)
{
    Model model = EMPTY_MODEL;
    assert_string_equal(cJSON_GetStringValue(json_at(json_at(root, "asset"), "version")), "2.0");
    const cJSON *buffers = json_at(root, "buffers");
    assert_int_equal(cJSON_GetArraySize(buffers), 1);
    assert_int_equal(whole_at(cJSON_GetArrayItem(buffers, 0), "byteLength"), data.size);
    check_materials(root, types);
    const cJSON *mesh = cJSON_GetArrayItem(json_at(root, "meshes"), 0), *primitive;
    cJSON_ArrayForEach(primitive, json_at(mesh, "primitives"))
    {
        add_primitive(&model, types, root, data, primitive, has_ao);
    }
    return model;
}

/// @param origin  receives the position of the box's lowest voxel in the file
static inline Model read_glb(const char *path, const TrnBlockTypes *types, bool has_ao,
                             double origin[3])
{
    Bytes file = read_file(path);
    assert_true(file.size > 20);
    assert_int_equal(u32_at(file.bytes), 0x46546C67);
    assert_int_equal(u32_at(file.bytes + 4), 2);
    assert_int_equal(u32_at(file.bytes + 8), file.size);
    const size_t length = u32_at(file.bytes + 12);
    assert_int_equal(u32_at(file.bytes + 16), 0x4E4F534A);
    assert_true(length % 4 == 0 && 20 + length + 8 <= file.size);
    const unsigned char *chunk = file.bytes + 20 + length;
    assert_int_equal(u32_at(chunk + 4), 0x004E4942);
    const Bytes data = {file.bytes + 28 + length, u32_at(chunk)};
    assert_int_equal(28 + length + data.size, file.size);
    cJSON *root = cJSON_ParseWithLength((const char *)file.bytes + 20, length);
    assert_non_null(root);
    assert_false(cJSON_HasObjectItem(cJSON_GetArrayItem(json_at(root, "buffers"), 0), "uri"));
    const Model model = model_of_gltf(root, data, types, has_ao);
    const cJSON *voxel = json_at(json_at(json_at(root, "asset"), "extras"), "terrane_origin_voxel");
    for (int axis = 0; axis < 3; axis++) {
        origin[axis] = number_of(voxel, axis);
    }
    cJSON_Delete(root);
    free(file.bytes);
    return model;
}

// ---- OBJ ----------------------------------------------------------------------------------------

typedef struct ObjReader {
    Vector *vertices;
    Vector normals[16];
    size_t vertex_count, normal_count;
    ModelMaterial material;
} ObjReader;

/// Finds a material among the colours of an OBJ.
static inline void read_obj_material(ModelMaterial *material, const char *colours)
{
    char wanted[128];
    double part[3];
    snprintf(wanted, sizeof wanted, "newmtl %s\n", material->name);
    const char *found = strstr(colours, wanted);
    assert_non_null(found);
    assert_int_equal(sscanf(found + strlen(wanted), "Kd %lf %lf %lf", &part[0], &part[1], &part[2]),
                     3);
    material->rgb = (uint32_t)lround(part[0] * 255) << 16 | (uint32_t)lround(part[1] * 255) << 8 |
                    (uint32_t)lround(part[2] * 255);
}

static inline void read_obj_face(ObjReader *reader, Model *model, const TrnBlockTypes *types,
                                 const char *line)
{
    uint32_t v[4], n[4];
    assert_int_equal(sscanf(line,
                            "f %" SCNu32 "//%" SCNu32 " %" SCNu32 "//%" SCNu32 " %" SCNu32
                            "//%" SCNu32 " %" SCNu32 "//%" SCNu32,
                            &v[0], &n[0], &v[1], &n[1], &v[2], &n[2], &v[3], &n[3]),
                     8);
    Vector corners[4];
    for (int i = 0; i < 4; i++) {
        assert_true(v[i] >= 1 && v[i] <= reader->vertex_count);
        assert_true(n[i] == n[0] && n[i] >= 1 && n[i] <= reader->normal_count);
        corners[i] = reader->vertices[v[i] - 1];
    }
    // Rectangles and lowered rectangles have equal opposite sides.
    const Vector a = minus(corners[1], corners[0]), b = minus(corners[2], corners[3]);
    assert_true(near_to(a.x, b.x) && near_to(a.y, b.y) && near_to(a.z, b.z));
    const Vector first[3] = {corners[0], corners[1], corners[2]};
    const Vector second[3] = {corners[0], corners[2], corners[3]};
    add_triangle(model, types, &reader->material, first, reader->normals[n[0] - 1]);
    add_triangle(model, types, &reader->material, second, reader->normals[n[0] - 1]);
}

static inline Model read_obj(const char *path, const char *mtl_path, const TrnBlockTypes *types)
{
    Model model = EMPTY_MODEL;
    ObjReader reader = {0};
    Bytes colours = read_file(mtl_path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[256];
    reader.vertices = malloc(4000000 * sizeof *reader.vertices);
    assert_non_null(reader.vertices);
    while (fgets(line, sizeof line, file)) {
        Vector at;
        if (sscanf(line, "v %lf %lf %lf", &at.x, &at.y, &at.z) == 3) {
            assert_true(reader.vertex_count < 4000000);
            reader.vertices[reader.vertex_count++] = at;
        } else if (sscanf(line, "vn %lf %lf %lf", &at.x, &at.y, &at.z) == 3) {
            assert_true(reader.normal_count < 16);
            reader.normals[reader.normal_count++] = at;
        } else if (sscanf(line, "usemtl %95s", reader.material.name) == 1) {
            read_obj_material(&reader.material, (const char *)colours.bytes);
        } else if (line[0] == 'f') {
            read_obj_face(&reader, &model, types, line);
        }
    }
    fclose(file);
    free(reader.vertices);
    free(colours.bytes);
    return model;
}

// ---- both ---------------------------------------------------------------------------------------

typedef struct Fixture {
    Place place;
    TrnBlockTypes *types;
} Fixture;

static inline int make_fixture(void **state)
{
    Fixture *fixture = calloc(1, sizeof *fixture);
    if (!fixture) {
        return -1;
    }
    *state = fixture;
    return place_begin(&fixture->place) &&
                   trn_block_types_create_builtin(NULL, &fixture->types) == TRN_RESULT_OK
               ? 0
               : -1;
}

static inline int free_fixture(void **state)
{
    Fixture *fixture = *state;
    trn_block_types_destroy(fixture->types);
    const bool is_empty = place_end(&fixture->place); // no test may leave a file in it
    free(fixture);
    return is_empty ? 0 : -1;
}

static inline Model through_glb(const Fixture *fixture, const ExportMesh *mesh)
{
    char path[PLACE_PATH];
    place_path(&fixture->place, "a.glb", path);
    WholeFile out;
    Message problem = {""};
    const ExportSource source = {.seed = 7};
    assert_int_equal(whole_file_open(&out, path), 0);
    assert_true(export_glb_write(&out, mesh, &source, &problem));
    assert_int_equal(whole_file_finish(&out), 0);
    double origin[3];
    const Model model = read_glb(path, fixture->types, mesh->has_ao, origin);
    assert_true(origin[0] == (double)mesh->box.min.x && origin[1] == (double)mesh->box.min.y &&
                origin[2] == (double)mesh->box.min.z);
    assert_int_equal(unlink(path), 0);
    return model;
}

static inline Model through_gltf(const Fixture *fixture, const ExportMesh *mesh)
{
    char path[PLACE_PATH], data_path[PLACE_PATH];
    place_path(&fixture->place, "a.gltf", path);
    place_path(&fixture->place, "the data.bin", data_path);
    WholeFile out, data;
    Message problem = {""};
    const ExportSource source = {.seed = UINT64_MAX, .land = "preset \"flat\""};
    assert_int_equal(whole_file_open(&out, path), 0);
    assert_int_equal(whole_file_open(&data, data_path), 0);
    assert_true(export_gltf_write(&out, &data, "the data.bin", mesh, &source, &problem));
    assert_int_equal(whole_file_finish(&out), 0);
    assert_int_equal(whole_file_finish(&data), 0);
    Bytes text = read_file(path), numbers = read_file(data_path);
    cJSON *root = cJSON_Parse((const char *)text.bytes);
    assert_non_null(root);
    const cJSON *uri = json_at(cJSON_GetArrayItem(json_at(root, "buffers"), 0), "uri");
    assert_string_equal(cJSON_GetStringValue(uri), "the%20data.bin");
    const cJSON *extras = json_at(json_at(root, "asset"), "extras");
    assert_string_equal(cJSON_GetStringValue(json_at(extras, "terrane_seed")),
                        "18446744073709551615");
    assert_string_equal(cJSON_GetStringValue(json_at(extras, "terrane_land")), "preset \"flat\"");
    const Model model = model_of_gltf(root, numbers, fixture->types, mesh->has_ao);
    cJSON_Delete(root);
    free(text.bytes);
    free(numbers.bytes);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(data_path), 0);
    return model;
}

static inline Model through_obj(const Fixture *fixture, const ExportMesh *mesh)
{
    char path[PLACE_PATH], colours_path[PLACE_PATH];
    place_path(&fixture->place, "a.obj", path);
    place_path(&fixture->place, "a.mtl", colours_path);
    WholeFile out, colours;
    assert_int_equal(whole_file_open(&out, path), 0);
    assert_int_equal(whole_file_open(&colours, colours_path), 0);
    export_obj_write(&out, &colours, "a.mtl", mesh);
    assert_int_equal(whole_file_finish(&out), 0);
    assert_int_equal(whole_file_finish(&colours), 0);
    const Model model = read_obj(path, colours_path, fixture->types);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(colours_path), 0);
    return model;
}
