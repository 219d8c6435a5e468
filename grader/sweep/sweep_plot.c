/* The curve of a sweep, drawn by gnuplot. */
#include "grader/sweep/sweep_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "grader/base/textfile.h"
#include "grader/base/tool.h"

enum { LOGARITHMIC_FROM = 32 }; /* times the least value */

/* A text between quotes. */
static void quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void write_axes(const struct sweep *sweep, FILE *out)
{
    const struct sweep_point *points = sweep->points;
    unsigned last = sweep->count - 1;
    fputs("set xlabel ", out);
    quoted(out, sweep->exercise->sweep->says);
    fprintf(out, "\nset ylabel \"%s an element\"\nset yrange [0:*]\nset grid ytics\nset key top right\n",
            sweep->unit);
    if (points[0].value > 0 && points[last].value >= LOGARITHMIC_FROM * points[0].value)
        fputs("set logscale x 2\n", out);
    else /* a step to the left of the first value, for the axis not to hide it */
        fprintf(out, "set xrange [%g:%g]\n", (double)points[0].value - 0.5, (double)points[last].value + 0.5);
    fputs("set xtics (", out);
    for (unsigned i = 0; i <= last; i++)
        fprintf(out, "%s%u", i ? ", " : "", points[i].value);
    fputs(")\n", out);
}

static void write_data(const struct sweep *sweep, FILE *out)
{
    fputs("$curve << END\n", out);
    for (unsigned i = 0; i < sweep->count; i++)
        fprintf(out, "%u %.6f\n", sweep->points[i].value, sweep->points[i].time);
    fputs("END\n", out);
}

static void write_plot(const struct sweep *sweep, FILE *out)
{
    if (isfinite(sweep->predicted) && sweep->predicted <= (double)sweep->points[sweep->count - 1].value)
        fprintf(out,
                "set arrow 1 from first %g, graph 0 to first %g, graph 1 nohead dashtype 2\n"
                "set label 1 \"predicted: %g\" at first %g, graph 0.1 offset 2,0\n",
                sweep->predicted, sweep->predicted, sweep->predicted, sweep->predicted);
    fputs("plot $curve using 1:2 with linespoints pointtype 7 title ", out);
    quoted(out, sweep->where);
    if (isfinite(sweep->baseline))
        fprintf(out, ", %.6f with lines dashtype 3 title \"baseline\"", sweep->baseline);
    fputs("\n", out);
}

char *sweep_plot_script(const struct sweep *sweep, const char *terminal)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "set terminal %s\nset title ", terminal);
    quoted(out, sweep->exercise->title);
    fprintf(out, ".\": %s an element\" noenhanced\n", sweep->unit);
    write_axes(sweep, out);
    write_data(sweep, out);
    write_plot(sweep, out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static char *draw(const struct sweep *sweep, const struct workdir *workdir, const char *terminal,
                  struct error *err)
{
    char *script = sweep_plot_script(sweep, terminal), *drawn = NULL;
    error_set(err, "out of memory");
    char *folder = script ? tool_folder(workdir, "sweep.gp", script, err) : NULL;
    if (folder)
        drawn = tool_run_trusted("gnuplot -d", folder, "sweep.gp", err);
    free(folder);
    free(script);
    return drawn;
}

char *sweep_plot_text(const struct sweep *sweep, const struct workdir *workdir, struct error *err)
{
    return draw(sweep, workdir, "dumb 79 24", err);
}

bool sweep_plot_svg(const struct sweep *sweep, const struct workdir *workdir, const char *path,
                    struct error *err)
{
    char *drawn = draw(sweep, workdir, "svg size 760,440 font \"sans,13\" background \"white\"", err);
    const char *start = drawn ? strstr(drawn, "<?xml") : NULL;
    bool good = start ? textfile_replace(path, start, strlen(start), err)
                      : drawn && error_set(err, "gnuplot drew no SVG: %.200s", drawn);
    free(drawn);
    return good;
}
