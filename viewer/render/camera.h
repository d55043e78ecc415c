/// The camera and its view.
#pragma once

#include <stdbool.h>

#include <cglm/cglm.h>
#include <terrane/coord.h>

// Vertical field of view in degrees: the default, and the range for the player.
#define CAMERA_FIELD_OF_VIEW 62.0f
#define CAMERA_FIELD_OF_VIEW_MIN 30.0f
#define CAMERA_FIELD_OF_VIEW_MAX 110.0f
#define CAMERA_NEAR 0.2f ///< near plane, in voxels

/// Yaw 0 looks towards -z, 90 towards +x; pitch is positive upwards. Degrees.
typedef struct Camera {
    TrnPosition position;
    float yaw, pitch;
    float field_of_view; ///< vertical, in degrees; 0: CAMERA_FIELD_OF_VIEW
} Camera;

/// A camera's data for drawing one frame. Distances are voxels from the lowest corner of the
/// camera's chunk, so that they are small numbers everywhere.
typedef struct CameraView {
    mat4 clip; ///< from the view's distances to clip space
    vec4 planes[6];
    /// half width, half height and middle of the picture, as directions
    vec3 ray_right, ray_up, ray_forward;
    vec3 offset; ///< the camera's own position
    TrnCoord chunk;
    /// height of a pixel at distance 1, for the picture height passed to camera_view
    float pixel;
} CameraView;

/// Returns a camera at a point in voxels; a point outside the world is clamped to it.
Camera camera_at(const double pose[5]);

/// Moves and turns a camera without changing its field of view. @param pose  as in camera_at
void camera_set_pose(Camera *camera, const double pose[5]);

/// Returns the point in voxels; exact to 1/100,000 voxel everywhere.
void camera_voxel(const Camera *camera, double voxel[3]);

/// Puts the camera at a position, to 1/100,000 voxel.
void camera_place(Camera *camera, TrnPosition position);

/// Turns by degrees; pitch stops just short of straight up and down.
void camera_turn(Camera *camera, float yaw, float pitch);

/// Returns unit vectors. @param right  horizontal at any pitch
void camera_axes(const Camera *camera, vec3 right, vec3 up, vec3 forward);

/// @param width,height  of the picture in pixels
/// @param far           far plane, in voxels
void camera_view(const Camera *camera, int width, int height, float far, CameraView *view);
/// The same with a near and a far plane at the two distances of `range`.
void camera_view_slice(const Camera *camera, int width, int height, const float range[2],
                       CameraView *view);

/// Changes depths to CAMERA_NEAR / distance (reversed depth): 1 at the near plane, 0 infinitely far
/// away. As floats in 0..1 (glClipControl), such depths are precise to a voxel at any distance;
/// 24-bit depths are not.
/// Source: N. Reed, "Depth Precision Visualized", 2015.
void camera_view_reverse_depth(CameraView *view);

// A chunk of level n has an edge of 32 << n voxels, and coordinates in these units. Its voxels hold
// the blocks of their lowest layer, so it is drawn (1 << n) - 1 voxels lower: the tops of that
// layer are then at the same height as in level 0, and the sea is flat over all levels.

/// Returns the lowest corner of a chunk in the view's distances.
void camera_view_corner(const CameraView *view, TrnCoord chunk, uint32_t level, vec3 corner);

/// Whether a chunk may be in the picture. May return true for a chunk just outside, never false for
/// one inside.
bool camera_view_holds(const CameraView *view, TrnCoord chunk, uint32_t level);
