#include "render/camera.h"

#include <math.h>

#define CAMERA_PITCH_MAX 89.9f

/// Splits a voxel coordinate of one axis into chunk and offset, clamped to the world.
static void camera_split_axis(double voxel, int32_t *chunk, double *offset)
{
    const double edge = TRN_CHUNK_EDGE;
    double whole = floor(voxel / edge);
    if (!(whole >= INT32_MIN)) {
        *chunk = INT32_MIN;
        *offset = 0;
    } else if (whole > INT32_MAX) {
        *chunk = INT32_MAX;
        *offset = TRN_CHUNK_EDGE - 0.01;
    } else {
        *chunk = (int32_t)whole;
        *offset = voxel - whole * edge;
    }
}

static void camera_set_voxel(Camera *camera, const double voxel[3])
{
    TrnPosition *position = &camera->position;
    camera_split_axis(voxel[0], &position->chunk.x, &position->offset[0]);
    camera_split_axis(voxel[1], &position->chunk.y, &position->offset[1]);
    camera_split_axis(voxel[2], &position->chunk.z, &position->offset[2]);
}

Camera camera_at(const double pose[5])
{
    Camera camera = {.yaw = (float)pose[3], .pitch = 0};
    camera_set_voxel(&camera, pose);
    camera_turn(&camera, 0, (float)pose[4]);
    return camera;
}

void camera_set_pose(Camera *camera, const double pose[5])
{
    const float field_of_view = camera->field_of_view;
    *camera = camera_at(pose);
    camera->field_of_view = field_of_view;
}

void camera_voxel(const Camera *camera, double voxel[3])
{
    TrnVoxel corner = trn_coord_voxel(camera->position.chunk);
    voxel[0] = (double)corner.x + camera->position.offset[0];
    voxel[1] = (double)corner.y + camera->position.offset[1];
    voxel[2] = (double)corner.z + camera->position.offset[2];
}

void camera_place(Camera *camera, TrnPosition position)
{
    double voxel[3];
    camera->position = position;
    camera_voxel(camera, voxel);
    camera_set_voxel(camera, voxel);
}

void camera_turn(Camera *camera, float yaw, float pitch)
{
    camera->yaw = fmodf(camera->yaw + yaw, 360);
    camera->pitch = glm_clamp(camera->pitch + pitch, -CAMERA_PITCH_MAX, CAMERA_PITCH_MAX);
}

void camera_axes(const Camera *camera, vec3 right, vec3 up, vec3 forward)
{
    float yaw = glm_rad(camera->yaw), pitch = glm_rad(camera->pitch);
    glm_vec3_copy((vec3){cosf(yaw), 0, sinf(yaw)}, right);
    glm_vec3_copy((vec3){sinf(yaw) * cosf(pitch), sinf(pitch), -cosf(yaw) * cosf(pitch)}, forward);
    glm_vec3_cross(right, forward, up);
}

void camera_view(const Camera *camera, int width, int height, float far, CameraView *view)
{
    camera_view_slice(camera, width, height, (float[]){CAMERA_NEAR, far}, view);
}

void camera_view_slice(const Camera *camera, int width, int height, const float range[2],
                       CameraView *view)
{
    vec3 right, up, forward, ahead;
    camera_axes(camera, right, up, forward);
    for (int axis = 0; axis < 3; axis++) {
        view->offset[axis] = (float)camera->position.offset[axis];
    }
    view->chunk = camera->position.chunk;

    const float degrees = camera->field_of_view > 0 ? camera->field_of_view : CAMERA_FIELD_OF_VIEW;
    float aspect = (float)width / (float)height;
    float half = tanf(glm_rad(degrees) / 2);
    view->pixel = 2 * half / (float)height;
    glm_vec3_scale(right, half * aspect, view->ray_right);
    glm_vec3_scale(up, half, view->ray_up);
    glm_vec3_copy(forward, view->ray_forward);

    mat4 look, projection;
    glm_vec3_add(view->offset, forward, ahead);
    glm_lookat(view->offset, ahead, up, look);
    glm_perspective(glm_rad(degrees), aspect, range[0], range[1], projection);
    glm_mat4_mul(projection, look, view->clip);
    glm_frustum_planes(view->clip, view->planes);
}

void camera_view_reverse_depth(CameraView *view)
{
    for (int i = 0; i < 4; i++) {
        view->clip[i][2] = i == 3 ? CAMERA_NEAR : 0;
    }
}

void camera_view_corner(const CameraView *view, TrnCoord chunk, uint32_t level, vec3 corner)
{
    // 64 bits, because the difference of two int32 needs 33.
    const int64_t scale = (int64_t)1 << level;
    corner[0] = (float)((chunk.x * scale - view->chunk.x) * TRN_CHUNK_EDGE);
    corner[1] = (float)((chunk.y * scale - view->chunk.y) * TRN_CHUNK_EDGE - (scale - 1));
    corner[2] = (float)((chunk.z * scale - view->chunk.z) * TRN_CHUNK_EDGE);
}

bool camera_view_holds(const CameraView *view, TrnCoord chunk, uint32_t level)
{
    vec3 box[2];
    camera_view_corner(view, chunk, level, box[0]);
    glm_vec3_adds(box[0], (float)(TRN_CHUNK_EDGE << level), box[1]);
    return glm_aabb_frustum(box, (vec4 *)view->planes);
}
