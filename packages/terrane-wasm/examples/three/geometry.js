// Arrays of a Geometry as three.js takes them. Uses no three.js itself.

/** sRGB byte to linear light, in which three.js reads colours of vertices. */
const LINEAR = Float32Array.from({ length: 256 }, (_, byte) => {
    const c = byte / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
});

/** Colours of the block types, darkened by ambient occlusion to a half at most. */
export function vertexColours({ colours, ao }) {
    const linear = new Float32Array(colours.length);
    for (let vertex = 0; vertex < ao.length; vertex++) {
        const light = 0.5 + ao[vertex] / 510;
        for (let channel = 3 * vertex; channel < 3 * vertex + 3; channel++) {
            linear[channel] = LINEAR[colours[channel]] * light;
        }
    }
    return linear;
}

/** The attributes of a BufferGeometry: name, array and numbers a vertex; and its index. */
export function attributesOf(geometry) {
    return {
        attributes: [
            ['position', geometry.positions, 3],
            ['normal', geometry.normals, 3],
            ['uv', geometry.uvs, 2],
            ['color', vertexColours(geometry), 3],
        ],
        index: geometry.indices,
    };
}

/** @param THREE the module three */
export function bufferGeometry(THREE, geometry) {
    const { attributes, index } = attributesOf(geometry);
    const buffers = new THREE.BufferGeometry();
    attributes.forEach(([name, array, size]) =>
        buffers.setAttribute(name, new THREE.BufferAttribute(array, size)),
    );
    buffers.setIndex(new THREE.BufferAttribute(index, 1));
    return buffers;
}
