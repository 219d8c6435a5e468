#include "grader/base/textfile.h"
#include "grader/core/cores.h"

#include <string.h>
#include "grader/core/core_file.h"

static const char *kind_text(enum core_kind kind)
{
    return kind == CORE_IN_ORDER ? "in order" : "out of order";
}

bool cores_print_list(FILE *out, const char *root, struct error *err)
{
    char **names = core_list(root, err);
    if (!names)
        return false;
    unsigned broken = 0;
    for (char **name = names; *name; name++) {
        struct error why;
        struct core_file *file = core_file_open(root, *name, &why);
        if (!file && broken++ == 0)
            *err = why;
        if (!file)
            fprintf(out, "  %-12s its file is wrong: `make cores CORE=%s` says what\n", *name, *name);
        else
            fprintf(out, "  %-12s %-13s %u wide   %s\n", *name, kind_text(file->core.kind), file->core.width,
                    file->about);
        core_file_close(file);
    }
    fprintf(out,
            "\n`make cores CORE=%s` explains one. A check runs on a core with ON=qemu CORE=%s.\n"
            "What the model is and is not: docs/model.md.\n",
            names[0], names[0]);
    textfile_names_free(names);
    return broken == 0;
}

/* ---- one core ---- */

static void print_note(FILE *out, int column, const char *note)
{
    if (note)
        fprintf(out, "%*s(%s)\n", column, "", note);
}

static void print_figures(FILE *out, const struct core_file *file)
{
    const char *group = "";
    for (unsigned i = 0; i < file->figure_count; i++) {
        const struct core_figure *figure = &file->figures[i];
        if (strcmp(group, figure->group) != 0)
            fprintf(out, "\n%s\n", group = figure->group);
        fprintf(out, "  %-15s %-30s %-58s %s\n", figure->key, figure->value, figure->meaning, figure->source);
        print_note(out, 49, figure->note);
    }
}

static void print_features(FILE *out, const struct core *core)
{
    fputs("extensions of the instruction set:", out);
    for (unsigned bit = 1; bit <= core->features; bit <<= 1)
        if (core->features & bit && core_feature_name(bit))
            fprintf(out, " %s", core_feature_name(bit));
    fputs(core->features ? "\n" : " none\n", out);
}

/* How often such an instruction can begin: its ports and the width decide. In thousandths a cycle. */
static unsigned rate_of(const struct core *core, const struct core_class *timing)
{
    unsigned ports = (unsigned)__builtin_popcount(timing->ports);
    unsigned also = (unsigned)__builtin_popcount(timing->also_ports);
    unsigned slots = timing->uops + timing->more_slots;
    unsigned rate = slots ? core->width * 1000u / slots : core->fetch * 1000u;
    if (ports && timing->uops && ports * 1000 / (timing->uops * timing->busy) < rate)
        rate = ports * 1000 / (timing->uops * timing->busy);
    if (also && also * 1000 / timing->busy < rate)
        rate = also * 1000 / timing->busy;
    return timing->first && rate > 1000 ? 1000 : rate;
}

static void rate_text(unsigned rate, char *text, size_t size)
{
    if (rate == 0)
        snprintf(text, size, "-");
    else if (rate >= 1000 && rate % 1000 == 0)
        snprintf(text, size, "%u a cycle", rate / 1000);
    else if (rate >= 1000)
        snprintf(text, size, "%u.%u a cycle", rate / 1000, rate % 1000 / 100);
    else
        snprintf(text, size, "1 in %u cycles", (1000 + rate / 2) / rate);
}

enum { CLASS_COLUMN = 34 };

static void print_row(FILE *out, const struct core_file *file, const struct core_row *row)
{
    char rate[24], latency[24], ports[CORE_PORTS * 9], also[CORE_PORTS * 9], where[CORE_PORTS * 20];
    const struct core_class *timing = &row->timing;
    if (timing->most)
        snprintf(latency, sizeof latency, "%u-%u", timing->latency, timing->most);
    else
        snprintf(latency, sizeof latency, timing->accumulate ? "%u (%u)" : "%u", timing->latency,
                 timing->accumulate);
    rate_text(rate_of(&file->core, timing), rate, sizeof rate);
    core_port_names(&file->core, timing->ports, ports, sizeof ports);
    core_port_names(&file->core, timing->also_ports, also, sizeof also);

    /* the classes, over as many lines as they need; the figures beside the last one */
    int column = 0;
    for (unsigned i = 0; i < row->classes_count; i++) {
        int length = (int)strlen(row->classes[i]) + (i + 1 < row->classes_count ? 1 : 0);
        if (column > 0 && column + 1 + length > CLASS_COLUMN - 2) {
            fputc('\n', out);
            column = 0;
        }
        column += fprintf(out, "%s%s%s", column ? " " : "  ", row->classes[i],
                          i + 1 < row->classes_count ? "," : "");
    }
    snprintf(where, sizeof where, "%s%s%s%s%s", *ports ? ports : "none", *also ? " and " : "", also,
             timing->each ? ", each register" : "",
             timing->first    ? ", first"
             : timing->serial ? ", serial"
                              : "");
    fprintf(out, "%*s %-8s %-15s %-14s %s\n", CLASS_COLUMN - column, "", latency, rate, where, row->source);
    print_note(out, CLASS_COLUMN + 1, row->note);
}

static void print_classes(FILE *out, const struct core_file *file)
{
    fprintf(out,
            "\nclasses of instructions (`.q`: on 128 bits, where that is different)\n"
            "%-*s %-8s %-15s %-14s %s\n",
            CLASS_COLUMN, "", "latency", "at most", "ports", "source");
    for (unsigned i = 0; i < file->rows_count; i++)
        print_row(out, file, &file->rows[i]);
    fputs("  In brackets: the latency from one accumulator to the next of the same class. 5-12: by the "
          "length of\n"
          "  the quotient. In order: first, only as the first of its cycle; serial, nothing before its "
          "result.\n",
          out);
}

static void print_sources(FILE *out, const struct core_file *file)
{
    unsigned estimates = 0, all = file->figure_count + file->rows_count;
    for (unsigned i = 0; i < file->figure_count; i++)
        estimates += strcmp(file->figures[i].source, "estimate") == 0;
    for (unsigned i = 0; i < file->rows_count; i++)
        estimates += strcmp(file->rows[i].source, "estimate") == 0;
    fputs("\nsources\n", out);
    for (unsigned i = 0; i < file->sources_count; i++)
        fprintf(out, "  %-15s %s\n", file->sources[i].name, file->sources[i].is);
    fprintf(out, "  %-15s nobody has published it: %u of the %u lines above\n", "estimate", estimates, all);
}

bool cores_print_one(FILE *out, const char *root, const char *name, struct error *err)
{
    struct core_file *file = core_file_open(root, name, err);
    if (!file)
        return false;
    const struct core *core = &file->core;
    fprintf(out, "%s (%s): %s\n", core->title, core->name, file->about);
    fprintf(out, "%s, up to %u instructions a cycle\n",
            core->kind == CORE_IN_ORDER ? "In order: an instruction that has to wait holds up all behind it"
                                        : "Out of order: what is ready overtakes what waits",
            core->width);
    print_features(out, core);
    print_figures(out, file);
    fputs("\nports\n", out);
    for (unsigned i = 0; i < core->port_count; i++)
        fprintf(out, "  %-15s %s\n", file->ports[i].name, file->ports[i].is);
    print_classes(out, file);
    print_sources(out, file);
    fprintf(out, "\nThe file: harness/model/cores/%s.yml. How to read it: docs/model.md.\n", core->name);
    core_file_close(file);
    return true;
}
