/* SPDX-License-Identifier: MIT
 * test_nomem.c - each call of the room with 0, 1, 2, ... allowed allocations. */
#include "base/alloc.h"
#include "embed/hop_distances.h"
#include "embed/isomap.h"
#include "embed/poincare.h"
#include "embed/relations.h"
#include "embed/struc2vec.h"
#include "linalg/tridiag.h"
#include "links.h"
#include "mallocfail.h"

enum { N = 9 };

/* Two components and a lone vertex, so that every branch allocates. */
static gnd_csr sample(void)
{
    link_list l = {.n = 0};

    add_path(&l, 0, 4);
    add_clique(&l, 4, 4);
    add_link(&l, 2, 2);
    return make_links(N, &l);
}

static void embeddings(void **state)
{
    double z[2 * N];
    gnd_csr a = sample();
    gnd_error err;

    (void)state;
    NOMEM_WALK(gnd_isomap(z, NULL, &a, NULL, &err), (void)0);
    NOMEM_WALK(gnd_poincare(z, &a, 1, &err), (void)0);
    NOMEM_WALK(gnd_struc2vec(z, &a, 1, NULL, &err), (void)0);
    gnd_csr_fini(&a);
}

static void parts(void **state)
{
    double value[3], far;
    const double diag[] = {1, 2, 3}, off[] = {1, 1};
    gnd_csr a = sample(), links;
    uint8_t *hops;
    gnd_error err;

    (void)state;
    NOMEM_WALK(gnd_links_init(&links, &a, &err), assert_null(links.ptr));
    NOMEM_WALK(gnd_hop_distances(&hops, &far, &links, NULL, &err), assert_null(hops));
    gnd_free(hops);
    NOMEM_WALK(gnd_tridiag_eigen(value, NULL, diag, off, 3, &err), (void)0);
    gnd_csr_fini(&links);
    gnd_csr_fini(&a);
}

static void relations(void **state)
{
    gnd_csr a = sample();
    gnd_relations r;
    gnd_error err;

    (void)state;
    for (int kind = GND_EMBED_ISOMAP; kind <= GND_EMBED_STRUC2VEC; kind++) {
        NOMEM_WALK(gnd_relations_init(&r, &a, (gnd_embedding)kind, 1, NULL, &err),
                   assert_true(!r.nu && !r.op[0].a.ptr && !r.op[8].a.ptr));
        gnd_relations_fini(&r);
    }
    gnd_csr_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(embeddings),
        cmocka_unit_test(parts),
        cmocka_unit_test(relations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
