/* SPDX-License-Identifier: MIT
 * test_fetch.c - the hash of downloads, and which URLs are allowed. tests/cli/test_get.sh downloads
 * from a server. */
#include "check.h"
#include "cli/fetch.h"
#include "cli/sha256.h"

/* Examples of FIPS 180-4, and NIST's of a million letters. */
static const struct {
    const char *text;
    int times;
    const char *hash;
} vectors[] = {
    {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmno"
     "pqrsmnopqrstnopqrstu",
     1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    {"aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
};

static void test_vectors(void **state)
{
    char text[SHA256_TEXT];
    sha256 s;

    (void)state;
    for (int i = 0; i < LENGTH(vectors); i++) {
        sha256_init(&s);
        for (int k = 0; k < vectors[i].times; k++)
            sha256_add(&s, vectors[i].text, strlen(vectors[i].text));
        assert_string_equal(sha256_text(text, &s), vectors[i].hash);
    }
}

/* The same bytes in pieces of any length. */
static void test_pieces(void **state)
{
    char whole[SHA256_TEXT], parts[SHA256_TEXT], data[300];
    sha256 s;

    (void)state;
    for (int i = 0; i < LENGTH(data); i++)
        data[i] = (char)(7 * i);
    for (size_t n = 0; n <= sizeof data; n++) {
        sha256_init(&s);
        sha256_add(&s, data, n);
        sha256_text(whole, &s);
        sha256_init(&s);
        for (size_t at = 0, k = 1; at < n; at += k, k = k % 70 + 1)
            sha256_add(&s, data + at, k < n - at ? k : n - at);
        assert_string_equal(sha256_text(parts, &s), whole);
    }
}

static void test_urls(void **state)
{
    static const char *const yes[] = {"https://example.org/x", "HTTPS://example.org",
                                      "http://127.0.0.1:80/x", "http://localhost/",
                                      "http://localhost",      "http://[::1]:8000/x"};
    static const char *const no[] = {"http://example.org/",
                                     "http://127.0.0.1.example.org/",
                                     "http://127.0.0.1@example.org/",
                                     "http://localhost:80@example.org/",
                                     "http://localhost:@example.org/",
                                     "http://localhost:pw@example.org/",
                                     "ftp://127.0.0.1/",
                                     "file:///etc/passwd",
                                     "https://",
                                     "https:/x",
                                     "127.0.0.1",
                                     ""};

    (void)state;
    for (int i = 0; i < LENGTH(yes); i++)
        if (!fetch_allowed(yes[i]))
            fail_msg("%s is refused", yes[i]);
    for (int i = 0; i < LENGTH(no); i++)
        if (fetch_allowed(no[i]))
            fail_msg("%s is allowed", no[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_urls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
