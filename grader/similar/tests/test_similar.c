#include "grader/tests/scratch.h"

#include "grader/similar/sketch.h"
#include "grader/similar/tokens.h"

/* As long as a word is kept, 63 characters, with no more of a NEON name behind its mark. */
#define LONG_NAME "vaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_"

static bool same_tokens(const char *name, const char *left, const char *right)
{
    struct tokens a = {0}, b = {0};
    tokens_read(&a, name, left, strlen(left));
    tokens_read(&b, name, right, strlen(right));
    bool same = a.count == b.count && a.count > 0;
    for (size_t i = 0; same && i < a.count; i++)
        same = a.list[i].word == b.list[i].word;
    tokens_free(&a);
    tokens_free(&b);
    return same;
}

Test(similar, names_layout_and_comments_do_not_matter_in_c)
{
    const char *const plain =
        "#include \"exercise.h\"\nint f(int n) { for (; n; n--) g(n, 0x10u); return n << 2; }";
    cr_expect(same_tokens("a.c", plain,
                          "static int other(const int m)\n{ /* x */ for (; m; m--) {\n h(m, 16); } // y\n"
                          "return (m << 2); }"));
    cr_expect_not(same_tokens("a.c", plain, "int f(int n) { for (; n; n--) g(n, 0x10u); return n >> 2; }"));
    cr_expect_not(same_tokens("a.c", "v = vaddq_f32(a, b);", "v = vmulq_f32(a, b);"));
    cr_expect(same_tokens("a.c", "asm(\"add x1, x2, #3\\n\\tret\");", "asm(\"add x7,x9,3; ret\");"));
    cr_expect(same_tokens("a.c", "x = 1.0f;", "y = 1;"));
}

Test(similar, registers_labels_and_directives_do_not_matter_in_assembly)
{
    cr_expect(same_tokens(
        "a.S",
        "# a comment\n.globl f\nf:\n  ldr s1, [x0, x3, lsl #2] // load\n.L1: b.ne .L1\n1: cbz w3, 1b\n",
        "other: LDR s9,[x5,x6, lsl 2]\n/* z */ .Lx:\n\tb.ne .Lx; 2: cbz w4, 2b\n"));
    cr_expect_not(same_tokens("a.S", "ldr s1, [x0]\n", "ldr d1, [x0]\n"));
    cr_expect_not(same_tokens("a.S", "add x0, x0, #1\n", "add x0, x0, #2\n"));
    cr_expect(same_tokens("a.S", "mov eax, [rdi+8]\nvaddps ymm0, ymm1, ymm2\n",
                          "mov r9d, [rsi+8]\nvaddps ymm3, ymm4, ymm5\n"));
}

Test(similar, any_bytes_give_tokens)
{
    static const char *const odd[] = {"\"",   "/*",     "'\\", "#",  "\\",       "a\\",    "0x",
                                      "\"\\", "//\\\n", ".",   "1:", "\xff\x80", LONG_NAME};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        for (size_t f = 0; f < 2; f++) {
            struct tokens tokens = {0};
            tokens_read(&tokens, f == 0 ? "a.c" : "a.S", odd[i], strlen(odd[i]));
            cr_expect_not(tokens.failed);
            tokens_free(&tokens);
        }
}

/* Lines `x += 0; ` and so on, all different. */
static char *lines(unsigned from, unsigned to)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (unsigned i = from; i < to; i++)
        fprintf(out, "x[%u] += y * %u;\n", i, i * i);
    fclose(out);
    return text;
}

static void compare(const char *left, const char *right, const char *both_know, struct sketch_common *common,
                    bool near)
{
    struct sketch_known known = {0};
    struct sketch a = {0}, b = {0};
    sketch_know(&known, "a.c", both_know, strlen(both_know));
    sketch_add(&a, &known, "a.c", left, strlen(left));
    sketch_add(&b, &known, "a.c", right, strlen(right));
    cr_assert(sketch_compare(&a, &b, common));
    cr_expect_eq(sketch_is_near(&a, &b, common), near);
    sketch_free(&a);
    sketch_free(&b);
    sketch_known_free(&known);
}

Test(similar, a_shared_passage_is_found_where_it_stands)
{
    struct sketch_common common;
    char *left = lines(0, 40), *right = lines(30, 100), *whole = lines(0, 100);
    compare(left, right, "", &common, false);
    cr_expect_eq(common.passages_count, 1);
    cr_expect_eq(common.passages[0].in[0].last, 40U);
    cr_expect_leq(common.passages[0].in[0].first, 32U);
    cr_expect_leq(common.passages[0].in[1].last, 11U);
    compare(left, whole, "", &common, true); /* all of the one is in the other */
    cr_expect_gt(common.share[0], 0.99);
    cr_expect_lt(common.share[1], 0.5);
    free(left);
    free(right);
    free(whole);
}

Test(similar, what_everybody_has_and_what_is_short_tells_nothing)
{
    struct sketch_common common;
    char *left = lines(0, 40), *short_one = lines(0, 5);
    compare(left, left, "", &common, true);
    compare(left, left, left, &common, false);
    cr_expect_eq(common.share[0], 0.0);
    compare(short_one, short_one, "", &common, false);
    cr_expect_eq(common.share[0], 1.0);
    free(left);
    free(short_one);
}

static bool same(const char *left, const char *right)
{
    struct sketch_known known = {0};
    struct sketch a = {0}, b = {0};
    sketch_add(&a, &known, "a.c", left, strlen(left));
    sketch_add(&b, &known, "a.c", right, strlen(right));
    const bool is = sketch_is_same(&a, &b);
    sketch_free(&a);
    sketch_free(&b);
    return is;
}

Test(similar, short_answers_are_the_same_but_for_names_layout_and_order)
{
    static const char
        one[] = "int f(int a) { return a * 3 + 1; }\nint g(int b) { return b - 7; }\n",
        moved[] = "int h(int x)\n{\n\treturn (x - 7); // less\n}\nint i(int y) { return y * 3 + 1; }\n",
        other[] = "int f(int a) { return a * 3 + 2; }\nint g(int b) { return b - 7; }\n";
    cr_expect(same(one, moved));
    cr_expect_not(same(one, other));
    cr_expect_not(same("int f(a);", "int f(a);")); /* nobody's own */
}

/* However much is handed in, what is kept of it is bounded. */
Test(similar, an_answer_of_a_million_bytes)
{
    struct sketch_known known = {0};
    struct sketch sketch = {0};
    const size_t size = 1 << 20;
    char *text = malloc(size + 1);
    for (size_t i = 0; i < size; i++)
        text[i] = "a+1-b*"[i * i % 6];
    text[size] = '\0';
    sketch_add(&sketch, &known, "a.c", "int f(int a) { return a; }", 26);
    cr_expect_not(sketch.too_long);
    sketch_add(&sketch, &known, "b.c", text, size);
    cr_expect(sketch.too_long && !sketch.failed && !sketch.marks && sketch.own == 0);
    sketch_add(&sketch, &known, "c.c", "int g;", 6);
    cr_expect(sketch.too_long && sketch.files == 3 && sketch.own == 0);
    sketch_free(&sketch);
    sketch_known_free(&known);
    free(text);
}
