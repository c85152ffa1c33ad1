// Teaching a network of classic Knucklebones, on a GPU; `dicehall.lab.knucklebones.teach` says what and why. UNITS is
// how many numbers a pair has. Pairs are seen by the seat that has just moved; worth is that of the seat that rolls next.

// A number that looks random. `state` moves on.
__device__ unsigned drawn(unsigned* state, unsigned below) {
    unsigned x = *state;
    x ^= x << 13; x ^= x >> 17; x ^= x << 5;
    *state = x;
    return (unsigned)(((unsigned long long)(x * 2654435761u) * below) >> 32);
}

// Every walker plays one game after the other against itself. From `from` on, `count` of them roll a die and place it:
// perfectly, or now and then anywhere (`anywhere`, of 65536). All they could have done is kept: in `seen` the pairs then,
// in `worth` the value; less than 0 where there was no room, or the game has ended. Of every 16 new games, `odd` begin
// anywhere. where: three pairs each, seen by the seat that rolls.
extern "C" __global__ void walk(
    int* where, unsigned* dice, const int* anywhere, int from, int count, const float* values, const int* after,
    const int* turned, const int* full, int empty, int odd, unsigned short* seen, float* worth
) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count) return;
    int who = from + at, best = -1;
    int* pair = where + 3 * who;
    unsigned state = dice[who];
    int die = drawn(&state, 6), rooms = 0, room[3];
    float least = 2.0f;
    for (int i = 0; i < 3; i++) {
        int to = after[pair[i] * 6 + die], to_row = 3 * at + i;
        int next[3] = {pair[0], pair[1], pair[2]};
        worth[to_row] = -1.0f;
        if (to < 0) continue;
        next[i] = to;
        room[rooms++] = i;
        float value = values[place_of(next[0], next[1], next[2])];
        if (value < least) { least = value; best = i; }
        if (full[next[0]] & full[next[1]] & full[next[2]] & 1) continue;
        for (int j = 0; j < 3; j++) seen[3 * to_row + j] = next[j];
        worth[to_row] = value;
    }
    if (drawn(&state, 65536) < anywhere[who]) best = room[drawn(&state, rooms)];
    int next[3] = {pair[0], pair[1], pair[2]};
    next[best] = after[pair[best] * 6 + die];
    if (full[next[0]] & full[next[1]] & full[next[2]] & 1) {
        bool anyhow = drawn(&state, 16) < odd;
        do {
            for (int j = 0; j < 3; j++) next[j] = anyhow ? drawn(&state, empty + 1) : empty;
        } while ((full[next[0]] & full[next[1]] & full[next[2]]) != 0);
        for (int j = 0; j < 3; j++) pair[j] = next[j];
    } else {
        for (int j = 0; j < 3; j++) pair[j] = turned[next[j]];
    }
    dice[who] = state;
}

// What the network says of each position, and how every weight should change: a warp has a position. Units up to half
// speak for the seat, the others against it.
extern "C" __global__ void learn(
    const unsigned short* seen, const float* worth, int count, const float* weights, float* change, double* off
) {
    int at = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (at >= count || worth[at] < 0.0f) return;
    const float4* a = (const float4*)(weights + seen[3 * at] * UNITS);
    const float4* b = (const float4*)(weights + seen[3 * at + 1] * UNITS);
    const float4* c = (const float4*)(weights + seen[3 * at + 2] * UNITS);
    float4 sums[(UNITS + 127) / 128];
    float z = 0.0f;
#pragma unroll
    for (int k = 0; k < (UNITS + 127) / 128; k++) {
        int unit = 32 * k + lane;
        if (4 * unit >= UNITS) break;
        float4 x = a[unit], y = b[unit], w = c[unit];
        float4 s = make_float4(x.x + y.x + w.x, x.y + y.y + w.y, x.z + y.z + w.z, x.w + y.w + w.w);
        float up = fmaxf(s.x, 0.0f) + fmaxf(s.y, 0.0f) + fmaxf(s.z, 0.0f) + fmaxf(s.w, 0.0f);
        z += 8 * unit < UNITS ? up : -up;
        sums[k] = s;
    }
    for (int step = 16; step; step /= 2) z += __shfl_xor_sync(0xffffffffu, z, step);
    float p = 1.0f / (1.0f + __expf(-z)), miss = p - worth[at], g = miss * (p * (1.0f - p) + BLEND);
    if (lane == 0 && at % 16 == 0) { atomicAdd(off, (double)miss * miss); atomicAdd(off + 1, 1.0); }
    float4* to[3] = {
        (float4*)(change + seen[3 * at] * UNITS), (float4*)(change + seen[3 * at + 1] * UNITS),
        (float4*)(change + seen[3 * at + 2] * UNITS)
    };
#pragma unroll
    for (int k = 0; k < (UNITS + 127) / 128; k++) {
        int unit = 32 * k + lane;
        if (4 * unit >= UNITS) break;
        float own = 8 * unit < UNITS ? g : -g;
        float4 s = sums[k];
        float4 d = make_float4(
            s.x > 0 ? own : 0.0f, s.y > 0 ? own : 0.0f, s.z > 0 ? own : 0.0f, s.w > 0 ? own : 0.0f
        );
        if (s.x > 0 || s.y > 0 || s.z > 0 || s.w > 0)
            for (int i = 0; i < 3; i++) atomicAdd(to[i] + unit, d);
    }
}

// One step of Adam, after which `change` is empty again. `rough` is what the network is judged by: the weights as they
// are, or in whole steps of their unit's `scale`, `most` at most.
extern "C" __global__ void adam(
    float* weights, float* rough, float* change, float* mean, float* square, float rate, float fix1, float fix2,
    const float* scale, float most
) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    float g = change[at], m = 0.9f * mean[at] + 0.1f * g, v = 0.999f * square[at] + 0.001f * g * g, w = weights[at];
    change[at] = 0.0f; mean[at] = m; square[at] = v;
    w -= rate * m * fix1 / (sqrtf(v * fix2) + 1e-10f);
    float step = scale[at % UNITS];
    if (step > 0.0f) {
        w = fminf(fmaxf(w, -most * step), most * step);
        rough[at] = rintf(w / step) * step;
    } else {
        rough[at] = w;
    }
    weights[at] = w;
}
