#include "grader/base/names.h"

#include <locale.h>
#include <stddef.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

enum { MOST_LETTERS = 600, MOST_WORDS = 40 };

/* Small letters with a mark, each with the letter that it is made of: what Unicode decomposes of Latin,
 * Greek, Cyrillic, Arabic and kana. To add an alphabet: add its pairs. */
static const struct {
    wchar_t mark;
    const wchar_t *pairs;
} marks[] = {
    {0x0300, L"àaèeìiòoùuǜüǹnѐеѝиḕēṑōẁwầâằăềêồôờơừưỳy"},
    {0x0301, L"áaéeíióoúuýyćcĺlńnŕrśsźzǘüǵgǻåǽæǿø΅¨ΐϊάαέεήηίιΰϋόούυώωϓϒѓгќкḉçḗēḯïḱkḿmṍõṓōṕpṹũẃwấâắăếêốôớơứư"},
    {0x0302, L"âaêeîiôoûuĉcĝgĥhĵjŝsŵwŷyẑzậạệẹộọ"},
    {0x0303, L"ãañnõoĩiũuṽvẫâẵăẽeễêỗôỡơữưỹy"},
    {0x0304, L"āaēeīiōoūuǖüǟäǡȧǣæǭǫȫöȭõȱȯȳyӣиӯуḡgḹḷṝṛ"},
    {0x0306, L"ăaĕeğgĭiŏoŭuйиўуӂжӑаӗеḝȩặạ"},
    {0x0307, L"ċcėeġgżzȧaȯoḃbḋdḟfḣhṁmṅnṗpṙrṡsṥśṧšṩṣṫtẇwẋxẏyẛſ"},
    {0x0308, L"äaëeïiöoüuÿyϊιϋυϔϒёеїіӓаӛәӝжӟзӥиӧоӫөӭэӱуӵчӹыḧhṏõṻūẅwẍxẗt"},
    {0x0309, L"ảaẩâẳăẻeểêỉiỏoổôởơủuửưỷy"},
    {0x030a, L"åaůuẘwẙy"},
    {0x030b, L"őoűuӳу"},
    {0x030c, L"čcďděeľlňnřršsťtžzǎaǐiǒoǔuǚüǧgǩkǯʒǰjȟh"},
    {0x030f, L"ȁaȅeȉiȍoȑrȕuѷѵ"},
    {0x0311, L"ȃaȇeȋiȏoȓrȗu"},
    {0x031b, L"ơoưu"},
    {0x0323, L"ḅbḍdḥhḳkḷlṃmṇnṛrṣsṭtṿvẉwẓzạaẹeịiọoợơụuựưỵy"},
    {0x0324, L"ṳu"},
    {0x0325, L"ḁa"},
    {0x0326, L"șsțt"},
    {0x0327, L"çcģgķkļlņnŗrşsţtȩeḑdḩh"},
    {0x0328, L"ąaęeįiųuǫo"},
    {0x032d, L"ḓdḙeḽlṋnṱtṷu"},
    {0x032e, L"ḫh"},
    {0x0330, L"ḛeḭiṵu"},
    {0x0331, L"ḇbḏdḵkḻlṉnṟrṯtẕzẖh"},
    {0x0653, L"آا"},
    {0x0654, L"أاؤوئيۀەۂہۓے"},
    {0x0655, L"إا"},
    {0x3099,
     L"がかぎきぐくげけごこざさじしずすぜせぞそだたぢちづつでてどとばはびひぶふべへぼほゔうゞゝガカギキグクゲ"
     L"ケゴコザサジシズスゼセゾソダタヂチヅツデテドトバハビヒブフベヘボホヴウヷワヸヰヹヱヺヲヾヽ"},
    {0x309a, L"ぱはぴひぷふぺへぽほパハピヒプフペヘポホ"},
};

/* Of Hangul, syllables are numbered. */
enum { SYLLABLES = 0xac00, LAST_SYLLABLE = 0xd7a3, LEADS = 0x1100, VOWELS = 0x1161, TAILS = 0x11a7 };
enum { VOWEL_COUNT = 21, TAIL_COUNT = 28 };

struct spelled {
    wchar_t letters[MOST_LETTERS];
    size_t count;
    size_t words[MOST_WORDS]; /* where each begins */
    size_t words_count;
};

static bool is_mark(wchar_t c)
{
    return (c >= 0x300 && c <= 0x36f) || (c >= 0x653 && c <= 0x655) || c == 0x3099 || c == 0x309a;
}

/* Marks of one letter in one order, whoever composed it. */
static void add(struct spelled *s, wchar_t c)
{
    size_t at = s->count;
    if (at == MOST_LETTERS || (c == 0x307 && at > 0 && s->letters[at - 1] == L'i')) /* of a capital i */
        return;
    while (is_mark(c) && at > 0 && is_mark(s->letters[at - 1]) && s->letters[at - 1] > c)
        at--;
    memmove(&s->letters[at + 1], &s->letters[at], (s->count - at) * sizeof *s->letters);
    s->letters[at] = c;
    s->count++;
}

static void add_decomposed(struct spelled *s, wchar_t c)
{
    if (c >= SYLLABLES && c <= LAST_SYLLABLE) {
        const int number = (int)c - SYLLABLES, tail = number % TAIL_COUNT;
        add(s, LEADS + number / TAIL_COUNT / VOWEL_COUNT);
        add(s, VOWELS + number / TAIL_COUNT % VOWEL_COUNT);
        if (tail)
            add(s, TAILS + tail);
        return;
    }
    for (size_t i = 0; c >= 0x80 && i < sizeof marks / sizeof *marks; i++)
        for (const wchar_t *pair = marks[i].pairs; *pair; pair += 2)
            if (*pair == c) {
                add_decomposed(s, pair[1]);
                add(s, marks[i].mark);
                return;
            }
    add(s, c);
}

/* The character at *at, which is then behind it. */
static wchar_t take(const char **at)
{
    const unsigned char *c = (const unsigned char *)*at;
    const int more = *c >= 0xf0 ? 3 : *c >= 0xe0 ? 2 : *c >= 0xc2 ? 1 : 0;
    wchar_t whole = more ? *c & (0x3f >> more) : *c;
    for (int i = 1; i <= more; i++) {
        if ((c[i] & 0xc0) != 0x80) {
            *at += 1;
            return *c;
        }
        whole = whole << 6 | (c[i] & 0x3f);
    }
    *at += more + 1;
    return whole;
}

static void spell(const char *name, struct spelled *s)
{
    static locale_t all; /* the caller's may know ASCII alone */
    if (!all)
        all = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    bool between = true;
    s->count = s->words_count = 0;
    while (*name) {
        wchar_t c = take(&name);
        const bool letter =
            is_mark(c) || (all ? iswalnum_l((wint_t)c, all) : c >= 0x80 || iswalnum((wint_t)c));
        if (letter && between && s->words_count < MOST_WORDS)
            s->words[s->words_count++] = s->count;
        between = c == L' ' || c == L',' || c == L'\t' || c == 0xa0 || (between && !letter);
        if (letter)
            add_decomposed(s, (wchar_t)(all ? towlower_l((wint_t)c, all) : towlower((wint_t)c)));
    }
}

/* Is `a` all of `b`, beginning at one of its words? */
static bool is_turned(const struct spelled *a, const struct spelled *b)
{
    for (size_t w = 0; w < b->words_count; w++) {
        const size_t first = b->words[w], rest = b->count - first;
        if (wmemcmp(a->letters, b->letters + first, rest) == 0 &&
            wmemcmp(a->letters + rest, b->letters, first) == 0)
            return true;
    }
    return false;
}

bool name_is_same(const char *a, const char *b)
{
    struct spelled left, right;
    spell(a, &left);
    spell(b, &right);
    return left.count == right.count && left.count > 0 && left.count < MOST_LETTERS &&
           (is_turned(&left, &right) || is_turned(&right, &left));
}
