/* SPDX-License-Identifier: MIT
 * stop.c - the early stopping rules: when training ends and which weights are used.
 *
 * Each rule follows the code of the authors it is named after, without their use of test accuracy
 * (MixHop breaks ties with it). */
#include "stop.h"

#include <math.h>

#include "base/alloc.h"

gnd_status gnd_stop_init(gnd_stop *s, gnd_stop_rule rule, int64_t patience, gnd_error *err)
{
    const bool window =
        rule == GND_STOP_KIPF || rule == GND_STOP_KIPF_BEST || rule == GND_STOP_DCNN;

    *s = (gnd_stop){.rule = rule,
                    .patience = patience,
                    .acc_best = rule == GND_STOP_GAT || rule == GND_STOP_GAT_LAST ? 0 : -INFINITY,
                    .loss_best = INFINITY,
                    .acc_saved = -INFINITY,
                    .loss_saved = INFINITY};
    if (!window)
        return GND_OK;
    if (patience < 1)
        return gnd_fail(err, GND_ERR_ARG, "this stopping rule needs patience of at least 1");
    s->n_ring = patience;
    s->ring = gnd_alloc(patience, sizeof *s->ring);
    if (!s->ring)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld losses", (long long)patience);
    for (int64_t i = 0; i < patience; i++)
        s->ring[i] = INFINITY;
    return GND_OK;
}

void gnd_stop_fini(gnd_stop *s)
{
    gnd_free(s->ring);
    *s = (gnd_stop){0};
}

bool gnd_stop_uses_last(gnd_stop_rule rule)
{
    return rule == GND_STOP_KIPF || rule == GND_STOP_GAT_LAST || rule == GND_STOP_DCNN ||
           rule == GND_STOP_NONE;
}

/* Mean of the last n_ring losses, summed from the oldest; infinite before there are n_ring. */
static double ring_mean(const gnd_stop *s, int64_t epoch)
{
    double sum = 0;

    for (int64_t i = 0; i < s->n_ring; i++)
        sum += s->ring[(epoch + i) % s->n_ring];
    return sum / (double)s->n_ring;
}

static bool kipf(gnd_stop *s, int64_t epoch, double loss)
{
    const bool stop = epoch > s->patience && loss > ring_mean(s, epoch);

    s->ring[epoch % s->n_ring] = loss;
    return stop;
}

static bool dcnn(gnd_stop *s, int64_t epoch, double loss)
{
    const bool stop = loss >= ring_mean(s, epoch);

    s->ring[epoch % s->n_ring] = loss;
    return stop;
}

static bool loss_improves(gnd_stop *s, double loss)
{
    if (!(loss < s->loss_best))
        return false;
    s->loss_best = loss;
    return true;
}

/* Count consecutive epochs in which neither loss nor accuracy was at its best; *joint: both were.
 */
static bool wait(gnd_stop *s, double loss, double acc, bool *joint)
{
    const bool acc_ok = acc >= s->acc_best, loss_ok = loss <= s->loss_best;

    *joint = acc_ok && loss_ok;
    s->acc_best = acc_ok ? acc : s->acc_best;
    s->loss_best = loss_ok ? loss : s->loss_best;
    s->count = acc_ok || loss_ok ? 0 : s->count + 1;
    return s->count > 0 && s->count >= s->patience;
}

/* Higher accuracy, or equal accuracy and lower loss. */
static bool saves_lexicographic(gnd_stop *s, double loss, double acc)
{
    if (!(acc > s->acc_saved || (acc == s->acc_saved && loss < s->loss_saved)))
        return false;
    s->acc_saved = acc;
    s->loss_saved = loss;
    return true;
}

gnd_stop_decision gnd_stop_update(gnd_stop *s, int64_t epoch, double loss, double acc)
{
    gnd_stop_decision v = {.save = true};
    bool joint;

    switch (s->rule) {
    case GND_STOP_KIPF:
        v.stop = kipf(s, epoch, loss);
        break;
    case GND_STOP_KIPF_BEST:
        v.save = loss_improves(s, loss);
        v.stop = kipf(s, epoch, loss);
        break;
    case GND_STOP_GAT:
        v.stop = wait(s, loss, acc, &joint);
        v.save = joint;
        break;
    case GND_STOP_GAT_LAST:
        v.stop = wait(s, loss, acc, &joint);
        break;
    case GND_STOP_PPNP:
        v.save = saves_lexicographic(s, loss, acc);
        v.stop = wait(s, loss, acc, &joint);
        break;
    case GND_STOP_MIXHOP:
        v.save = saves_lexicographic(s, loss, acc);
        s->epoch_best = v.save ? epoch : s->epoch_best;
        v.stop = epoch > s->epoch_best + s->patience;
        break;
    case GND_STOP_DCNN:
        v.stop = dcnn(s, epoch, loss);
        break;
    case GND_STOP_SHCHUR: /* an equal loss counts as improvement */
        v.save = loss <= s->loss_best;
        s->loss_best = v.save ? loss : s->loss_best;
        s->count = v.save ? 0 : s->count + 1;
        v.stop = s->count > 0 && s->count >= s->patience;
        break;
    case GND_STOP_NONE:
    case GND_STOP_RULES:
        break;
    }
    return v;
}
