/* SPDX-License-Identifier: MIT */
/* The types of elements, as NumPy writes or reads them, and the fields of structured ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "input/npy_header.h"
#include "status.h"

#define MAX_DEPTH 16u  /* of fields in fields */
#define MAX_NAME 256u  /* bytes of a field's name, with the 0 at its end */
#define MAX_NAMES 300u /* bytes of the names in a sentence */

/* ---- One type ---- */

static const struct {
    const char *words; /* one after the other, each with spaces around it */
    VkrType type;
} known[] = {
    {" u1 B uint8 ubyte ", VKR_TYPE_U8},
    {" i1 b int8 byte ", VKR_TYPE_I8},
    {" b1 ? bool bool8 bool_ ", VKR_TYPE_U8},
    {" i2 h int16 short ", VKR_TYPE_I16},
    {" u2 H uint16 ushort ", VKR_TYPE_U16},
    {" i4 i int32 intc ", VKR_TYPE_I32},
    {" u4 I uint32 uintc ", VKR_TYPE_U32},
    {" i8 l q p int64 int int_ int0 intp long longlong ", VKR_TYPE_I64},
    {" u8 L Q P uint64 uint uint0 uintp ulong ulonglong ", VKR_TYPE_U64},
    {" f2 e float16 half ", VKR_TYPE_F16},
    {" f4 f float32 single ", VKR_TYPE_F32},
    {" f8 d float64 float double float_ ", VKR_TYPE_F64},
    /* the type that NumPy writes for arrays of ml_dtypes.bfloat16 */
    {" V2 bfloat16 ", VKR_TYPE_BF16},
};

static const char objects[] = "Python objects";

/* Types that are not read: how they start, the bytes of their unit, and what to do. */
static const struct {
    const char *start;
    uint64_t unit;  /* of the number after the start */
    uint64_t fixed; /* the size if there is no number */
    const char *what, *remedy;
} others[] = {
    {"complex64", 0, 8, "complex numbers", "a.real and a.imag are arrays of floats"},
    {"complex128", 0, 16, "complex numbers", "a.real and a.imag are arrays of floats"},
    {"c", 1, 0, "complex numbers", "a.real and a.imag are arrays of floats"},
    {"F", 0, 8, "complex numbers", "a.real and a.imag are arrays of floats"},
    {"D", 0, 16, "complex numbers", "a.real and a.imag are arrays of floats"},
    {"G", 0, 32, "complex numbers", "a.real and a.imag are arrays of floats"},
    {"S", 1, 0, "strings", "a.astype('f8') makes numbers of strings of digits"},
    {"a", 1, 0, "strings", "a.astype('f8') makes numbers of strings of digits"},
    {"U", 4, 0, "strings", "a.astype('f8') makes numbers of strings of digits"},
    {"M", 1, 8, "dates", "a.view('i8') has their numbers"},
    {"m", 1, 8, "spans of time", "a.view('i8') has their numbers"},
    {"object", 0, 8, objects, "a.astype('f8') makes numbers of them"},
    {"O", 0, 8, objects, "a.astype('f8') makes numbers of them"},
    {"longdouble", 0, 16, "long doubles", "a.astype('f8') makes f64 of them"},
    {"float128", 0, 16, "long doubles", "a.astype('f8') makes f64 of them"},
    {"f16", 0, 16, "long doubles", "a.astype('f8') makes f64 of them"},
    {"g", 0, 16, "long doubles", "a.astype('f8') makes f64 of them"},
    {"V", 1, 0, "bytes without a type", "a.view('u4'), for example, gives them one"},
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* What a type's text means; the type is undefined for one that is not read. */
typedef struct meaning {
    npy_values values;
    uint64_t size;
    const char *what, *remedy;
} meaning;

/* Finds a type that is not read; returns false if there is none. */
static bool find_other(const char *text, meaning *m)
{
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        const size_t length = strlen(others[i].start);
        if (strncmp(text, others[i].start, length) != 0)
            continue;
        const size_t digits = strspn(text + length, "0123456789");
        const char last = text[length + digits];
        if ((last != '\0' && last != '[') || digits > 9 || (digits > 0 && others[i].unit == 0))
            continue;
        m->size =
            digits == 0 ? others[i].fixed : others[i].unit * strtoull(text + length, NULL, 10);
        m->what = others[i].what;
        m->remedy = others[i].remedy;
        return true;
    }
    return false;
}

/* Finds a type. Only short names, of a letter and a size, may follow an order of bytes. */
static bool find_type(const char *text, meaning *m)
{
    char word[20];
    const char order = text[0] != '\0' && strchr("<>=|", text[0]) != NULL ? text[0] : '=';
    *m = (meaning){.values.count = 1};
    text += order == text[0];
    const size_t length = strlen(text);
    if (length == 0 || length > 12 || strchr(text, ' ') != NULL)
        return length > 0 && find_other(text, m);
    snprintf(word, sizeof word, " %s ", text);
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (strstr(known[i].words, word) == NULL || (order != '=' && length > 2))
            continue;
        m->values.type = known[i].type;
        m->size = vkrTypeSize(known[i].type);
        m->values.truth = strstr(known[i].words, " b1 ") != NULL;
        m->values.swapped = order == '>' && m->size > 1 && known[i].type != VKR_TYPE_BF16;
        return true;
    }
    return find_other(text, m);
}

/* Checks that a type is read, of all elements or of a field. */
static bool check_type(npy_text *t, const char *text, const meaning *m, const char *field)
{
    char whose[MAX_NAME + 20] = "its elements are";
    if (m->values.type != VKR_TYPE_UNDEFINED)
        return true;
    if (field != NULL)
        snprintf(whose, sizeof whose, "its field '%s' has", field);
    return npy_wrong(t,
                     "%s %s, of type '%s', which are not read; in Python %s, which numpy.save "
                     "can store",
                     whose, m->what, text, m->remedy);
}

static bool take_word(npy_text *t, char text[MAX_NAME], meaning *m)
{
    npy_text before = *t;
    if (!npy_take_string(t, text, MAX_NAME))
        return npy_wrong(t, "its header has %s where a type is due, such as '<f4'%s",
                         npy_next(&before),
                         *before.at == '{'   ? "; numpy.save does not write this form"
                         : *before.at == '(' ? "; numpy.save does not write this form"
                                             : "");
    return find_type(text, m) ||
           npy_wrong(t,
                     "its type is '%.40s', which is none of b1, i1 to i8, u1 to u8, f2, f4, f8 "
                     "and V2 (bf16)",
                     text);
}

/* ---- Fields ---- */

/* A list of fields. */
typedef struct list {
    const char *path;      /* of the field that is chosen; NULL: none in this list is */
    uint64_t size;         /* of the fields so far, in bytes */
    char names[MAX_NAMES]; /* for a sentence */
    bool found;
    npy_values values; /* of the chosen field */
} list;

static bool take_list(npy_text *t, list *l, unsigned depth);

/* The rest of the path after a name: "" if that is all of it, NULL if it is another name. */
static const char *rest_of(const char *path, const char *name)
{
    const size_t length = strlen(name);
    if (path == NULL || length == 0 || strncmp(path, name, length) != 0 ||
        (path[length] != '\0' && path[length] != '.'))
        return NULL;
    return path + length;
}

/* Parses a field's name, or its title and name; *rest tells whether the path names it. */
static bool take_name(npy_text *t, list *l, const char **rest)
{
    char name[MAX_NAME], title[MAX_NAME] = "";
    npy_text before = *t;
    const bool has_title = npy_take(t, "(");
    if ((has_title && (!npy_take_string(t, title, sizeof title) || !npy_take(t, ","))) ||
        !npy_take_string(t, name, sizeof name) || (has_title && !npy_take(t, ")")))
        return npy_wrong(t, "its header has %s where the name of a field is due",
                         npy_next(&before));
    *rest = l->found ? NULL : rest_of(l->path, name);
    if (*rest == NULL && !l->found)
        *rest = rest_of(l->path, title);
    const size_t length = strlen(l->names);
    if (name[0] != '\0')
        snprintf(l->names + length, sizeof l->names - length, "%s%s", length > 0 ? ", " : "", name);
    return true;
}

/* The number of values in a field's shape; UINT64_MAX if there are too many. */
static uint64_t product(const uint64_t *sizes, uint32_t count)
{
    uint64_t all = 1;
    if (count > MAX_DIMENSIONS)
        return UINT64_MAX;
    for (uint32_t i = 0; i < count; i++)
        all = sizes[i] != 0 && all > (UINT64_C(1) << 40) / sizes[i] ? UINT64_MAX : all * sizes[i];
    return all;
}

/* Checks a chosen field: one of a record needs a path, and one of several values has few. */
static bool choose(npy_text *t, list *l, const char *text, const meaning *m, const list *inner,
                   uint64_t count)
{
    if (inner != NULL && inner->found && count != 1)
        return npy_wrong(t,
                         "its field '%s' lies in an array of records, which is not read; save "
                         "it on its own by numpy.save",
                         l->path);
    if (inner != NULL && !inner->found)
        return npy_wrong(t, "--field is '%s', which %s the fields %s; it must be such as NAME.NAME",
                         l->path, inner->path == NULL ? "has" : "is none of", inner->names);
    l->values = inner != NULL ? inner->values : m->values;
    l->values.offset += l->size;
    l->found = true;
    if (inner != NULL)
        return true;
    l->values.count = count;
    if (count < 1 || count > VKR_MAX_COMPONENTS)
        return npy_wrong(t,
                         "its field '%s' has %llu values in each element; 1 to %u are read, and "
                         "numpy.save can store the field on its own",
                         l->path, (unsigned long long)count, VKR_MAX_COMPONENTS);
    return check_type(t, text, m, l->path);
}

/* Parses a field: (NAME, TYPE) or (NAME, TYPE, SHAPE). */
static bool take_field(npy_text *t, list *l, unsigned depth)
{
    char text[MAX_NAME] = "";
    meaning m = {.size = 0};
    uint64_t sizes[MAX_DIMENSIONS], count = 1;
    uint32_t dimensions = 0;
    const char *rest = NULL;
    if (!npy_take(t, "("))
        return npy_wrong(t, "its header has %s where a field is due, such as ('x', '<f4')",
                         npy_next(t));
    if (!take_name(t, l, &rest))
        return false;
    if (!npy_take(t, ","))
        return npy_wrong(t, "its header has %s after a field's name, where a type is due",
                         npy_next(t));
    const bool is_list = npy_take(t, "[");
    list inner = {.path = rest != NULL && rest[0] == '.' ? rest + 1 : NULL};
    if (is_list ? !take_list(t, &inner, depth + 1) : !take_word(t, text, &m))
        return false;
    if (m.what == objects)
        return npy_wrong(t, "it has fields of Python objects, so that all of it is a pickle; save "
                            "other fields on their own by numpy.save");
    if (npy_take(t, ",") && *t->at != ')') {
        if (!npy_take_shape(t, sizes, MAX_DIMENSIONS, &dimensions))
            return false;
        (void)npy_take(t, ",");
    }
    if (!npy_take(t, ")"))
        return npy_wrong(t, "its header has %s after a field, where ')' is due", npy_next(t));
    count = product(sizes, dimensions);
    const uint64_t size = is_list ? inner.size : m.size;
    if (count > (UINT64_C(1) << 40) / (size + 1) || l->size > UINT64_C(1) << 40)
        return npy_wrong(t, "its elements are too large; at most %llu bytes are read", 1ull << 40);
    if (rest != NULL && (is_list || rest[0] == '\0') &&
        !choose(t, l, text, &m, is_list ? &inner : NULL, count))
        return false;
    l->size += count * size;
    return true;
}

/* Parses the fields after a '[' up to its ']'. */
static bool take_list(npy_text *t, list *l, unsigned depth)
{
    if (depth > MAX_DEPTH)
        return npy_wrong(t, "its fields have fields more than %u times over", MAX_DEPTH);
    while (!npy_take(t, "]")) {
        if (!take_field(t, l, depth))
            return false;
        if (!npy_take(t, ",") && *t->at != ']')
            return npy_wrong(t, "its header has %s after a field, where ',' or ']' is due",
                             npy_next(t));
    }
    return true;
}

bool npy_take_type(npy_text *t, const char *field, npy_header *h)
{
    char text[MAX_NAME];
    meaning m;
    if (!npy_take(t, "[")) {
        if (!take_word(t, text, &m) || !check_type(t, text, &m, NULL))
            return false;
        h->values = m.values;
        h->element = m.size;
        return true;
    }
    list all = {.path = field};
    if (!take_list(t, &all, 0))
        return false;
    if (field == NULL)
        return npy_wrong(t, "its elements have the fields %s; %s", all.names, t->remedy);
    if (!all.found)
        return npy_wrong(t, "--field is '%s', but its elements have the fields %s", field,
                         all.names);
    h->values = all.values;
    h->values.is_field = true;
    h->element = all.size;
    return true;
}
