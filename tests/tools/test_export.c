/// The parts of terrane export: known lands are written as glTF and OBJ, and read back.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "known_land.h"
#include "place.h"
#include "vector.h"

#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include <terrane/terrain.h>

#include <export.h>
#include <export_collect.h>
#include <export_gltf.h>
#include <export_obj.h>

// ---- lands --------------------------------------------------------------------------------------

/// Returns a number from 0 to 99 for a voxel, by a hash.
static uint32_t voxel_hash(int64_t x, int64_t y, int64_t z)
{
    TestRandom random = {(uint64_t)x * 73856093u ^ (uint64_t)y * 19349663u ^
                         (uint64_t)z * 83492791u};
    return (uint32_t)(test_random_next(&random) % 100);
}

/// Steps of grass over stone, a lake, plants, and holes in the ground.
static TrnBlock rough_land(int64_t x, int64_t y, int64_t z)
{
    const int64_t ground = 5 + (int64_t)voxel_hash(x / 4, 1, z / 4) % 9;
    const uint32_t hash = voxel_hash(x, y, z);
    if (y <= ground) {
        return hash < 10 ? TRN_BLOCK_AIR : y == ground ? TRN_BLOCK_GRASS : TRN_BLOCK_STONE;
    }
    if (y <= 8) {
        return TRN_BLOCK_WATER;
    }
    return y == ground + 1 && hash < 20 ? TRN_BLOCK_FLOWER : TRN_BLOCK_AIR;
}

static TrnBlock solid_land(int64_t x, int64_t y, int64_t z)
{
    (void)x;
    (void)y;
    (void)z;
    return TRN_BLOCK_STONE;
}

static TrnBlock no_land(int64_t x, int64_t y, int64_t z)
{
    (void)x;
    (void)y;
    (void)z;
    return TRN_BLOCK_AIR;
}

/// The visible faces of a box, found voxel by voxel.
typedef struct Expected {
    uint64_t opaque_voxels, opaque_faces, plants;
    uint64_t water_columns; ///< surfaces that look up: exact whatever they are lowered by
} Expected;

static TrnBlock block_in_box(LandBlock land, const ExportBox *box, int64_t x, int64_t y, int64_t z)
{
    const bool inside = x >= box->min.x && x <= box->max.x && y >= box->min.y && y <= box->max.y &&
                        z >= box->min.z && z <= box->max.z;
    return inside ? land(x, y, z) : TRN_BLOCK_AIR;
}

static Expected expect_of(LandBlock land, const ExportBox *box, const TrnBlockTypes *types)
{
    static const int steps[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                    {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    Expected expected = {0};
    for (int64_t y = box->min.y; y <= box->max.y; y++) {
        for (int64_t z = box->min.z; z <= box->max.z; z++) {
            for (int64_t x = box->min.x; x <= box->max.x; x++) {
                const TrnBlock block = land(x, y, z);
                const TrnBlockKind kind = trn_block_types_get(types, block)->kind;
                expected.opaque_voxels += kind == TRN_BLOCK_KIND_OPAQUE;
                expected.plants += kind == TRN_BLOCK_KIND_PLANT;
                for (int face = 0; face < 6; face++) {
                    const TrnBlock before = block_in_box(land, box, x + steps[face][0],
                                                         y + steps[face][1], z + steps[face][2]);
                    const bool hidden =
                        trn_block_types_get(types, before)->kind == TRN_BLOCK_KIND_OPAQUE;
                    expected.opaque_faces += kind == TRN_BLOCK_KIND_OPAQUE && !hidden;
                    expected.water_columns += face == TRN_FACE_POS_Y && block == TRN_BLOCK_WATER &&
                                              before != block && !hidden;
                }
            }
        }
    }
    return expected;
}

// ---- the model read back -----------------------------------------------------------------------

static bool near_to(double a, double b)
{
    return fabs(a - b) < 1e-3 * (1 + fabs(b));
}

/// The content of an exported file.
typedef struct Model {
    uint64_t triangles;
    double opaque_area, opaque_volume, plant_area, water_top;
    Vector min, max;
} Model;

static const Model EMPTY_MODEL = {.min = {1e9, 1e9, 1e9}, .max = {-1e9, -1e9, -1e9}};

static void extend(Model *model, Vector at)
{
    model->min =
        (Vector){fmin(model->min.x, at.x), fmin(model->min.y, at.y), fmin(model->min.z, at.z)};
    model->max =
        (Vector){fmax(model->max.x, at.x), fmax(model->max.y, at.y), fmax(model->max.z, at.z)};
}

/// @param material  name of the material
static void add_triangle(Model *model, const TrnBlockTypes *types, const char *material,
                         const Vector corners[3], Vector normal)
{
    const Vector vector = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
    const double length = dot(vector, normal);
    assert_true(near_to(dot(normal, normal), 1));
    assert_true(length > 0 && near_to(length * length, dot(vector, vector)));
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(material, "/"), material);
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
    default:
        model->water_top += normal.y > 0.5 ? length / 2 : 0;
    }
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

static Bytes read_file(const char *path)
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

static uint32_t u32_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static double f32_at(const unsigned char *bytes)
{
    const uint32_t bits = u32_at(bytes);
    float number;
    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

static const cJSON *json_at(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!item) {
        fail_msg("no %s", name);
    }
    return item;
}

static size_t whole_at(const cJSON *object, const char *name)
{
    const double number = cJSON_GetNumberValue(json_at(object, name));
    assert_true(number >= 0 && number == floor(number));
    return (size_t)number;
}

static double number_of(const cJSON *array, int i)
{
    assert_true(i < cJSON_GetArraySize(array));
    return cJSON_GetNumberValue(cJSON_GetArrayItem(array, i));
}

/// The data of a glTF accessor.
typedef struct View {
    const unsigned char *bytes;
    size_t count, stride;
} View;

/// Checks that an accessor lies in its buffer view, and that in the buffer. @param element  bytes
/// of one element
static View view_of(const cJSON *root, Bytes data, size_t accessor_index, size_t component,
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

static Vector vector_at(View view, size_t i)
{
    const unsigned char *bytes = view.bytes + i * view.stride;
    return (Vector){f32_at(bytes), f32_at(bytes + 4), f32_at(bytes + 8)};
}

static void check_bounds(const cJSON *root, size_t accessor_index, View positions)
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

static void add_primitive(Model *model, const TrnBlockTypes *types, const cJSON *root, Bytes data,
                          const cJSON *primitive, bool has_ao)
{
    const cJSON *material =
        cJSON_GetArrayItem(json_at(root, "materials"), (int)whole_at(primitive, "material"));
    const char *name = cJSON_GetStringValue(json_at(material, "name"));
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
        add_triangle(model, types, name, corners,
                     vector_at(normals, u32_at(indices.bytes + i * 4)));
    }
}

static void check_materials(const cJSON *root, const TrnBlockTypes *types)
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

static Model model_of_gltf(const cJSON *root, Bytes data, const TrnBlockTypes *types, bool has_ao)
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
static Model read_glb(const char *path, const TrnBlockTypes *types, bool has_ao, double origin[3])
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
    char material[96];
} ObjReader;

static void read_obj_face(ObjReader *reader, Model *model, const TrnBlockTypes *types,
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
    add_triangle(model, types, reader->material, first, reader->normals[n[0] - 1]);
    add_triangle(model, types, reader->material, second, reader->normals[n[0] - 1]);
}

static Model read_obj(const char *path, const char *mtl_path, const TrnBlockTypes *types)
{
    Model model = EMPTY_MODEL;
    ObjReader reader = {0};
    Bytes colours = read_file(mtl_path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[256], wanted[128];
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
        } else if (sscanf(line, "usemtl %95s", reader.material) == 1) {
            snprintf(wanted, sizeof wanted, "newmtl %s\n", reader.material);
            assert_non_null(strstr((const char *)colours.bytes, wanted));
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

static int make_fixture(void **state)
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

static int free_fixture(void **state)
{
    Fixture *fixture = *state;
    trn_block_types_destroy(fixture->types);
    const bool is_empty = place_end(&fixture->place); // no test may leave a file in it
    free(fixture);
    return is_empty ? 0 : -1;
}

static Model through_glb(const Fixture *fixture, const ExportMesh *mesh)
{
    char path[PLACE_PATH];
    place_path(&fixture->place, "a.glb", path);
    ExportOut out;
    Message problem = {""};
    const ExportSource source = {.seed = 7};
    assert_true(export_out_open(&out, path, &problem));
    assert_true(export_glb_write(&out, mesh, &source, &problem));
    assert_true(export_out_finish(&out, &problem));
    double origin[3];
    const Model model = read_glb(path, fixture->types, mesh->has_ao, origin);
    assert_true(origin[0] == (double)mesh->box.min.x && origin[1] == (double)mesh->box.min.y &&
                origin[2] == (double)mesh->box.min.z);
    assert_int_equal(unlink(path), 0);
    return model;
}

static Model through_gltf(const Fixture *fixture, const ExportMesh *mesh)
{
    char path[PLACE_PATH], data_path[PLACE_PATH];
    place_path(&fixture->place, "a.gltf", path);
    place_path(&fixture->place, "the data.bin", data_path);
    ExportOut out, data;
    Message problem = {""};
    const ExportSource source = {.seed = UINT64_MAX, .land = "preset \"flat\""};
    assert_true(export_out_open(&out, path, &problem));
    assert_true(export_out_open(&data, data_path, &problem));
    assert_true(export_gltf_write(&out, &data, "the data.bin", mesh, &source, &problem));
    assert_true(export_out_finish(&out, &problem) && export_out_finish(&data, &problem));
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

static Model through_obj(const Fixture *fixture, const ExportMesh *mesh)
{
    char path[PLACE_PATH], colours_path[PLACE_PATH];
    place_path(&fixture->place, "a.obj", path);
    place_path(&fixture->place, "a.mtl", colours_path);
    ExportOut out, colours;
    Message problem = {""};
    assert_true(export_out_open(&out, path, &problem));
    assert_true(export_out_open(&colours, colours_path, &problem));
    export_obj_write(&out, &colours, "a.mtl", mesh);
    assert_true(export_out_finish(&out, &problem) && export_out_finish(&colours, &problem));
    const Model model = read_obj(path, colours_path, fixture->types);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(colours_path), 0);
    return model;
}

static void check_model(const Model *model, const ExportMesh *mesh, const Expected *expected)
{
    assert_int_equal(model->triangles, mesh->count * 2);
    assert_true(near_to(model->opaque_area, (double)expected->opaque_faces));
    assert_true(near_to(model->opaque_volume, (double)expected->opaque_voxels));
    assert_true(near_to(model->plant_area, 2 * sqrt(2) * (double)expected->plants));
    assert_true(near_to(model->water_top, (double)expected->water_columns));
    int64_t size[3];
    export_box_size(&mesh->box, size);
    assert_true(model->min.x >= 0 && model->min.y >= 0 && model->min.z >= 0);
    assert_true(model->max.x <= (double)size[0] && model->max.y <= (double)size[1] &&
                model->max.z <= (double)size[2]);
}

static void check_box(const Fixture *fixture, LandBlock land, ExportBox box, bool has_ao)
{
    Message problem = {""};
    assert_true(export_box_check(&box, &problem));
    ExportMesh mesh = export_mesh_start(&box, fixture->types, has_ao);
    if (!export_collect(&mesh, land_generator(&land), &problem)) {
        fail_msg("%s", problem.text);
    }
    const Expected expected = expect_of(land, &box, fixture->types);
    const Model glb = through_glb(fixture, &mesh), gltf = through_gltf(fixture, &mesh),
                obj = through_obj(fixture, &mesh);
    check_model(&glb, &mesh, &expected);
    check_model(&gltf, &mesh, &expected);
    check_model(&obj, &mesh, &expected);
    assert_memory_equal(&glb.min, &obj.min, sizeof obj.min);
    assert_memory_equal(&glb.max, &obj.max, sizeof obj.max);
    export_mesh_free(&mesh);
}

static ExportBox box_at(int64_t x, int64_t y, int64_t z, int64_t across, int64_t up, int64_t along)
{
    return (ExportBox){{x, y, z}, {x + across - 1, y + up - 1, z + along - 1}};
}

// ---- tests --------------------------------------------------------------------------------------

static void models_equal_the_surface_of_the_land(void **state)
{
    check_box(*state, rough_land, box_at(-40, -10, -35, 75, 40, 70), true);
    check_box(*state, rough_land, box_at(-40, -10, -35, 75, 40, 70), false);
    check_box(*state, rough_land, box_at(0, 0, 0, 32, 32, 32), true); // one chunk, whole
    check_box(*state, rough_land, box_at(5, 6, 7, 1, 1, 1), true);
    check_box(*state, rough_land, box_at(31, 0, 31, 2, 20, 2),
              true); // over four chunks' edges
}

static void random_boxes_are_cut_exactly_at_their_sides(void **state)
{
    TestRandom random = test_random_seeded(0xE891);
    for (int round = 0; round < 12; round++) {
        const int64_t across = test_random_range(&random, 1, 70),
                      along = test_random_range(&random, 1, 70);
        // The box reaches down into the stone, so that it is never empty.
        const int64_t bottom = test_random_range(&random, -40, 4);
        check_box(*state, rough_land,
                  box_at(test_random_range(&random, -90, 90), bottom,
                         test_random_range(&random, -90, 90), across,
                         test_random_range(&random, 1, 60), along),
                  test_random_range(&random, 0, 1));
    }
}

/// Chunks at the ends of int32 have neighbours at the other end, which are not part of the box.
static void boxes_at_the_ends_of_the_world_are_exact(void **state)
{
    check_box(*state, solid_land, box_at(TRN_VOXEL_MIN, TRN_VOXEL_MIN, TRN_VOXEL_MIN, 40, 5, 33),
              true);
    check_box(*state, solid_land,
              box_at(TRN_VOXEL_MAX - 39, TRN_VOXEL_MAX - 4, TRN_VOXEL_MAX - 32, 40, 5, 33), true);
    check_box(*state, rough_land, box_at(TRN_VOXEL_MAX - 39, 0, TRN_VOXEL_MIN, 40, 20, 40), true);
}

static void a_solid_chunk_is_six_rectangles_of_three_colours(void **state)
{
    const Fixture *fixture = *state;
    LandBlock land = solid_land;
    const ExportBox box = box_at(0, 0, 0, 32, 32, 32);
    ExportMesh mesh = export_mesh_start(&box, fixture->types, true);
    Message problem;
    assert_true(export_collect(&mesh, land_generator(&land), &problem));
    assert_int_equal(mesh.count, 6);
    assert_int_equal(mesh.material_count, 3); // stone's top, sides and bottom
    static const char *const names[3] = {"terrane:stone/side", "terrane:stone/bottom",
                                         "terrane:stone/top"};
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(export_material_name(&mesh.materials[i]).text, names[i]);
    }
    export_mesh_free(&mesh);
}

static void a_box_of_air_is_reported(void **state)
{
    const Fixture *fixture = *state;
    LandBlock land = no_land;
    const ExportBox box = box_at(0, 0, 0, 40, 40, 40);
    ExportMesh mesh = export_mesh_start(&box, fixture->types, true);
    Message problem = {""};
    assert_false(export_collect(&mesh, land_generator(&land), &problem));
    assert_non_null(strstr(problem.text, "nothing in this box but air"));
    export_mesh_free(&mesh);
}

/// Every voxel shows all six faces, and none can merge with another.
static TrnBlock scattered_land(int64_t x, int64_t y, int64_t z)
{
    return (x | y | z) & 1 ? TRN_BLOCK_AIR : TRN_BLOCK_STONE;
}

static void too_many_faces_are_refused_with_their_number(void **state)
{
    const Fixture *fixture = *state;
    LandBlock land = scattered_land;
    // 8 x 8 chunks of 4096 voxels that show all faces: 1.6 million faces, twice what is allowed.
    const ExportBox box = box_at(0, 0, 0, 256, 32, 256);
    ExportMesh mesh = export_mesh_start(&box, fixture->types, true);
    mesh.quads_max = (size_t)32 * 4096 * 6;
    Message problem = {""};
    assert_false(export_collect(&mesh, land_generator(&land), &problem));
    assert_string_equal(
        problem.text, "This land would come to about 1.5 million faces (0.21 GB), and at most 0.8 "
                      "million (0.11 GB) can be exported at once; make the box smaller.");
    assert_true(mesh.count <= mesh.quads_max);
    export_mesh_free(&mesh);
}

// Global, because cJSON's hooks have no user pointer.
static int json_allocations, json_fail_at;

static void *fail_some_time(size_t bytes)
{
    return ++json_allocations == json_fail_at ? NULL : malloc(bytes);
}

static void any_failed_allocation_is_reported(void **state)
{
    const Fixture *fixture = *state;
    LandBlock land = solid_land;
    const ExportBox box = box_at(0, 0, 0, 32, 32, 32);
    ExportMesh mesh = export_mesh_start(&box, fixture->types, true);
    Message problem;
    assert_true(export_collect(&mesh, land_generator(&land), &problem));
    char path[PLACE_PATH];
    place_path(&fixture->place, "a.glb", path);
    const ExportSource source = {.seed = 1, .land = "preset default"};
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = fail_some_time, .free_fn = free});
    bool good = false;
    for (json_fail_at = 1; !good; json_fail_at++) {
        ExportOut out;
        json_allocations = 0;
        assert_true(export_out_open(&out, path, &problem));
        problem.text[0] = '\0';
        good = export_glb_write(&out, &mesh, &source, &problem);
        assert_int_equal(strlen(problem.text) == 0, good);
        assert_int_equal(good, json_allocations < json_fail_at);
        export_out_drop(&out);
    }
    cJSON_InitHooks(NULL);
    assert_true(json_fail_at > 100);
    export_mesh_free(&mesh);
}

static void a_generator_that_fails_fails_the_export_with_a_sentence(void **state)
{
    const Fixture *fixture = *state;
    const ExportBox box = box_at(0, 0, 0, 64, 32, 64);
    ExportMesh mesh = export_mesh_start(&box, fixture->types, true);
    Message problem = {""};
    assert_false(export_collect(&mesh, (TrnGenerator){.generate = generate_nothing}, &problem));
    assert_non_null(strstr(problem.text, trn_result_text(TRN_RESULT_NO_MEMORY)));
    export_mesh_free(&mesh);
}

static void invalid_boxes_are_refused(void **state)
{
    (void)state;
    static const struct {
        ExportBox box;
        const char *words;
    } cases[] = {
        {{{0, 0, 0}, {-1, 5, 5}}, "empty"},
        {{{0, 6, 0}, {5, 5, 5}}, "empty"},
        {{{0, 0, 0}, {65536, 5, 5}}, "65537x6x6"},
        {{{0, 0, 0}, {65535, 1023, 1023}}, "2097152 chunks"},
        {{{TRN_VOXEL_MIN, TRN_VOXEL_MIN, TRN_VOXEL_MIN},
          {TRN_VOXEL_MAX, TRN_VOXEL_MAX, TRN_VOXEL_MAX}},
         "at most 65536 along"},
        {{{TRN_VOXEL_MIN - 1, 0, 0}, {TRN_VOXEL_MIN, 0, 0}}, "out of the world"},
        {{{INT64_MIN, 0, 0}, {INT64_MAX, 0, 0}}, "out of the world"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Message problem = {""};
        assert_false(export_box_check(&cases[i].box, &problem));
        if (!strstr(problem.text, cases[i].words)) {
            fail_msg("'%s', not '%s'", problem.text, cases[i].words);
        }
    }
    Message problem = {""};
    const ExportBox largest = {{0, 0, 0}, {65535, 511, 1023}};
    assert_true(export_box_check(&largest, &problem));
}

// ---- options ------------------------------------------------------------------------------------

static bool parse(ExportOptions *options, const char *words, Message *problem)
{
    static char copy[512];
    static char *argv[32];
    snprintf(copy, sizeof copy, "%s", words);
    int argc = 0;
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    return export_options_parse(options, argc, argv, problem);
}

static void options_are_read_and_defaults_fill_the_rest(void **state)
{
    (void)state;
    ExportOptions options;
    Message problem = {""};
    assert_true(parse(&options, "export", &problem));
    assert_int_equal(options.seed, trn_terrain_def().seed);
    assert_string_equal(options.out, "land.glb");
    assert_int_equal(options.format, EXPORT_FORMAT_GLB);
    assert_false(options.has_box || options.without_ao);
    assert_int_equal(options.box.min.x, -128);
    assert_int_equal(options.box.max.z, 127);
    assert_true(parse(&options, "export --center 1000,-7 --size 3x2 --seed 9", &problem));
    assert_int_equal(options.box.min.x, 999);
    assert_int_equal(options.box.max.x, 1001);
    assert_int_equal(options.box.min.z, -8);
    assert_int_equal(options.box.max.z, -7);
    assert_int_equal(options.seed, 9);
    assert_true(parse(&options, "export --box -50,-10,0..49,120,99 --no-ao --out x.OBJ", &problem));
    assert_true(options.has_box && options.without_ao);
    assert_int_equal(options.box.min.x, -50);
    assert_int_equal(options.box.min.y, -10);
    assert_int_equal(options.box.min.z, 0);
    assert_int_equal(options.box.max.x, 49);
    assert_int_equal(options.box.max.y, 120);
    assert_int_equal(options.box.max.z, 99);
    assert_int_equal(options.format, EXPORT_FORMAT_OBJ);
    assert_true(parse(&options, "export --preset alps", &problem));
    TrnTerrainShape alps;
    assert_int_equal(trn_terrain_shape_preset("alps", &alps), TRN_RESULT_OK);
    assert_memory_equal(&options.shape, &alps, sizeof alps);
    assert_true(parse(&options, "export --format gltf", &problem));
    assert_string_equal(options.out, "land.gltf");
    assert_true(parse(&options, "export --out /dev/stdout --format obj", &problem));
    assert_int_equal(options.format, EXPORT_FORMAT_OBJ);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_equal_the_surface_of_the_land),
        cmocka_unit_test(random_boxes_are_cut_exactly_at_their_sides),
        cmocka_unit_test(boxes_at_the_ends_of_the_world_are_exact),
        cmocka_unit_test(a_solid_chunk_is_six_rectangles_of_three_colours),
        cmocka_unit_test(a_box_of_air_is_reported),
        cmocka_unit_test(too_many_faces_are_refused_with_their_number),
        cmocka_unit_test(any_failed_allocation_is_reported),
        cmocka_unit_test(a_generator_that_fails_fails_the_export_with_a_sentence),
        cmocka_unit_test(invalid_boxes_are_refused),
        cmocka_unit_test(options_are_read_and_defaults_fill_the_rest),
    };
    return cmocka_run_group_tests(tests, make_fixture, free_fixture);
}
