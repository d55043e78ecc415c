/// The camera, and its view.
#ifndef TERRANE_VIEWER_CAMERA_H
#define TERRANE_VIEWER_CAMERA_H

#include <stdbool.h>

#include <cglm/cglm.h>
#include <terrane/coord.h>

#define CAMERA_FIELD_OF_VIEW 62.0f
#define CAMERA_NEAR 0.2f ///< the least distance drawn, in voxels

/// Yaw 0 looks towards -z, 90 towards +x; pitch is positive upwards. Degrees.
typedef struct Camera {
    TrnPosition position;
    float yaw, pitch;
    float field_of_view; ///< vertical, in degrees; 0: CAMERA_FIELD_OF_VIEW
} Camera;

/// What drawing one frame needs to know of a camera. Distances are voxels from the lowest corner of
/// the camera's chunk, which are small numbers everywhere.
typedef struct CameraView {
    mat4 clip; ///< from those distances to clip space
    vec4 planes[6];
    /// the picture's half width, half height and middle, as directions
    vec3 ray_right, ray_up, ray_forward;
    vec3 offset; ///< the camera's own position
    TrnCoord chunk;
    /// height of a pixel at distance 1, for the height passed to camera_view
    float pixel;
} CameraView;

/// Returns a camera at a point in voxels; points outside the world are moved into it.
Camera camera_at(const double pose[5]);

/// Moves and turns a camera without changing its field of view. @param pose  as in camera_at
void camera_set_pose(Camera *camera, const double pose[5]);

/// Returns the point in voxels; exact to 1/100,000 voxel everywhere.
void camera_voxel(const Camera *camera, double voxel[3]);

/// Puts the camera at a position, to 1/100,000 voxel.
void camera_place(Camera *camera, TrnPosition position);

/// Turns by degrees; pitch stops just short of straight up and down.
void camera_turn(Camera *camera, float yaw, float pitch);

/// Returns unit vectors. @param right  horizontal, whatever the pitch
void camera_axes(const Camera *camera, vec3 right, vec3 up, vec3 forward);

/// @param width,height  of the picture in pixels
/// @param far           the greatest distance drawn, in voxels
void camera_view(const Camera *camera, int width, int height, float far, CameraView *view);
/// The same of what lies between two distances along the line of sight.
void camera_view_slice(const Camera *camera, int width, int height, const float range[2],
                       CameraView *view);

/// Makes depths CAMERA_NEAR / distance: 1 at the near plane, 0 infinitely far away. As floats in
/// 0..1 (glClipControl) they tell voxels apart at any distance; depths of 24 bits cannot.
/// Source: N. Reed, "Depth Precision Visualized", 2015.
void camera_view_reverse_depth(CameraView *view);

// A chunk of level n has an edge of 32 << n voxels, and coordinates in these units. Its voxels have
// the blocks of their lowest layer, so it is drawn (1 << n) - 1 voxels lower: the tops of that
// layer are then where they are in level 0, and the sea is flat over all levels.

/// Returns the lowest corner of a chunk, in the view's distances.
void camera_view_corner(const CameraView *view, TrnCoord chunk, uint32_t level, vec3 corner);

/// Whether a chunk may be in the picture; may be true for a chunk just outside, never false for one
/// inside.
bool camera_view_holds(const CameraView *view, TrnCoord chunk, uint32_t level);

#endif
