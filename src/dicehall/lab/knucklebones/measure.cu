// Exact measurement of how somebody plays classic Knucklebones, on a GPU; `dicehall.lab.knucklebones.measure` says how.
// The threads are laid out as in solve/knucklebones/gpu.cu, which stands before this.

// What the network says of every position: `judged`, in whole numbers. Pairs are seen by the seat that waits here.
// weights: of four units side by side, by pair; curve: by the sum of the units, from -limit to limit.
extern "C" __global__ void judge(
    int* judged, Place first, int a_first, int a_last, int b_first, int c_first, const short* weights, int fours,
    int pairs, const int* curve, int limit
) {
    extern __shared__ int base[];
    int a = a_first + blockIdx.x * blockDim.x + threadIdx.x, b = b_first + blockIdx.y, c = c_first + blockIdx.z;
    if (b > c) return;
    for (int four = threadIdx.x; four < fours; four += blockDim.x)
        for (int i = 0; i < 4; i++)
            base[4 * four + i] = weights[4 * (four * pairs + b) + i] + weights[4 * (four * pairs + c) + i] + 1;
    __syncthreads();
    if (a >= a_last || a > b) return;
    int sum = 0;
    for (int four = 0; four < fours; four++) {
        short4 own = *(const short4*)(weights + 4 * (four * pairs + a));
        int up = max(base[4 * four] + own.x, 0) + max(base[4 * four + 1] + own.y, 0)
               + max(base[4 * four + 2] + own.z, 0) + max(base[4 * four + 3] + own.w, 0);
        sum += 2 * four < fours ? up : -up;
    }
    judged[place_of(a, b, c) - first] = curve[min(max(sum, -limit), limit) + limit];
}

// One exact step: what the seat that rolls may expect if it then believes `judged`, in sixths. `whole` is a certain win.
// Where the next die ends the game or the last one has, it is the truth.
extern "C" __global__ void look_ahead(
    int* found, const int* judged, Place first, int a_first, int a_last, int b_first, int c_first, int kind, int whole,
    const int* after, const int* turned, const int* lead
) {
    int a = a_first + blockIdx.x * blockDim.x + threadIdx.x, b = b_first + blockIdx.y, c = c_first + blockIdx.z;
    if (a >= a_last || a > b || b > c) return;
    int sum = 0;
    for (int die = 0; die < 6; die++) {
        int to_a = after[a * 6 + die], to_b = after[b * 6 + die], to_c = after[c * 6 + die];
        if (kind == LIVE) {
            int least = whole;
            if (to_a >= 0) least = min(least, judged[place_of(to_a, b, c) - first]);
            if (to_b >= 0) least = min(least, judged[place_of(a, to_b, c) - first]);
            if (to_c >= 0) least = min(least, judged[place_of(a, b, to_c) - first]);
            sum += whole - least;
        } else {
            int ahead = kind == OVER ? lead[a] + lead[b] + lead[c]
                      : to_a >= 0 ? lead[to_a] + lead[b] + lead[c]
                      : to_b >= 0 ? lead[a] + lead[to_b] + lead[c] : lead[a] + lead[b] + lead[to_c];
            sum += ahead > 0 ? whole : ahead < 0 ? 0 : whole / 2;
        }
    }
    found[place_of(turned[a], turned[b], turned[c]) - first] = sum;
}

// What the first player may expect in every position in which `mine` rolls: `theirs` is the same for those in which the
// other one does. Whoever rolls takes the placement with the least `score`, numbers or, bit by bit, floats; of equal ones
// the worst for the first player.
extern "C" __global__ void play_by_score(
    float* mine, const float* theirs, const int* score, Place first, int a_first, int a_last, int b_first, int c_first,
    const int* after, const int* turned, float* most
) {
    int a = a_first + blockIdx.x * blockDim.x + threadIdx.x, b = b_first + blockIdx.y, c = c_first + blockIdx.z;
    if (a >= a_last || a > b || b > c) return;
    float found = 0.0f;
    for (int die = 0; die < 6; die++) {
        int to[3] = {after[a * 6 + die], after[b * 6 + die], after[c * 6 + die]}, least = 0x7fffffff;
        float value = 1.0f;
        for (int i = 0; i < 3; i++) {
            if (to[i] < 0) continue;
            Place there = place_of(i == 0 ? to[0] : a, i == 1 ? to[1] : b, i == 2 ? to[2] : c) - first;
            int now = score[there];
            if (now > least) continue;
            float then = theirs[there];
            value = now < least ? then : fminf(value, then);
            least = now;
        }
        found += value;
    }
    found /= 6.0f;
    keep(mine, place_of(turned[a], turned[b], turned[c]) - first, found, most);
}

// The same for somebody who looks at the pair and the die alone: the most `liking` [pair * 6 + die - 1], and of equals
// each as often.
extern "C" __global__ void play_by_liking(
    float* mine, const float* theirs, const int* liking, Place first, int a_first, int a_last, int b_first, int c_first,
    const int* after, const int* turned, float* most
) {
    int a = a_first + blockIdx.x * blockDim.x + threadIdx.x, b = b_first + blockIdx.y, c = c_first + blockIdx.z;
    if (a >= a_last || a > b || b > c) return;
    float found = 0.0f;
    for (int die = 0; die < 6; die++) {
        int from[3] = {a, b, c}, best = -0x7fffffff, equals = 0;
        float value = 0.0f;
        for (int i = 0; i < 3; i++) {
            int to = after[from[i] * 6 + die], now = liking[from[i] * 6 + die];
            if (to < 0 || now < best) continue;
            if (now > best) { best = now; equals = 0; value = 0.0f; }
            equals++;
            value += theirs[place_of(i == 0 ? to : a, i == 1 ? to : b, i == 2 ? to : c) - first];
        }
        found += value / equals;
    }
    found /= 6.0f;
    keep(mine, place_of(turned[a], turned[b], turned[c]) - first, found, most);
}

// The same for a rung of the ladder: to what a placement loses by `score`, of `whole`, three numbers from 0 to `width`
// are added, each as likely, and the least sum is taken; the width is that of the rung times 4 p (1 - p), p being what
// the best is worth. How often each of three is taken stands in `taken`, by what two of them lose more than the best in
// parts of 3 widths, STEPS to each: for the best, and for the one that loses the first.
extern "C" __global__ void play_blurred(
    float* mine, const float* theirs, const int* score, float whole, float rung, const float2* taken, int steps,
    Place first, int a_first, int a_last, int b_first, int c_first, const int* after, const int* turned, float* most
) {
    int a = a_first + blockIdx.x * blockDim.x + threadIdx.x, b = b_first + blockIdx.y, c = c_first + blockIdx.z;
    if (a >= a_last || a > b || b > c) return;
    float found = 0.0f;
    for (int die = 0; die < 6; die++) {
        int from[3] = {a, b, c}, kinds = 0, worst[3];
        float value[3], equal[3];
        for (int i = 0; i < 3; i++) {  // in order, those that lose the same as one: the first of equals would be taken
            int to = after[from[i] * 6 + die];
            if (to < 0) continue;
            Place there = place_of(i == 0 ? to : a, i == 1 ? to : b, i == 2 ? to : c) - first;
            int now = score[there], k = 0;
            float then = theirs[there];
            while (k < kinds && worst[k] < now) k++;
            if (k < kinds && worst[k] == now) {
                value[k] += then; equal[k] += 1.0f;
            } else {
                for (int j = kinds++; j > k; j--) {
                    worst[j] = worst[j - 1]; value[j] = value[j - 1]; equal[j] = equal[j - 1];
                }
                worst[k] = now; value[k] = then; equal[k] = 1.0f;
            }
        }
        for (int k = 0; k < kinds; k++) value[k] /= equal[k];
        float p = 1.0f - worst[0] / whole, width = 3.0f * rung * 4.0f * p * (1.0f - p);
        if (kinds == 1 || width <= 0.0f) { found += value[0]; continue; }
        float x = fminf((worst[1] - worst[0]) / (whole * width), 1.0f) * steps;
        float y = kinds == 3 ? fminf((worst[2] - worst[0]) / (whole * width), 1.0f) * steps : steps;
        int at_x = min((int)x, steps - 1), at_y = min((int)y, steps - 1);
        float in_x = x - at_x, in_y = y - at_y;
        const float2* corner = taken + at_x * (steps + 1) + at_y;
        float2 low = corner[0], right = corner[1], up = corner[steps + 1], far = corner[steps + 2];
        float w00 = (1 - in_x) * (1 - in_y), w01 = (1 - in_x) * in_y, w10 = in_x * (1 - in_y), w11 = in_x * in_y;
        float best = w00 * low.x + w01 * right.x + w10 * up.x + w11 * far.x;
        float second = w00 * low.y + w01 * right.y + w10 * up.y + w11 * far.y;
        if (kinds == 2) second = 1.0f - best;
        found += best * value[0] + second * value[1] + (kinds == 3 ? (1.0f - best - second) * value[2] : 0.0f);
    }
    found /= 6.0f;
    keep(mine, place_of(turned[a], turned[b], turned[c]) - first, found, most);
}

// How many dice a game takes at most, on average, if both seats make it last.
extern "C" __global__ void lasting(
    float* values, const float* theirs, Place first, int a_first, int a_last, int b_first, int c_first, int kind,
    const int* after, const int* turned, float* most
) {
    int a = a_first + blockIdx.x * blockDim.x + threadIdx.x, b = b_first + blockIdx.y, c = c_first + blockIdx.z;
    if (a >= a_last || a > b || b > c) return;
    float found = 0.0f;
    for (int die = 0; die < 6 && kind == LIVE; die++) {
        int to_a = after[a * 6 + die], to_b = after[b * 6 + die], to_c = after[c * 6 + die];
        float longest = 0.0f;
        if (to_a >= 0) longest = fmaxf(longest, theirs[place_of(to_a, b, c) - first]);
        if (to_b >= 0) longest = fmaxf(longest, theirs[place_of(a, to_b, c) - first]);
        if (to_c >= 0) longest = fmaxf(longest, theirs[place_of(a, b, to_c) - first]);
        found += longest;
    }
    found = kind == OVER ? 0.0f : 1.0f + found / 6.0f;
    keep(values, place_of(turned[a], turned[b], turned[c]) - first, found, most);
}
