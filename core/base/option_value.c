/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * option_value.c - reads, checks, stores and prints the value of an option.
 *
 * An option's variable is written with the size that its table states. Models bind 64-bit variables
 * to options of type UINT, and bools to flags; the macros of ross_options.h record the size. A
 * table that was initialised without the member `size` states the size 0. A number then has the
 * natural size of its type, and a string has a buffer of 1024 bytes.
 *
 * The locale has no influence on how numbers are read and written.
 */
#include "base/option_value.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <locale.h>

#include "base/options.h"
#include "text/decimal.h"

#define TEXT_ROOM_UNKNOWN 1024u

/* How the values of a type are read, stored and written. */
struct value_type {
    /* Like option_value_read(), for text that is not empty; of a flag, text may be NULL. */
    bool (*read)(const tw_optdef *def, const char *text, struct option_value *value, char *why,
                 size_t why_size);
    void (*store)(const tw_optdef *def, const struct option_value *value);
    void (*format)(const tw_optdef *def, char *out, size_t out_size);
    size_t size;      /* natural size of the variable in bytes */
    const char *hint; /* placeholder for the value */
};

/* Returns the type of an option; NULL: a title, or an error in the table. */
static const struct value_type *type_of(const tw_optdef *def);

/* Returns the size of the option's variable in bytes. */
static size_t value_size(const tw_optdef *def)
{
    return def->size != 0 ? def->size : type_of(def)->size;
}

static unsigned long long integer_max(const tw_optdef *def)
{
    assert(value_size(def) >= 1 && value_size(def) <= 8);
    return ULLONG_MAX >> (64 - 8 * value_size(def));
}

static bool integer_read(const tw_optdef *def, const char *text, struct option_value *value,
                         char *why, size_t why_size)
{
    const bool digits = text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
    unsigned long long min = 0, max = integer_max(def);
    struct option_range range;

    if (option_hint_range(def, &range)) {
        min = (unsigned long long)range.least;
        max = range.most < (double)max ? (unsigned long long)range.most : max;
    }
    errno = 0;
    value->integer = digits ? strtoull(text, NULL, 10) : 0;
    if (digits && errno == 0 &&
        ((value->integer >= min && value->integer <= max) || (range.or_0 && value->integer == 0))) {
        return true;
    }
    snprintf(why, why_size, "must be %sa whole number from %llu to %llu",
             range.or_0 ? "0, or " : "", min, max);
    return false;
}

/* Returns the number of bits by which the unit letter K, M or G shifts a number of bytes; 0 for
 * other letters. */
static unsigned unit_shift(char letter)
{
    static const char letters[] = "KMG";
    const char *found = letter == '\0' ? NULL : strchr(letters, toupper((unsigned char)letter));

    return found == NULL ? 0 : 10 * (unsigned)(found - letters + 1);
}

static bool bytes_read(const tw_optdef *def, const char *text, struct option_value *value,
                       char *why, size_t why_size)
{
    const unsigned long long max = integer_max(def);
    const size_t digits = strspn(text, "0123456789");
    const unsigned shift = unit_shift(text[digits]);

    errno = 0;
    value->integer = digits > 0 ? strtoull(text, NULL, 10) : 0;
    if (digits > 0 && text[digits + (shift != 0)] == '\0' && errno == 0 &&
        value->integer <= max >> shift) {
        value->integer <<= shift;
        return true;
    }
    snprintf(why, why_size, "must be a number of bytes up to %llu, such as 100000, 64K, 64M or 2G",
             max);
    return false;
}

/* Locales of the calling thread. From locale_enter() to locale_leave(), the thread reads and writes
 * numbers with a decimal point. */
struct plain_locale {
    locale_t plain;  /* locale between the two calls; 0: out of memory, the locale is unchanged */
    locale_t before; /* locale to restore */
};

static struct plain_locale locale_enter(void)
{
    struct plain_locale l = {newlocale(LC_ALL_MASK, "C", (locale_t)0), (locale_t)0};

    if (l.plain != (locale_t)0) {
        l.before = uselocale(l.plain);
    }
    return l;
}

static void locale_leave(struct plain_locale l)
{
    if (l.plain != (locale_t)0) {
        uselocale(l.before);
        freelocale(l.plain);
    }
}

static bool real_read(const tw_optdef *def, const char *text, struct option_value *value, char *why,
                      size_t why_size)
{
    const double max = value_size(def) == sizeof(float) ? FLT_MAX : DBL_MAX;
    const struct plain_locale locale = locale_enter();
    struct option_range range;
    const bool is_limited = option_hint_range(def, &range);
    char *end = NULL;

    value->real = strtod(text, &end);
    const bool is_number = end != text && *end == '\0' && !isspace((unsigned char)text[0]) &&
                           fabs(value->real) <= max; /* false for NaN, too */
    const bool is_in_range = (value->real >= range.least && value->real <= range.most) ||
                             (range.or_0 && value->real == 0);
    if (is_number && is_limited && !is_in_range) {
        snprintf(why, why_size,
                 isinf(range.most) ? "must be %sat least %.10g" : "must be %sfrom %.10g to %.10g",
                 range.or_0 ? "0, or " : "", range.least, range.most);
    } else {
        snprintf(why, why_size, "must be a finite number");
    }
    locale_leave(locale);
    return is_number && (is_in_range || !is_limited);
}

static bool flag_read(const tw_optdef *def, const char *text, struct option_value *value, char *why,
                      size_t why_size)
{
    (void)def;
    value->integer = text == NULL || strcmp(text, "1") == 0;
    if (value->integer != 0 || strcmp(text, "0") == 0) {
        return true;
    }
    snprintf(why, why_size, "is a flag: it must be 0 or 1");
    return false;
}

/* Writes to why a clause with the words that the option accepts: "must be auto, on or off". */
static void words_list(const tw_optdef *def, char *why, size_t why_size)
{
    size_t length, next_length, at = (size_t)snprintf(why, why_size, "must be ");
    const char *word = option_nth_word(def, 0, &length), *next;

    for (unsigned i = 0; word != NULL && at < why_size; i++) {
        next = option_nth_word(def, i + 1, &next_length);
        const char *before = i == 0 ? "" : next == NULL ? " or " : ", ";
        at += (size_t)snprintf(why + at, why_size - at, "%s%.*s", before, (int)length, word);
        word = next;
        length = next_length;
    }
}

static bool word_read(const tw_optdef *def, const char *text, struct option_value *value, char *why,
                      size_t why_size)
{
    size_t length;
    const char *word;

    for (unsigned i = 0; (word = option_nth_word(def, i, &length)) != NULL; i++) {
        if (strlen(text) == length && memcmp(text, word, length) == 0) {
            value->integer = i;
            return true;
        }
    }
    words_list(def, why, why_size);
    return false;
}

static bool text_read(const tw_optdef *def, const char *text, struct option_value *value, char *why,
                      size_t why_size)
{
    const size_t room = value_size(def);

    if (strlen(text) >= room) {
        snprintf(why, why_size, "must not be longer than %zu bytes", room - 1);
        return false;
    }
    value->text = strdup(text);
    if (value->text == NULL) {
        snprintf(why, why_size, "could not be kept: out of memory");
    }
    return value->text != NULL;
}

/* Returns the address of the `size` low-order bytes of an integer. */
static void *low_bytes(uint64_t *integer, size_t size)
{
    const uint16_t one = 1;
    const bool is_big_endian = *(const uint8_t *)&one == 0;

    return (uint8_t *)integer + (is_big_endian ? sizeof(*integer) - size : 0);
}

/* Stores an integer in the option's variable. Copies bytes, since the variable may have any type of
 * the stated size. */
static void integer_store(const tw_optdef *def, const struct option_value *value)
{
    uint64_t integer = value->integer;

    assert(integer <= integer_max(def));
    memcpy(def->value, low_bytes(&integer, value_size(def)), value_size(def));
}

static unsigned long long integer_load(const tw_optdef *def)
{
    uint64_t integer = 0;

    memcpy(low_bytes(&integer, value_size(def)), def->value, value_size(def));
    return integer;
}

static void real_store(const tw_optdef *def, const struct option_value *value)
{
    const double real = value->real;
    const float narrow = (float)real;

    if (value_size(def) == sizeof(float)) {
        memcpy(def->value, &narrow, sizeof(narrow));
    } else {
        memcpy(def->value, &real, sizeof(real));
    }
}

static void text_store(const tw_optdef *def, const struct option_value *value)
{
    memcpy(def->value, value->text, strlen(value->text) + 1);
}

static void integer_format(const tw_optdef *def, char *out, size_t out_size)
{
    snprintf(out, out_size, "%llu", integer_load(def));
}

static void flag_format(const tw_optdef *def, char *out, size_t out_size)
{
    snprintf(out, out_size, "%s", integer_load(def) != 0 ? "on" : "");
}

static void text_format(const tw_optdef *def, char *out, size_t out_size)
{
    snprintf(out, out_size, "%.*s", (int)strnlen(def->value, value_size(def)),
             (const char *)def->value);
}

/* Writes the option's value to out, as the shortest decimal number that reads back as the same
 * value. */
static void real_format(const tw_optdef *def, char *out, size_t out_size)
{
    char digits[DECIMAL_MAX];
    float narrow = 0.0f;
    double real = 0.0;

    if (value_size(def) == sizeof(float)) {
        memcpy(&narrow, def->value, sizeof(narrow));
        decimal_f32(digits, narrow);
    } else {
        memcpy(&real, def->value, sizeof(real));
        decimal_f64(digits, real);
    }
    snprintf(out, out_size, "%s", digits);
}

/* Writes the option's value to out, in the largest unit of which it is a multiple. */
static void bytes_format(const tw_optdef *def, char *out, size_t out_size)
{
    static const char *const units[] = {"", "K", "M", "G"};
    unsigned long long bytes = integer_load(def);
    unsigned unit = 0;

    while (bytes != 0 && bytes % 1024 == 0 && unit < 3) {
        bytes /= 1024;
        unit++;
    }
    snprintf(out, out_size, "%llu%s", bytes, units[unit]);
}

static void word_format(const tw_optdef *def, char *out, size_t out_size)
{
    size_t length;
    const char *word = option_nth_word(def, integer_load(def), &length);

    snprintf(out, out_size, "%.*s", (int)length, word != NULL ? word : "");
}

/* ---- Types ----------------------------------------------------------------------------------- */

static const struct value_type *type_of(const tw_optdef *def)
{
    static const struct value_type types[] = {
        [TWOPTTYPE_ULONG] = {integer_read, integer_store, integer_format, sizeof(long), "N"},
        [TWOPTTYPE_ULONGLONG] = {integer_read, integer_store, integer_format, sizeof(long long),
                                 "N"},
        [TWOPTTYPE_UINT] = {integer_read, integer_store, integer_format, sizeof(int), "N"},
        [TWOPTTYPE_BYTES] = {bytes_read, integer_store, bytes_format, sizeof(long long), "SIZE"},
        [TWOPTTYPE_FLAG] = {flag_read, integer_store, flag_format, sizeof(int), ""},
        [TWOPTTYPE_WORD] = {word_read, integer_store, word_format, sizeof(int), "N"},
        [TWOPTTYPE_STIME] = {real_read, real_store, real_format, sizeof(double), "TIME"},
        [TWOPTTYPE_DOUBLE] = {real_read, real_store, real_format, sizeof(double), "X"},
        [TWOPTTYPE_CHAR] = {text_read, text_store, text_format, TEXT_ROOM_UNKNOWN, "TEXT"},
        [TWOPTTYPE_ARGSFILE] = {text_read, text_store, text_format, TEXT_ROOM_UNKNOWN, "FILE"}};
    bool is_known =
        (size_t)def->type < sizeof types / sizeof *types && types[def->type].read != NULL;

    return is_known ? &types[def->type] : NULL;
}

const char *option_value_check(const tw_optdef *def)
{
    const struct value_type *type = type_of(def);
    size_t length;

    if (def->name == NULL || def->name[0] == '\0' || strpbrk(def->name, "= \t\n") != NULL) {
        return "an option needs a name without blanks";
    }
    if (def->value == NULL) {
        return "the option has no variable";
    }
    if (type == NULL) {
        return "the option's type is unknown";
    }
    if (def->type == TWOPTTYPE_WORD && option_nth_word(def, 1, &length) == NULL) {
        return "its help must begin with its words, as in \"<on|off> ...\"";
    }
    const size_t size = value_size(def);
    if (type->store == integer_store && size != 1 && size != 2 && size != 4 && size != 8) {
        return "its variable must be an unsigned integer";
    }
    return type->store != real_store || size == sizeof(double) || size == sizeof(float)
               ? NULL
               : "its variable must be a double";
}

bool option_value_read(const tw_optdef *def, const char *text, struct option_value *value,
                       char *why, size_t why_size)
{
    char hint[OPTION_HINT_MAX];

    assert(type_of(def) != NULL);
    *value = (struct option_value){0, 0.0, NULL};
    if (def->type != TWOPTTYPE_FLAG && (text == NULL || text[0] == '\0')) {
        snprintf(why, why_size, "needs a value: write --%s=%s", def->name,
                 option_value_hint(def, hint));
        return false;
    }
    return type_of(def)->read(def, text, value, why, why_size);
}

void option_value_store(const tw_optdef *def, const struct option_value *value)
{
    type_of(def)->store(def, value);
}

void option_value_format(const tw_optdef *def, char *out, size_t out_size)
{
    type_of(def)->format(def, out, out_size);
}

/* ---- Help: the placeholder for the value, and the rest of the text --------------------------- */

/* Returns the length in bytes of the word at the start of the help, with its angle brackets; 0 if
 * there is none. */
static size_t hint_length(const tw_optdef *def)
{
    const char *help = def->help == NULL ? "" : def->help;
    const size_t length = help[0] == '<' ? strcspn(help, "> \t\n") : 0;

    return length > 1 && length <= OPTION_HINT_MAX && help[length] == '>' ? length + 1 : 0;
}

bool option_hint_range(const tw_optdef *def, struct option_range *range)
{
    const char *text = hint_length(def) > 0 ? def->help + 1 : "";
    const char *dots = strstr(text, "..");
    char *end = NULL;

    *range = (struct option_range){.or_0 = strncmp(text, "0|", 2) == 0, .most = INFINITY};
    text += range->or_0 ? 2 : 0;
    range->least = strtod(text, &end);
    if (dots == NULL || end == text || (end != dots && end != dots + 1)) {
        return false;
    }
    if (dots[2] != '>') {
        range->most = strtod(dots + 2, &end);
    }
    return dots[2] == '>' || *end == '>';
}

const char *option_value_hint(const tw_optdef *def, char out[OPTION_HINT_MAX])
{
    const struct value_type *type = type_of(def);
    const size_t length = hint_length(def);

    if (length > 0 && (length < 4 || strncmp(def->help + length - 3, "..>", 3) != 0)) {
        snprintf(out, OPTION_HINT_MAX, "%.*s", (int)length - 2, def->help + 1);
    } else {
        snprintf(out, OPTION_HINT_MAX, "%s", type != NULL ? type->hint : "N");
    }
    return out;
}

const char *option_nth_word(const tw_optdef *def, unsigned long long i, size_t *length)
{
    assert(def->type == TWOPTTYPE_WORD);
    const size_t hint = hint_length(def);
    const char *word = hint > 0 ? def->help + 1 : NULL;

    for (; word != NULL && i > 0; i--) {
        word += strcspn(word, "|>");
        word = *word == '|' ? word + 1 : NULL;
    }
    *length = word != NULL ? strcspn(word, "|>") : 0;
    return word;
}

const char *option_help_text(const tw_optdef *def)
{
    const char *text = def->help == NULL ? "" : def->help + hint_length(def);

    return text + strspn(text, " \t\n");
}

/* ---- Durations ------------------------------------------------------------------------------- */

bool duration_read(const char *text, double *value, bool *in_seconds)
{
    char *end;
    *value = strtod(text, &end);
    *in_seconds = end != text && strcmp(end, "s") == 0;
    return end != text && (*end == '\0' || *in_seconds) && *value >= 0.0 && *value <= DBL_MAX;
}
