// While one level takes another's place, each pixel shows one of both: a pattern of 4 x 4 pixels decides.
uniform int fade; // 1..15: so many of 16 pixels show what appears; -1..-15: all but so many show what goes

const int DITHER[16] = int[16](0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5);

void fade_pixel()
{
    ivec2 at = ivec2(gl_FragCoord.xy) & 3;
    int place = DITHER[at.y * 4 + at.x];
    if (fade > 0 ? place >= fade : place < -fade) {
        discard;
    }
}
