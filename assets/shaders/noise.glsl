// Numbers from integers: nothing shakes or repeats, however far from the origin.
uint mix_bits(uint value)
{
    value = (value ^ (value >> 15)) * 0x2c1b3c6du;
    value = (value ^ (value >> 12)) * 0x297a2d39u;
    return value ^ (value >> 15);
}

// 0..1
float hash3(ivec3 at)
{
    uint seed = uint(at.x) * 0x8da6b343u ^ uint(at.y) * 0xd8163841u ^ uint(at.z) * 0xcb1ab31fu;
    return float(mix_bits(seed) >> 8) / 16777215.0;
}

// Smooth noise, 0..1, between the integers.
float smooth_noise(ivec2 cell, vec2 part)
{
    vec2 s = part * part * (3.0 - 2.0 * part);
    float a = hash3(ivec3(cell, 0)), b = hash3(ivec3(cell + ivec2(1, 0), 0));
    float c = hash3(ivec3(cell + ivec2(0, 1), 0)), d = hash3(ivec3(cell + ivec2(1, 1), 0));
    return mix(mix(a, b, s.x), mix(c, d, s.x), s.y);
}
