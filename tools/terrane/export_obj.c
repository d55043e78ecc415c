#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "export_obj.h"

#include <inttypes.h>

/// Normals in the order of TrnFace, then of the fronts of leaves A and B.
static void export_write_normals(WholeFile *out)
{
    whole_file_print(out, "vn -1 0 0\nvn 1 0 0\nvn 0 -1 0\nvn 0 1 0\nvn 0 0 -1\nvn 0 0 1\n"
                          "vn -0.70710678 0 0.70710678\nvn -0.70710678 0 -0.70710678\n");
}

/// Writes one coordinate: a multiple of 1/16, never negative.
static void export_write_coordinate(WholeFile *out, char before, float value)
{
    static const char *const sixteenths[TRN_BLOCK_GRID] = {
        "",   ".0625", ".125", ".1875", ".25", ".3125", ".375", ".4375",
        ".5", ".5625", ".625", ".6875", ".75", ".8125", ".875", ".9375"};
    const uint32_t count = (uint32_t)(value * TRN_BLOCK_GRID);
    whole_file_print(out, "%c%" PRIu32 "%s", before, count / TRN_BLOCK_GRID,
                     sixteenths[count % TRN_BLOCK_GRID]);
}

/// Writes a rectangle's corners counter-clockwise, from its two triangles.
static void export_write_rectangle(WholeFile *out, const uint32_t triangles[6], uint32_t normal)
{
    // The triangles run a b c, a c d or, reversed, a c b, a d c.
    const bool is_fan = triangles[4] == triangles[2];
    const uint32_t corners[4] = {triangles[0], is_fan ? triangles[1] : triangles[4],
                                 is_fan ? triangles[2] : triangles[1],
                                 is_fan ? triangles[5] : triangles[2]};
    whole_file_print(out, "f");
    for (int i = 0; i < 4; i++) {
        whole_file_print(out, " %" PRIu32 "//%" PRIu32, corners[i], normal);
    }
    whole_file_print(out, "\n");
}

/// @param first  number of the quad's first vertex, counted from 1
static void export_write_quad(WholeFile *out, const ExportMesh *mesh, const ExportQuad *quad,
                              uint32_t first)
{
    TrnMeshVertex vertices[4];
    uint32_t indices[6];
    export_mesh_vertices(mesh, quad, vertices);
    export_mesh_indices(quad, first, indices);
    for (int i = 0; i < 4; i++) {
        whole_file_print(out, "v");
        for (int axis = 0; axis < 3; axis++) {
            export_write_coordinate(out, ' ', vertices[i].position[axis]);
        }
        whole_file_print(out, "\n");
    }
    export_write_rectangle(out, indices, vertices[0].face + 1u);
}

static void export_write_materials(WholeFile *out, const ExportMesh *mesh)
{
    whole_file_print(out, "# Terrane %s\n", trn_version());
    for (size_t i = 0; i < mesh->material_count; i++) {
        const ExportMaterial *material = &mesh->materials[i];
        const uint8_t *colour = material->colour;
        whole_file_print(out, "newmtl %s\nKd %.6f %.6f %.6f\nKs 0 0 0\nd %s\nillum 1\n",
                         export_material_name(material).text, colour[0] / 255.0, colour[1] / 255.0,
                         colour[2] / 255.0, export_material_is_transparent(material) ? "0.7" : "1");
    }
}

void export_obj_write(WholeFile *out, WholeFile *colours, const char *colours_name,
                      const ExportMesh *mesh)
{
    export_write_materials(colours, mesh);
    const TrnVoxel min = mesh->box.min;
    whole_file_print(out,
                     "# Terrane %s\n# The origin is voxel %" PRId64 " %" PRId64 " %" PRId64
                     "; a unit is a voxel, y is up.\nmtllib %s\no land\n",
                     trn_version(), min.x, min.y, min.z, colours_name);
    export_write_normals(out);
    for (size_t m = 0; m < mesh->material_count; m++) {
        const ExportMaterial *material = &mesh->materials[m];
        whole_file_print(out, "usemtl %s\n", export_material_name(material).text);
        for (size_t i = 0; i < material->count && !out->error; i++) {
            const size_t place = material->first + i;
            export_write_quad(out, mesh, &mesh->quads[place], (uint32_t)(place * 4 + 1));
        }
    }
}
