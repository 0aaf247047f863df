/* SPDX-License-Identifier: MIT */
/* The library libvkreduce-glsl: without a device. */
#include "vkreduce/glsl.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "unit.h"

#define THREADS 4

static const char good[] = "#version 450\n"
                           "#extension GL_GOOGLE_include_directive : require\n"
                           "#include \"vkreduce/hook.glsl\"\n"
                           "uint twice(uint i) { return 2u * i; }\n"
                           "VKR_HOOKS(twice(0u))\n";

static VkrResult compile(const char *text, VkrGlslCode *code)
{
    const VkrGlslInfo info = {.name = "some.glsl", .text = text, .textSize = strlen(text)};
    return vkrCompileGlsl(&info, code);
}

static bool has_name(const VkrGlslCode *code, const char *name)
{
    const char *bytes = (const char *)code->code;
    for (size_t i = 0; i + strlen(name) <= code->codeSize; i++)
        if (memcmp(bytes + i, name, strlen(name)) == 0)
            return true;
    return false;
}

static void test_code(void **state)
{
    static const uint32_t versions[][2] = {{0, 0x10300},
                                           {VK_API_VERSION_1_1, 0x10300},
                                           {VK_API_VERSION_1_2, 0x10500},
                                           {VK_API_VERSION_1_3, 0x10600}};
    (void)state;
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        VkrGlslCode code;
        const VkrGlslInfo info = {
            .text = good, .textSize = sizeof good - 1, .apiVersion = versions[i][0]};
        assert_int_equal(vkrCompileGlsl(&info, &code), VKR_SUCCESS);
        assert_true(code.codeSize > 20 && code.codeSize % 4 == 0);
        assert_int_equal(code.code[0], 0x07230203);
        assert_int_equal(code.code[1], versions[i][1]);
        assert_true(has_name(&code, "twice("));
        assert_string_equal(code.messages, "");
        vkrFreeGlsl(&code);
        assert_null(code.code);
        assert_null(code.messages);
        vkrFreeGlsl(&code);
    }
    vkrFreeGlsl(NULL);
    VkrGlslCode marked;
    assert_int_equal(compile("\xef\xbb\xbf#version 450\r\nvoid main() {}\r\n", &marked),
                     VKR_SUCCESS);
    vkrFreeGlsl(&marked);
}

/* Expects a failure whose messages start as given. */
static void refuse(const char *text, const char *start)
{
    VkrGlslCode code;
    assert_int_equal(compile(text, &code), VKR_ERROR_INVALID_ARGUMENT);
    assert_null(code.code);
    assert_int_equal(code.codeSize, 0);
    assert_non_null(code.messages);
    if (strncmp(code.messages, start, strlen(start)) != 0)
        fail_msg("%s", code.messages);
    vkrFreeGlsl(&code);
}

static void test_errors(void **state)
{
    static const char version[] =
        "some.glsl: error: it must start with a #version of compute shaders";
    (void)state;
    refuse("#version 450\n\nvoid main() { x = 1; }\n",
           "some.glsl:3: error: 'x' : undeclared identifier\n");
    refuse("#version 450\n#include \"other.glsl\"\nvoid main() {}\n",
           "some.glsl:2: error: '#include'");
    refuse("#version 450\n#line 71\nvoid main() { return 1; }\n", "some.glsl:71: error: ");
    refuse("", version);
    refuse("void main() {}\n", version);
    refuse("#version 110\nvoid main() {}\n", version);
    refuse("#version 300 es\nvoid main() {}\n", version);
    refuse("/* #version 450 */ void main() {}\n", version);
    refuse("/* #version 450", version);
    refuse("#version 99999999999999999999\n", version);
    refuse("#version 450\n", "some.glsl: error: ");
    /* Lines that the compiler reads in another way than they look. */
    refuse("#\nversion 450\nvoid main() {}\n", version);
    refuse("// a \\\n#version 450\nvoid main() {}\n", version);
    refuse("// a \\\r\n#version 450\nvoid main() {}\n", version);
    refuse("#version/*a*/450\nvoid main() {}\n", version);
    refuse("#version\n450\nvoid main() {}\n", version);
    refuse("#version 450\\\n0\nvoid main() {}\n", version);
}

/* Texts that nest more than the stack of this thread would hold. */
static void test_nesting(void **state)
{
    static const char *const parts[][3] = {
        {"#version 450\nlayout(binding = 0) buffer B { float x; };\nvoid main() { x = x", "-x",
         "; }\n"},
        {"#version 450\n#if ", "!", "1\n#endif\nvoid main() {}\n"}};
    static char text[100000];
    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        VkrGlslCode code;
        size_t length = (size_t)snprintf(text, sizeof text, "%s", parts[i][0]);
        for (; length < 50000; length += strlen(parts[i][1]))
            memcpy(text + length, parts[i][1], strlen(parts[i][1]));
        (void)snprintf(text + length, sizeof text - length, "%s", parts[i][2]);
        assert_int_equal(compile(text, &code), VKR_SUCCESS);
        vkrFreeGlsl(&code);
    }
}

static void test_arguments(void **state)
{
    VkrGlslCode code;
    (void)state;
    const VkrGlslInfo infos[] = {{.textSize = 5},
                                 {.text = good, .textSize = VKR_MAX_GLSL_SIZE + 1},
                                 {.text = good, .textSize = 1, .apiVersion = VK_API_VERSION_1_0},
                                 {.text = good, .textSize = 1, .apiVersion = 5},
                                 {0}};
    for (size_t i = 0; i < sizeof infos / sizeof infos[0]; i++) {
        assert_int_equal(vkrCompileGlsl(&infos[i], &code), VKR_ERROR_INVALID_ARGUMENT);
        assert_memory_equal(code.messages, "glsl: error: ", strlen("glsl: error: "));
        vkrFreeGlsl(&code);
    }
}

static void *work(void *data)
{
    int *right = data;
    for (int i = 0; i < 5; i++) {
        VkrGlslCode code, wrong;
        const bool is_good = compile(good, &code) == VKR_SUCCESS && has_name(&code, "twice(");
        *right += is_good && compile("#version 450\nx", &wrong) == VKR_ERROR_INVALID_ARGUMENT;
        vkrFreeGlsl(&code);
        vkrFreeGlsl(&wrong);
    }
    return NULL;
}

static void test_threads(void **state)
{
    pthread_t threads[THREADS];
    int right[THREADS] = {0};
    (void)state;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &right[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(right[i], 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_code), cmocka_unit_test(test_errors), cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_arguments), cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
