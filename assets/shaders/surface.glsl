// What the vertex shaders of land, water and debris say of a quad, packed: a software renderer sets up each output for each
// triangle, and most triangles are a few pixels large. STAGE: `out` for vertex shaders, otherwise `in`.
STAGE vec3 from_camera; // voxels
STAGE vec4 on_quad;     // as across and level
flat STAGE ivec3 chunk;
flat STAGE vec4 texels; // xy: the quad's corner in its texture, zw: how often the texture repeats
flat STAGE vec4 place;  // local = place.w * from_camera + place.xyz
flat STAGE uvec4 bits; // the rest

vec2 across;     // 0..1 over the quad
vec2 level;      // of the sky's light and of the blocks' here, 0..1
uint levels;     // of the four corners, as in terrane/mesher.h
uint face;
uint block;
uint openness;   // of the four corners, 0..3: 2 bits each
int hidden;      // in its lowest 4 bits; above them 3 each for how lush the chunk's corners are, at the least x and z, the most x, ...;
                 // in bit 16 whether a side shows the block's top; in bit 17 whether it emits light; from bit 20 on its level
ivec3 own_voxel; // in the chunk; of plants and models
uint box;        // number in the model

#ifdef VERTEX
void pack_surface()
{
    uvec3 own = uvec3(own_voxel);
    on_quad = vec4(across, level);
    bits = uvec4(uint(hidden) | face << 24, block | openness << 16, levels, own.x | own.y << 5 | own.z << 10 | box << 15);
}
#else
vec3 local; // voxels of the chunk's level from its lowest corner

void unpack_surface()
{
    across = on_quad.xy;
    level = on_quad.zw;
    levels = bits.z;
    face = bits.x >> 24;
    block = bits.y & 0xffffu;
    openness = bits.y >> 16;
    hidden = int(bits.x & 0xffffffu);
    own_voxel = ivec3(uvec3(bits.w) >> uvec3(0, 5, 10) & 31u);
    box = bits.w >> 15;
    local = place.w * from_camera + place.xyz;
}
#endif
