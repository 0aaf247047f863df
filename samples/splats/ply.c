/* SPDX-License-Identifier: MIT */
/*
 * Reads splats from a .ply file: binary, with little-endian floats, one vertex for each splat.
 *
 *     x y z             the middle; y is down, as in the pictures from which splats are made
 *     f_dc_0 .. f_dc_2  the colour, which is the same from all sides: 0.5 + FLAT times these
 *     opacity           of the middle, before the logistic function
 *     scale_0 ..        logarithms of the standard deviations along the axes
 *     rot_0 .. rot_3    the axes' rotation as a quaternion, whose real part is first
 *
 * Other properties are skipped, such as the colours that depend on the direction.
 */
#include <errno.h>
#include <math.h>
#include <string.h>
#include "app.h"
#include "model.h"

#define FLAT 0.28209479177387814 /* the constant spherical harmonic */
#define LINE 256                 /* bytes of a line of the header, at most */
#define MAX_VERTEX 4096u         /* bytes */
#define MAX_SPLATS 67108864u

enum { X, COLOUR = 3, OPACITY = 6, SCALE, ROTATION = 10, FIELDS = 14 };

/* The properties that are read, and their ranges. */
static const struct {
    const char *name;
    float least, most;
} fields[FIELDS] = {{"x", -1e6f, 1e6f},       {"y", -1e6f, 1e6f},      {"z", -1e6f, 1e6f},
                    {"f_dc_0", -1e3f, 1e3f},  {"f_dc_1", -1e3f, 1e3f}, {"f_dc_2", -1e3f, 1e3f},
                    {"opacity", -1e3f, 1e3f}, {"scale_0", -1e3f, 12},  {"scale_1", -1e3f, 12},
                    {"scale_2", -1e3f, 12},   {"rot_0", -1e6f, 1e6f},  {"rot_1", -1e6f, 1e6f},
                    {"rot_2", -1e6f, 1e6f},   {"rot_3", -1e6f, 1e6f}};

typedef struct ply {
    const char *name;
    FILE *file;
    uint32_t count;
    uint32_t stride;         /* bytes of a vertex */
    uint32_t places[FIELDS]; /* of the properties; 0: missing, else 1 + the offset in bytes */
} ply;

/* ---- The header ---- */

static void read_line(const ply *p, char line[LINE])
{
    if (!fgets(line, LINE, p->file))
        DIE(BAD_INPUT, "%s ends inside its header\n", p->name);
    const size_t length = strcspn(line, "\r\n");
    if (line[length] == '\0')
        DIE(BAD_INPUT, "%s has a header with a line that is too long, or does not end\n", p->name);
    line[length] = '\0';
}

/* The bytes of a property of this type; 0: there is no such type. */
static uint32_t size_of(const char *type)
{
    static const struct {
        const char *name;
        uint32_t size;
    } types[] = {{"char", 1},  {"uchar", 1},  {"short", 2},   {"ushort", 2},
                 {"int", 4},   {"uint", 4},   {"float", 4},   {"double", 8},
                 {"int8", 1},  {"uint8", 1},  {"int16", 2},   {"uint16", 2},
                 {"int32", 4}, {"uint32", 4}, {"float32", 4}, {"float64", 8}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(type, types[i].name) == 0)
            return types[i].size;
    return 0;
}

static void read_property(ply *p, const char *line)
{
    char type[LINE], name[LINE];
    const uint32_t size = sscanf(line, "property %s %s", type, name) == 2 ? size_of(type) : 0;
    if (size == 0)
        DIE(BAD_INPUT, "%s has vertices with '%s', which is not a property of one number\n",
            p->name, line);
    for (uint32_t i = 0; i < FIELDS; i++) {
        if (strcmp(name, fields[i].name) != 0)
            continue;
        if (p->places[i])
            DIE(BAD_INPUT, "%s has two properties %s\n", p->name, name);
        if (strcmp(type, "float") != 0 && strcmp(type, "float32") != 0)
            DIE(BAD_INPUT, "%s has the property %s as %s, but it must be a float\n", p->name, name,
                type);
        p->places[i] = 1 + p->stride;
    }
    p->stride += size;
    if (p->stride > MAX_VERTEX)
        DIE(BAD_INPUT, "%s has vertices of more than %u bytes\n", p->name, MAX_VERTEX);
}

/* The first element must be that of the vertices. */
static void read_element(ply *p, const char *line)
{
    unsigned long long count;
    char end;
    const char *digits = line + sizeof "element vertex " - 1;
    if (strncmp(line, "element vertex ", (size_t)(digits - line)) != 0 ||
        strspn(digits, "0123456789") > 18 || sscanf(digits, "%18llu%c", &count, &end) != 1 ||
        *digits < '0' || *digits > '9')
        DIE(BAD_INPUT, "%s has '%s' where its number of vertices must be\n", p->name, line);
    if (count == 0 || count > MAX_SPLATS)
        DIE(BAD_INPUT, "%s has %llu splats, but 1 to %u are read\n", p->name, count, MAX_SPLATS);
    p->count = (uint32_t)count;
}

static void read_header(ply *p)
{
    char line[LINE];
    uint32_t elements = 0;
    if (!fgets(line, LINE, p->file) || (strcmp(line, "ply\n") != 0 && strcmp(line, "ply\r\n") != 0))
        DIE(BAD_INPUT, "%s is not a .ply file\n", p->name);
    read_line(p, line);
    if (strcmp(line, "format binary_little_endian 1.0") != 0)
        DIE(BAD_INPUT, "%s has '%s', but 'format binary_little_endian 1.0' is read\n", p->name,
            line);
    for (read_line(p, line); strcmp(line, "end_header") != 0; read_line(p, line)) {
        if (strncmp(line, "comment", 7) == 0 || strncmp(line, "obj_info", 8) == 0)
            continue;
        if (strncmp(line, "element ", 8) == 0) {
            if (elements++ == 0)
                read_element(p, line);
        } else if (strncmp(line, "property ", 9) != 0 || elements == 0) {
            DIE(BAD_INPUT, "%s has '%s' in its header, which has no meaning there\n", p->name,
                line);
        } else if (elements == 1) {
            read_property(p, line);
        }
    }
    if (elements == 0)
        DIE(BAD_INPUT, "%s has no vertices\n", p->name);
    for (uint32_t i = 0; i < FIELDS; i++)
        if (p->places[i] == 0)
            DIE(BAD_INPUT, "%s lacks the property %s\n", p->name, fields[i].name);
}

/* ---- The splats ---- */

static void read_values(const ply *p, uint32_t splat, float values[FIELDS])
{
    unsigned char vertex[MAX_VERTEX];
    if (fread(vertex, p->stride, 1, p->file) != 1)
        DIE(BAD_INPUT, "%s ends inside splat %u of %u\n", p->name, splat, p->count);
    for (uint32_t i = 0; i < FIELDS; i++) {
        const unsigned char *b = vertex + p->places[i] - 1;
        const uint32_t bits =
            b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        memcpy(&values[i], &bits, sizeof bits);
        if (!(values[i] >= fields[i].least && values[i] <= fields[i].most))
            DIE(BAD_INPUT, "%s has a splat %u whose %s is %g, but must be from %g to %g\n", p->name,
                splat, fields[i].name, (double)values[i], (double)fields[i].least,
                (double)fields[i].most);
    }
}

/* Makes axes of these lengths along x, y and z, and rotates them. */
static void rotate(vec3 axes[3], const float lengths[3], const double q[4])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3], all = w * w + x * x + y * y + z * z;
    const double turned[3][3] = {
        {w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)},
        {2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)},
        {2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z}};
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++)
            axes[k][c] = (float)(turned[k][c] / all * lengths[k]);
}

static void add_values(const ply *p, model *m, const float v[FIELDS])
{
    const double q[4] = {v[ROTATION], v[ROTATION + 1], v[ROTATION + 2], v[ROTATION + 3]};
    vec3 middle, axes[3], lengths;
    vec4 colour;
    if (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] < 1e-20)
        DIE(BAD_INPUT, "%s has a splat %u whose rotation is 0\n", p->name, m->count);
    for (int c = 0; c < 3; c++) {
        middle[c] = v[X + c];
        lengths[c] = expf(v[SCALE + c]);
        colour[c] = fmaxf((float)(0.5 + FLAT * v[COLOUR + c]), 0);
    }
    colour[3] = 1 / (1 + expf(-v[OPACITY]));
    rotate(axes, lengths, q);
    add_splat(m, middle, (const vec3 *)axes, colour);
}

/* Moves the middle of all splats to where the camera looks, turns the scene to have y up, and makes
 * it as large as the camera's path needs. */
static void fit(model *m)
{
    static const float where[3] = LOOK_AT, signs[3] = {1, -1, -1};
    double middle[3] = {0}, squares = 0, radii = 0;
    for (uint32_t i = 0; i < m->count; i++)
        for (int c = 0; c < 3; c++)
            middle[c] += (double)m->spheres[i][c] / m->count;
    for (uint32_t i = 0; i < m->count; i++) {
        radii += (double)m->spheres[i][3] / REACH / m->count;
        for (int c = 0; c < 3; c++)
            squares += (m->spheres[i][c] - middle[c]) * (m->spheres[i][c] - middle[c]) / m->count;
    }
    const double scale = 1 / (1.1 * sqrt(squares) + 3 * radii + 1e-9);
    for (uint32_t i = 0; i < m->count; i++) {
        float *sphere = m->spheres[i];
        sphere[3] = (float)(sphere[3] * scale);
        for (int c = 0; c < 3; c++) {
            sphere[c] = where[c] + (float)(signs[c] * (sphere[c] - middle[c]) * scale);
            for (int k = 0; k < 3; k++)
                m->shapes[i].axes[k][c] *= (float)(signs[c] * scale);
        }
    }
}

model read_ply(const char *name)
{
    ply p = {.name = name, .file = fopen(name, "rb")};
    float values[FIELDS];
    if (!p.file)
        DIE(BAD_INPUT, "%s cannot be read: %s\n", name, strerror(errno));
    read_header(&p);
    model m = create_model(p.count);
    for (uint32_t i = 0; i < p.count; i++) {
        read_values(&p, i, values);
        add_values(&p, &m, values);
    }
    fclose(p.file);
    fit(&m);
    return m;
}
