// The work that the tests hash and the bench times; native.c does the same.
export const SEED = 23;

/** Calls use(x, y, z) for 7 x 5 x 7 chunks: caves, ground with sea and trees, and sky. */
export function forEachChunk(use) {
    for (let y = -2; y <= 2; y++) {
        for (let z = -3; z <= 3; z++) {
            for (let x = -3; x <= 3; x++) {
                use(x, y, z);
            }
        }
    }
}

/** Adds numbers of up to 32 bits to a hash. */
export function hashArray(hash, numbers) {
    for (const number of numbers) {
        hash = Math.imul(hash ^ number, 0x9E3779B1);
        hash ^= hash >>> 15;
    }
    return hash;
}

export const hex = (hash) => `0x${(hash >>> 0).toString(16).toUpperCase().padStart(8, '0')}`;
