// Tests the geometry module of the example with three.js, without three.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';

const address = process.env.TERRANE_PACKAGE ?? new URL('../../../build/wasm/package/terrane.js', import.meta.url).href;
const { Mesher, Store, Terrain, load } = await import(address);
const { attributesOf, bufferGeometry, vertexColours } = await import(new URL('examples/three/geometry.js', address));

class BufferAttribute {
    constructor(array, itemSize) {
        Object.assign(this, { array, itemSize, count: array.length / itemSize });
    }
}

class BufferGeometry {
    attributes = {};
    setAttribute(name, attribute) { this.attributes[name] = attribute; }
    setIndex(index) { this.index = index; }
}

test('colours are linear, and darker where occluded', () => {
    const colours = vertexColours({ colours: new Uint8Array([255, 0, 128, 255, 0, 128]), ao: new Uint8Array([255, 0]) });
    assert.deepEqual([...colours].map((c) => c.toFixed(3)), ['1.000', '0.000', '0.216', '0.500', '0.000', '0.108']);
});

test('a chunk of land becomes a geometry whose indices fit', async () => {
    const terrane = await load();
    const terrain = new Terrain(terrane, { seed: 23 });
    const store = new Store(terrane);
    const mesher = new Mesher(terrane);
    const y = Math.floor(terrain.sample(16, 16).height / 32);
    store.insertTerrain(terrain, 0, y, 0);
    const { opaque } = mesher.geometry(store, 0, y, 0, { missingIsSolid: false });
    const { attributes, index } = bufferGeometry({ BufferAttribute, BufferGeometry }, opaque);
    const vertices = attributes.position.count;
    assert.ok(vertices > 100);
    assert.deepEqual(Object.keys(attributes), ['position', 'normal', 'uv', 'color']);
    assert.ok(Object.values(attributes).every((attribute) => attribute.count === vertices));
    assert.equal(index.count, (vertices / 4) * 6);
    assert.ok(index.array.every((at) => at < vertices));
    assert.ok(opaque.positions.every((at) => at >= 0 && at <= 32));
    // Each triangle turns counter-clockwise around its normal.
    const corner = (i) => opaque.positions.subarray(3 * index.array[i], 3 * index.array[i] + 3);
    for (let i = 0; i < index.count; i += 3) {
        const [a, b, c] = [corner(i), corner(i + 1), corner(i + 2)];
        const u = [0, 1, 2].map((k) => b[k] - a[k]);
        const v = [0, 1, 2].map((k) => c[k] - a[k]);
        const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        const normal = opaque.normals.subarray(3 * index.array[i], 3 * index.array[i] + 3);
        assert.ok(cross[0] * normal[0] + cross[1] * normal[1] + cross[2] * normal[2] > 0);
    }
    assert.equal(attributesOf(opaque).index, opaque.indices);
    [mesher, store, terrain].forEach((object) => object.dispose());
});
