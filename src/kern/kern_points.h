/* SPDX-License-Identifier: MIT
 * kern_points.h - kernels on sets of points: distances, and the forces of t-SNE. Part of
 * kern_vec.h, with its vectors. */

enum { POINT_VECS = GND_POINT_LANES / L, AT_ONCE = POINT_VECS < 2 ? 1 : 2 };

/* nr rows of y, one tile of columns. Four rows use each vector of w while it is in a register. */
INLINE void distance_tile(gnd_real *y, const gnd_real *x, const gnd_real *w, int64_t k, int64_t f,
                          const int nr)
{
    vec sum[4][AT_ONCE];

    unrolled_for (int r = 0; r < nr; r++)
        unrolled_for (int v = 0; v < AT_ONCE; v++)
            sum[r][v] = (vec){0};
    for (int64_t j = 0; j < k; j++)
        unrolled_for (int v = 0; v < AT_ONCE; v++) {
            const vec b = load(w + j * f + v * L);

            unrolled_for (int r = 0; r < nr; r++) {
                const vec d = b - x[r * k + j];

                sum[r][v] += d * d;
            }
        }
    unrolled_for (int r = 0; r < nr; r++)
        unrolled_for (int v = 0; v < AT_ONCE; v++)
            store(y + r * f + v * L, sum[r][v]);
}

static void distances(gnd_real *restrict y, const gnd_real *restrict x, const gnd_real *restrict w,
                      int64_t k, int64_t f, int64_t r0, int64_t r1)
{
    int64_t i = r0;

    for (; i + 4 <= r1; i += 4)
        for (int64_t c = 0; c < f; c += AT_ONCE * L)
            distance_tile(y + i * f + c, x + i * k, w + c, k, f, 4);
    for (; i < r1; i++)
        for (int64_t c = 0; c < f; c += AT_ONCE * L)
            distance_tile(y + i * f + c, x + i * k, w + c, k, f, 1);
}

static void repel(gnd_real *restrict sum, const gnd_real *restrict p, const gnd_real *restrict q,
                  int64_t m)
{
    enum { N = GND_POINT_LANES };

    for (int at = 0; at < N; at += AT_ONCE * L) { /* more vectors would not fit into registers */
        vec x[AT_ONCE], y[AT_ONCE], fx[AT_ONCE], fy[AT_ONCE], z[AT_ONCE];

        unrolled_for (int v = 0; v < AT_ONCE; v++) {
            x[v] = load(p + at + v * L);
            y[v] = load(p + N + at + v * L);
            fx[v] = load(sum + at + v * L);
            fy[v] = load(sum + N + at + v * L);
            z[v] = load(sum + 2 * N + at + v * L);
        }
        for (int64_t j = 0; j < m; j++)
            unrolled_for (int v = 0; v < AT_ONCE; v++) {
                const vec dx = x[v] - q[3 * j], dy = y[v] - q[3 * j + 1];
                const vec s = 1 / (1 + (dx * dx + dy * dy)), t = q[3 * j + 2] * s, u = t * s;

                z[v] += t;
                fx[v] += u * dx;
                fy[v] += u * dy;
            }
        unrolled_for (int v = 0; v < AT_ONCE; v++) {
            store(sum + at + v * L, fx[v]);
            store(sum + N + at + v * L, fy[v]);
            store(sum + 2 * N + at + v * L, z[v]);
        }
    }
}

/* The forces of L entries from entry e on; lanes are entries. */
INLINE void attract_vec(vec *fx, vec *fy, const gnd_csr *a, const gnd_real *y, int64_t i, int64_t e)
{
    vec dx, dy, t;

    unrolled_for (int l = 0; l < L; l++) {
        dx[l] = y[2 * (int64_t)a->col[e + l]];
        dy[l] = y[2 * (int64_t)a->col[e + l] + 1];
    }
    dx = y[2 * i] - dx;
    dy = y[2 * i + 1] - dy;
    t = load(a->val + e) / (1 + (dx * dx + dy * dy));
    *fx += t * dx;
    *fy += t * dy;
}

static void attract(gnd_real *restrict force, const gnd_csr *a, const gnd_real *restrict y,
                    int64_t r0, int64_t r1)
{
    enum { N = GND_POINT_LANES };

    for (int64_t i = r0; i < r1; i++) {
        vec fx[POINT_VECS] = {{0}}, fy[POINT_VECS] = {{0}};
        gnd_real lane[2][N], sum[2] = {0};
        int64_t e = a->ptr[i];

        for (; e + N <= a->ptr[i + 1]; e += N)
            unrolled_for (int v = 0; v < POINT_VECS; v++)
                attract_vec(fx + v, fy + v, a, y, i, e + v * L);
        memcpy(lane[0], fx, sizeof fx);
        memcpy(lane[1], fy, sizeof fy);
        for (int l = 0; e < a->ptr[i + 1]; e++, l++)
            gnd_attract_one(&lane[0][l], &lane[1][l], a, y, i, e);
        for (int l = 0; l < N; l++) {
            sum[0] += lane[0][l];
            sum[1] += lane[1][l];
        }
        force[2 * i] = sum[0];
        force[2 * i + 1] = sum[1];
    }
}
