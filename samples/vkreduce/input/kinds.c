/* SPDX-License-Identifier: MIT */
/* What a file is, by its first bytes. */
#include <string.h>
#include "input/formats.h"
#include "status.h"
#include "system/system.h"

#define START 512u /* bytes that are looked into */

/* Bytes at the start of files of a kind. */
#define MAGIC(text) 0, text, sizeof(text) - 1
#define MAGIC_AT(at, text) at, text, sizeof(text) - 1

typedef struct kind {
    const char *name;
    uint32_t at; /* the position of the bytes */
    const char *magic;
    size_t size;
    const char *first; /* text at the start, in addition to the bytes elsewhere */
    const char *end;   /* of the names of such files */
    open_format *open; /* NULL: the kind is known, but not read */
    const char *remedy;
    const char *raw_remedy; /* more, where raw data can be given .. */
    const char *npy_remedy; /* .. and where it cannot */
} kind;

#define PICTURE "convert it to .png, such as by ImageMagick's convert"
#define ARRAY "load it in Python, and save its array by numpy.save"
#define RECORDS                                                                                    \
    .remedy = ARRAY, .raw_remedy = ", or add --raw, --type, and --offset and --stride of its "     \
                                   "values"
#define COMPRESSED(program) "give what " program " -dc prints, through a pipe with the name -"

static const kind kinds[] = {
    {"a .npy file", MAGIC("\x93NUMPY"), .end = ".npy", .open = npy_open},
    {"a PNG picture", MAGIC("\x89PNG\r\n\x1a\n"), .end = ".png", .open = image_open},
    {"a Radiance picture", MAGIC("#?RADIANCE"), .end = ".hdr", .open = hdr_open},
    {"a Radiance picture", MAGIC("#?RGBE"), .end = ".hdr", .open = hdr_open},
    {"an OpenEXR picture", MAGIC("\x76\x2f\x31\x01"), .end = ".exr", .open = exr_open},
    {"a ZIP archive, such as .npz", MAGIC("PK\3\4"),
     .remedy = "unpack it: unzip makes a .npy file of each array"},
    {"an empty ZIP archive", MAGIC("PK\5\6"), .remedy = "give a .npy file"},
    {"a gzip file", MAGIC("\x1f\x8b\x08"), .remedy = COMPRESSED("gzip")},
    {"an xz file", MAGIC("\xfd\x37zXZ"), .remedy = COMPRESSED("xz")},
    {"a Zstandard file", MAGIC("\x28\xb5\x2f\xfd"), .remedy = COMPRESSED("zstd")},
    {"an LZ4 file", MAGIC("\x04\x22\x4d\x18"), .remedy = COMPRESSED("lz4")},
    {"a bzip2 file", MAGIC_AT(4, "1AY&SY"), .first = "BZh", .remedy = COMPRESSED("bzip2")},
    {"a 7z archive", MAGIC("7z\xbc\xaf\x27\x1c"), .remedy = "unpack it"},
    {"a tar archive", MAGIC_AT(257, "ustar"), .remedy = "unpack it"},
    {"a TIFF picture", MAGIC("II*\0"), .remedy = PICTURE},
    {"a TIFF picture", MAGIC("MM\0*"), .remedy = PICTURE},
    {"a BigTIFF picture", MAGIC("II+\0"), .remedy = PICTURE},
    {"a BigTIFF picture", MAGIC("MM\0+"), .remedy = PICTURE},
    {"a JPEG picture", MAGIC("\xff\xd8\xff"), .remedy = PICTURE},
    {"a WebP picture", MAGIC_AT(8, "WEBP"), .first = "RIFF", .remedy = PICTURE},
    {"a GIF picture", MAGIC("GIF8"), .remedy = PICTURE},
    {"a BMP picture", MAGIC_AT(14, "\x0c\0\0\0"), .first = "BM", .remedy = PICTURE},
    {"a BMP picture", MAGIC_AT(14, "\x28\0\0\0"), .first = "BM", .remedy = PICTURE},
    {"a BMP picture", MAGIC_AT(14, "\x6c\0\0\0"), .first = "BM", .remedy = PICTURE},
    {"a BMP picture", MAGIC_AT(14, "\x7c\0\0\0"), .first = "BM", .remedy = PICTURE},
    {"a PNM picture", MAGIC("P4\n"), .remedy = PICTURE},
    {"a PNM picture", MAGIC("P5\n"), .remedy = PICTURE},
    {"a PNM picture", MAGIC("P6\n"), .remedy = PICTURE},
    {"a PAM picture", MAGIC("P7\n"), .remedy = PICTURE},
    {"a PFM picture", MAGIC("PF\n"), .remedy = ARRAY},
    {"a PFM picture", MAGIC("Pf\n"), .remedy = ARRAY},
    {"a JPEG 2000 picture", MAGIC("\0\0\0\x0cjP  \r\n\x87\n"), .remedy = PICTURE},
    {"a JPEG XL picture", MAGIC("\0\0\0\x0cJXL \r\n\x87\n"), .remedy = PICTURE},
    {"an AVIF picture", MAGIC_AT(4, "ftypavif"), .remedy = PICTURE},
    {"a HEIC picture", MAGIC_AT(4, "ftypheic"), .remedy = PICTURE},
    {"a Photoshop picture", MAGIC("8BPS\0"), .remedy = PICTURE},
    {"a DDS texture", MAGIC("DDS \x7c\0\0\0"), .remedy = PICTURE},
    {"a KTX texture", MAGIC("\xabKTX "), .remedy = PICTURE},
    {"a DICOM picture", MAGIC_AT(128, "DICM"), .remedy = ARRAY},
    {"a FITS file", MAGIC("SIMPLE  ="), .remedy = ARRAY},
    {"a NIfTI volume", MAGIC_AT(344, "n+1\0"), .remedy = ARRAY},
    {"the header of a NIfTI volume", MAGIC_AT(344, "ni1\0"), .remedy = ARRAY},
    {"the header of an ENVI picture", MAGIC("ENVI"),
     .remedy = "its values are in the file beside it, which is raw",
     .raw_remedy = " and needs --type",
     .npy_remedy = ": load them in Python, and save them by numpy.save"},
    {"an HDF5 file", MAGIC("\x89HDF\r\n\x1a\n"), .remedy = ARRAY},
    {"a netCDF file", MAGIC("CDF\1"), .remedy = ARRAY},
    {"a netCDF file", MAGIC("CDF\2"), .remedy = ARRAY},
    {"a netCDF file", MAGIC("CDF\5"), .remedy = ARRAY},
    {"a MATLAB file", MAGIC("MATLAB 5.0 MAT-file"), .remedy = ARRAY},
    {"a Parquet file", MAGIC("PAR1"), .remedy = ARRAY},
    {"an Arrow file", MAGIC("ARROW1\0\0"), .remedy = ARRAY},
    {"a Python pickle", MAGIC("\x80\4\x95"), .remedy = ARRAY},
    {"a Python pickle", MAGIC("\x80\5\x95"), .remedy = ARRAY},
    {"a GGUF model", MAGIC("GGUF"), RECORDS},
    {"a safetensors model", MAGIC_AT(6, "\0\0{\""), RECORDS},
    {"a WAV sound", MAGIC_AT(8, "WAVE"), .first = "RIFF", RECORDS},
    {"a WAV sound", MAGIC_AT(8, "WAVE"), .first = "RF64", RECORDS},
    {"an AIFF sound", MAGIC_AT(8, "AIFF"), .first = "FORM", RECORDS},
    {"an AU sound", MAGIC(".snd"), RECORDS},
    {"a FLAC sound", MAGIC("fLaC"), .remedy = ARRAY},
    {"an Ogg file", MAGIC("OggS"), .remedy = ARRAY},
    {"an AVI film", MAGIC_AT(8, "AVI "), .first = "RIFF", .remedy = ARRAY},
    {"an MP4 film", MAGIC_AT(4, "ftypisom"), .remedy = ARRAY},
    {"an MP4 film", MAGIC_AT(4, "ftypmp4"), .remedy = ARRAY},
    {"a Matroska film", MAGIC("\x1a\x45\xdf\xa3"), .remedy = ARRAY},
    {"a LAS point cloud", MAGIC("LASF"), RECORDS},
    {"an E57 point cloud", MAGIC("ASTM-E57"), .remedy = ARRAY},
    {"a PCD point cloud", MAGIC("# .PCD"), RECORDS},
    {"a PLY mesh", MAGIC("ply\n"), RECORDS},
    {"a PLY mesh", MAGIC("ply\r\n"), RECORDS},
    {"an STL mesh", MAGIC("solid "), .remedy = ARRAY},
    {"a glTF model", MAGIC("glTF\2\0\0\0"), RECORDS},
    {"a VTK file", MAGIC("# vtk DataFile"), RECORDS},
    {"an NRRD volume", MAGIC("NRRD000"), RECORDS},
    {"a GRIB file", MAGIC("GRIB"), .remedy = ARRAY},
    {"a Feather file", MAGIC("FEA1"), .remedy = ARRAY},
    {"an Avro file", MAGIC("Obj\1"), .remedy = ARRAY},
    {"an SQLite database", MAGIC("SQLite format 3\0"), .remedy = ARRAY},
    {"a PDF document", MAGIC("%PDF-"), .remedy = "give the data that it shows, as .npy"},
};

/* An STL mesh of bytes has no magic: a text of 80 bytes comes first, then the number of triangles,
 * and 50 bytes for each of them. */
static const kind binary_stl = {.name = "an STL mesh", RECORDS};
enum { STL_HEADER = 84, STL_TRIANGLE = 50 };

static bool is_binary_stl(const char *start, size_t size, uint64_t all)
{
    uint32_t triangles;
    if (size < STL_HEADER)
        return false;
    memcpy(&triangles, start + STL_HEADER - sizeof triangles, sizeof triangles);
    return triangles > 0 && all == STL_HEADER + (uint64_t)triangles * STL_TRIANGLE;
}

#define KINDS (sizeof kinds / sizeof kinds[0])

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    return length >= strlen(end) && strcasecmp(text + length - strlen(end), end) == 0;
}

static const kind *find_kind(const char *start, size_t size, uint64_t all)
{
    for (const kind *k = kinds; k < kinds + KINDS; k++)
        if (k->at + k->size <= size && memcmp(start + k->at, k->magic, k->size) == 0 &&
            (k->first == NULL || memcmp(start, k->first, strlen(k->first)) == 0))
            return k;
    return is_binary_stl(start, size, all) ? &binary_stl : NULL;
}

/* The kind that is read and that the end of the name indicates, if any. */
static const kind *kind_of_name(const char *name)
{
    for (const kind *k = kinds; k < kinds + KINDS; k++)
        if (k->end != NULL && ends_with(name, k->end))
            return k;
    return NULL;
}

const char *raw_remedy(const input_options *opts)
{
    return opts->type != VKR_TYPE_UNDEFINED
               ? "; if its bytes are values that only look like one, add --raw"
               : "";
}

static int refuse_kind(const input *in, const kind *k, const input_options *opts)
{
    const char *more = opts->role == INPUT_OPERAND ? k->raw_remedy : k->npy_remedy;
    return fail(STATUS_USAGE, "%s: it is %s, which is not read; %s%s%s", in->name, k->name,
                k->remedy, more != NULL ? more : "", raw_remedy(opts));
}

static int refuse_name(const input *in, const kind *k, const input_options *opts)
{
    if (in->size < k->size)
        return fail(STATUS_USAGE,
                    "%s: it has %llu bytes, too few for %s, which its name says it is", in->name,
                    (unsigned long long)in->size, k->name);
    return fail(STATUS_USAGE, "%s: it does not start as %s does, which its name says it is; %s",
                in->name, k->name,
                opts->role == INPUT_OPERAND ? "--raw and --type read its bytes as values"
                                            : "give a file that does");
}

static bool is_text(const char *start, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((start[i] < ' ' || start[i] > '~') && strchr("\t\n\r", start[i]) == NULL)
            return false;
    return size > 0 && memchr(start, '\0', size) == NULL;
}

static int ask_for_type(const input *in, const input_options *opts, const char *start, size_t size)
{
    static const char *const needs[] = {
        [INPUT_OPERAND] = "a raw file needs --type; only .npy, .png, .hdr and .exr files have "
                          "their own",
        [INPUT_OF_PYRAMID] = "it is no picture; a .png, .hdr or .exr file or a two-dimensional "
                             ".npy file is",
        [INPUT_OF_OPTION] = "its values have no type; those of a .npy file have one"};
    return fail(STATUS_USAGE, "%s: %s%s", in->name, needs[opts->role],
                is_text(start, size)
                    ? ", and text, which this seems to be, can be read and saved as .npy in Python"
                    : "");
}

int find_format(const input *in, const input_options *opts, bool is_named, open_format **open)
{
    char start[START];
    const size_t size = (size_t)least(in->size, sizeof start);
    *open = NULL;
    if (opts->raw)
        return opts->type != VKR_TYPE_UNDEFINED
                   ? STATUS_DONE
                   : fail(STATUS_USAGE, "%s: --raw needs --type, the type of the values", in->name);
    int status = input_read(in, 0, size, start);
    if (status != STATUS_DONE)
        return status;
    const kind *found = find_kind(start, size, in->size);
    const kind *named = is_named ? kind_of_name(in->name) : NULL;
    /* The first line of a Radiance picture may name any program. */
    if (found == NULL && named != NULL && named->open == hdr_open && size >= 2 &&
        memcmp(start, "#?", 2) == 0)
        found = named;
    if (found != NULL && found->open == NULL)
        return refuse_kind(in, found, opts);
    if (found != NULL)
        *open = found->open;
    else if (named != NULL)
        return refuse_name(in, named, opts);
    if (in->size == 0 && !opts->allow_empty)
        return STATUS_DONE; /* the caller refuses it */
    return found != NULL || opts->type != VKR_TYPE_UNDEFINED ? STATUS_DONE
                                                             : ask_for_type(in, opts, start, size);
}
