// The inner loop of dicehall.solve.knucklebones.gpu: one thread has one position, of the pairs a <= b <= c. Threads side by
// side differ in a, so what they read lies side by side, as in dicehall.solve.knucklebones.rows; a value lies where the
// waiting seat would look. In single precision, a certain win being 1.

typedef long long Place;

enum Kind { LIVE, LAST, OVER };  // the game goes on, or ends with the next die, or has ended

__device__ Place place_of(Place a, Place b, Place c) {
    Place t;
    if (a > b) { t = a; a = b; b = t; }
    if (b > c) { t = b; b = c; c = t; }
    if (a > b) { t = a; a = b; b = t; }
    return a + b * (b + 1) / 2 + c * (c + 1) * (c + 2) / 6;
}

__device__ float ended(int ahead, float draw) { return ahead > 0 ? 1.0f : ahead < 0 ? 0.0f : draw; }

// A value, and the largest change so far.
__device__ void keep(float* values, Place to, float found, float* most) {
    float change = fabsf(found - values[to]);
    values[to] = found;
    // numbers that are not negative are in the order of their bits; most threads only look
    if (change > *(volatile float*)most) atomicMax((int*)most, __float_as_int(change));
}

// values      of the seat that rolls; theirs are those of the other seat, when it rolls
// first       the place of the first value
// a_first ... of each pair; those of b and c end where the grid does
// after       [pair * 6 + die - 1], negative if there is no room; turned and lead by pair
// most        the largest change so far
extern "C" __global__ void sweep(
    float* values, const float* theirs, Place first, int a_first, int a_last, int b_first, int c_first, int kind,
    float draw, const int* after, const int* turned, const int* lead, float* most
) {
    int a = a_first + blockIdx.x * blockDim.x + threadIdx.x, b = b_first + blockIdx.y, c = c_first + blockIdx.z;
    if (a >= a_last || a > b || b > c) return;
    float found = 0.0f;
    if (kind == OVER) {
        found = ended(lead[a] + lead[b] + lead[c], draw);
    } else {
        for (int die = 0; die < 6; die++) {
            int to_a = after[a * 6 + die], to_b = after[b * 6 + die], to_c = after[c * 6 + die];
            if (kind == LAST) {  // there is room in one of them
                int ahead = to_a >= 0 ? lead[to_a] + lead[b] + lead[c]
                          : to_b >= 0 ? lead[a] + lead[to_b] + lead[c] : lead[a] + lead[b] + lead[to_c];
                found += ended(ahead, draw);
            } else {
                float least = 1.0f;
                if (to_a >= 0) least = fminf(least, theirs[place_of(to_a, b, c) - first]);
                if (to_b >= 0) least = fminf(least, theirs[place_of(a, to_b, c) - first]);
                if (to_c >= 0) least = fminf(least, theirs[place_of(a, b, to_c) - first]);
                found += 1.0f - least;
            }
        }
        found /= 6.0f;
    }
    keep(values, place_of(turned[a], turned[b], turned[c]) - first, found, most);
}
