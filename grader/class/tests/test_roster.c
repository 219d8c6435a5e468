/* Submissions joined with who is in the course. */
#include "grader/class/tests/class_kit.h"

#include "grader/base/names.h"
#include "grader/class/grade_roster.h"

TestSuite(roster, .init = before, .fini = after);

static struct grade_class *joined(const char *text, bool anonymous, struct error *err)
{
    scratch_write("roster.csv", text);
    struct grade_class *class =
        grade_find(scratch_path("in"), (const struct exercise *const *)&exercise, 1, ISA_AARCH64, err);
    cr_assert(class, "%s", err->text);
    if (grade_join_roster(class, scratch_path("roster.csv"), anonymous, err))
        return class;
    grade_class_free(class);
    return NULL;
}

/* "id|name|email|section|safe|found|note", a line a student. */
static void expect(const char *text, bool anonymous, const char *expected)
{
    struct error err = {""};
    char all[4000] = "";
    struct grade_class *class = joined(text, anonymous, &err);
    cr_assert(class, "%s", err.text);
    for (size_t i = 0; i < class->students_count; i++) {
        const struct grade_student *one = &class->students[i];
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s|%s|%s|%s|%s|%d|%s\n", one->id, one->name,
                 one->email, one->section, one->safe, one->entries[0].found == FOUND_FILES,
                 one->note ? one->note : "");
    }
    cr_expect_str_eq(all, expected, "%s", all);
    grade_class_free(class);
}

static void refused(const char *text, bool anonymous, const char *says)
{
    struct error err = {""};
    cr_expect_null(joined(text, anonymous, &err));
    cr_expect(strstr(err.text, says), "`%s`", err.text);
}

static void write_moodle(void)
{
    scratch_write("in/Ada L_900_assignsubmission_file/clamp.c", "1");
    scratch_write("in/Ben K_901_assignsubmission_file/clamp.c", "2");
    scratch_write("in/Jo_902_assignsubmission_file/clamp.c", "3");
    scratch_write("in/Zoe_903_assignsubmission_file/clamp.c", "4");
}

Test(roster, by_name_where_ids_are_others)
{
    write_moodle();
    expect("id,name,email,section\n7,Ada L,ada@example.org,Mon\n8,\"ben k\",,\"Tue, "
           "\"\"late\"\"\"\n9,Jo,,\n10,Jo,,\n\n11,Gil,,Mon\n",
           false,
           "7|Ada L|ada@example.org|Mon|7|1|\n"
           "11|Gil||Mon|11|0|\n"
           "10|Jo|||10|0|a submission that is nobody's could be theirs: no grade goes back\n"
           "9|Jo|||9|0|a submission that is nobody's could be theirs: no grade goes back\n"
           "902|Jo|||902|1|several of the roster are called so\n"
           "903|Zoe|||903|1|not in the roster\n"
           "8|ben k||Tue, \"late\"|8|1|\n");
}

/* Repositories of an assignment, called after it and the login. */
Test(roster, from_repositories)
{
    scratch_write("in/lab-3-ada-l/clamp.c", "1");
    scratch_write("in/lab-3-ben/clamp.c", "2");
    scratch_write("in/lab-3-cem/clamp.c", "3");
    expect("id,name,also\n7,Ada L,x;ada-l\nben,Ben,\n9,Cem,c\nl,Max,\n", false,
           "7|Ada L|||7|1|\n"
           "ben|Ben|||ben|1|\n"
           "9|Cem|||9|0|\n"
           "l|Max|||l|0|\n"
           "lab-3-cem|lab-3-cem|||lab-3-cem|1|not in the roster\n");
}

/* One that came by mail lies beside them, and is nobody else's fault. */
Test(roster, from_repositories_and_by_mail)
{
    scratch_write("in/lab-3-ada/clamp.c", "1");
    scratch_write("in/lab-3-ben/clamp.c", "2");
    scratch_write("in/carla/clamp.c", "3");
    scratch_write("in/anna-maria/clamp.c", "4");
    expect("id,name,also\n7,Ada,ada\nben,Ben,\ncarla,Carla,\n10,Anna Maria,\nmaria,Maria,\n", false,
           "7|Ada|||7|1|\n"
           "10|Anna Maria|||10|1|\n"
           "ben|Ben|||ben|1|\n"
           "carla|Carla|||carla|1|\n"
           "maria|Maria|||maria|0|\n");
}

/* The logins have a part in common, too. */
Test(roster, from_repositories_of_like_logins)
{
    scratch_write("in/lab-3-cs-ada/clamp.c", "1");
    scratch_write("in/lab-3-cs-ben/clamp.c", "2");
    scratch_write("in/lab-3-cs-gil-2/clamp.c", "3");
    expect("id,name,also\n7,Ada,cs-ada\n8,Ben,x; cs-ben\n2,Cem,\n", false,
           "7|Ada|||7|1|\n"
           "8|Ben|||8|1|\n"
           "2|Cem|||2|0|a submission that is nobody's could be theirs: no grade goes back\n"
           "lab-3-cs-gil-2|lab-3-cs-gil-2|||lab-3-cs-gil-2|1|not in the roster\n");
}

Test(roster, from_one_repository)
{
    scratch_write("in/lab-3-ada/clamp.c", "1");
    expect("id,name,also\n7,Ada,ada\n8,Ben,\n", false, "7|Ada|||7|1|\n8|Ben|||8|0|\n");
    expect("id,name,also\n7,Ada,ada\n8,Ben,3-ada\n", false,
           "7|Ada|||7|0|a submission that is nobody's could be theirs: no grade goes back\n"
           "8|Ben|||8|0|a submission that is nobody's could be theirs: no grade goes back\n"
           "lab-3-ada|lab-3-ada|||lab-3-ada|1|several of the roster are called so\n");
}

/* As spreadsheets save it: UTF-16 with tabs, CR alone, blanks that break no line, cells of several lines,
 * rows with nothing in them. */
Test(roster, from_spreadsheets)
{
    static const char utf16[] = "\xff\xfei\0d\0\t\0n\0a\0m\0e\0\r\0\n\0"
                                "7\0\t\0J\0\xf6\0\r\0\n\0";
    struct error err = {""};
    scratch_write("in/7/clamp.c", "1");
    FILE *file = fopen(scratch_path("roster.csv"), "w");
    cr_assert(file && fwrite(utf16, sizeof utf16 - 1, 1, file) == 1 && fclose(file) == 0);
    struct grade_class *class =
        grade_find(scratch_path("in"), (const struct exercise *const *)&exercise, 1, ISA_AARCH64, &err);
    cr_assert(class && grade_join_roster(class, scratch_path("roster.csv"), false, &err), "%s", err.text);
    cr_expect_eq(class->students_count, 1);
    cr_expect_str_eq(class->students[0].name, "J\xc3\xb6");
    grade_class_free(class);
    expect("id;name\r7;J\r", false, "7|J|||7|1|\n");
    expect("id\talso\tname\t\"email\"\n7\t\t\"Lovelace, Ada\"\ta@x\n", false, "7|Lovelace, Ada|a@x||7|1|\n");
    expect("id,name,section\n\xc2\xa0"
           "7 \xc2\xa0,\"Ann\r\nB\",\"a \"\"b\"\"\nc\"\n,,\n;\n",
           false, "7|Ann  B||a \"b\" c|7|1|\n");
    refused("id,name\n1,\"A\nB\"\n1,C\n", false, "roster.csv:4: the id `1` is there already");
    refused("id,name,Name\n", false, "roster.csv:1: the column `name` is there twice");
    refused("id,name\n1,\"A\n2,B\n", false, "roster.csv:2: a quotation mark is missing");
}

Test(roster, by_id_and_by_address)
{
    scratch_write("in/7/clamp.c", "1");
    scratch_write("in/Ben@example.org/clamp.c", "2");
    scratch_write("in/ben/clamp.c", "3");
    expect("\xef\xbb\xbfSection;Email;ID;other\r\nA;ada@example.org;7;x\r\n B ;ben@example.org; 8 ;\r\n",
           false,
           "7|7|ada@example.org|A|7|1|\n"
           "8|8|ben@example.org|B|8|1|\n"
           "ben|ben|||ben|1|not in the roster\n");
    expect("id,email\n7,\nben,ben@example.org\n", false,
           "7|7|||7|1|\n"
           "Ben@example.org|Ben@example.org|||Ben=40example.org|1|the student of line 3 of the roster has "
           "another submission\n"
           "ben|ben|ben@example.org||ben|1|\n");
}

/* Its export has the name in one word, the last name first, and an id that rosters do not have. */
Test(roster, from_canvas)
{
    scratch_write("in/ladam_7001_900_clamp.c", "1");
    scratch_write("in/kben_LATE_7002_901_clamp.c", "2");
    scratch_write("in/nodo_7003_902_clamp.c", "3");
    scratch_write("in/twina_7004_903_clamp.c", "4");
    expect("id,name\ns7,Ada M L\ns8,\"K, Ben\"\ns9,A Twin\ns10,\"Twin, A\"\n", false,
           "s9|A Twin|||s9|0|a submission that is nobody's could be theirs: no grade goes back\n"
           "s7|Ada M L|||s7|1|\n"
           "s8|K, Ben|||s8|1|Canvas marks it as late\n"
           "s10|Twin, A|||s10|0|a submission that is nobody's could be theirs: no grade goes back\n"
           "7003|nodo|||7003|1|not in the roster\n"
           "7004|twina|||7004|1|several of the roster are called so\n");
}

/* Small letters of names that are not in ASCII. */
Test(roster, from_canvas_in_other_letters)
{
    scratch_write("in/петровиван_7001_900_clamp.c", "1");
    scratch_write("in/éluardémile_7002_901_clamp.c", "2");
    scratch_write("in/ωμέγαανα_7003_902_clamp.c", "3");
    expect("id,name\n1,Иван Петров\n2,\"Éluard, Émile\"\n3,ΑΝΑ Ωμέγα\n", false,
           "2|Éluard, Émile|||2|1|\n3|ΑΝΑ Ωμέγα|||3|1|\n1|Иван Петров|||1|1|\n");
}

/* Moodle leaves out of a folder's name what a file's may not have everywhere. */
Test(roster, names_however_they_are_spelled)
{
    scratch_write("in/Anne-Marie OBrien_900_assignsubmission_file/clamp.c", "1");
    scratch_write("in/K, Ben_901_assignsubmission_file/clamp.c", "2");
    scratch_write("in/Zo\xc3\xab M\xc3\xbcller_902_assignsubmission_file/clamp.c", "3");
    expect("id,name\n7,Anne-Marie O'Brien\n8,Ben K\n9,\"M\xc3\xbcller, Zo\xc3\xab\"\n", false,
           "7|Anne-Marie O'Brien|||7|1|\n"
           "8|Ben K|||8|1|\n"
           "9|M\xc3\xbcller, Zo\xc3\xab|||9|1|\n");
}

/* Composed or not, several last names, and capitals of any alphabet: one person. */
Test(roster, names_of_every_spelling)
{
    static const char *const pairs[][2] = {
        {"José Núñez", "Jose\u0301 Nu\u0301n\u0303ez"},
        {"José Núñez", "nu\u0301n\u0303ezjose\u0301"},
        {"Nguyễn Văn Ánh", "Nguye\u0302\u0303n Va\u0306n A\u0301nh"},
        {"Ngô Thị Bậu", "NGÔ THI\u0323 BA\u0323\u0302U"},
        {"김민준", "\u1100\u1175\u11b7\u1106\u1175\u11ab\u110c\u116e\u11ab"},
        {"がくた", "か\u3099くた"},
        {"أحمد", "ا\u0654حمد"},
        {"Йосип Київ", "и\u0306осип киі\u0308в"},
        {"Čapek, Łukasz", "ŁUKASZ ČAPEK"},
        {"İpek Şahin", "s\u0327ahini\u0307pek"},
        {"Ada de la Cruz", "delacruzada"},
        {"van der Berg, Jan", "Jan van der Berg"},
        {"Pat O’Brien", "obrienpat"},
        {"Pat O'Brien-Lee", "Pat OBrien-Lee"},
        {" Ada  L. ", "L,Ada"},
        {"李雷", "李雷"},
        {"d_J 3", "3dj"},
    };
    static const char *const others[][2] = {{"Jo Li", "Jo Lin"},
                                            {"Jo", "Jo Li"},
                                            {"José", "Jose"},
                                            {"", ""},
                                            {"-", "'"},
                                            {"Anna Bo", "Bona An"},
                                            {"Nguyễn Văn", "Nguyễn Vân"},
                                            {"李雷", "李磊"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        cr_expect(name_is_same(pairs[i][0], pairs[i][1]), "%s, %s", pairs[i][0], pairs[i][1]);
        cr_expect(name_is_same(pairs[i][1], pairs[i][0]), "%s, %s", pairs[i][1], pairs[i][0]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_expect_not(name_is_same(others[i][0], others[i][1]), "%s, %s", others[i][0], others[i][1]);
}

/* Who could be two people is nobody, whoever comes first: a namesake who is not in the roster, one whose name
 * Moodle spells as another's, a name that is another one turned round. */
Test(roster, who_could_be_two_people)
{
    scratch_write("in/Jo Li_901_assignsubmission_file/clamp.c", "1");
    scratch_write("in/Jo Li_902_assignsubmission_file/clamp.c", "2");
    scratch_write("in/Pat OBrien_903_assignsubmission_file/clamp.c", "3");
    scratch_write("in/Jo_904_assignsubmission_file/clamp.c", "4");
    expect("id,name\n7,Jo Li\n8,Pat O'Brien\n9,Pat OBrien\n", false,
           "904|Jo|||904|1|not in the roster\n"
           "7|Jo Li|||7|0|a submission that is nobody's could be theirs: no grade goes back\n"
           "901|Jo Li|||901|1|another submission is called so too, and both lead to line 2 of the roster\n"
           "902|Jo Li|||902|1|another submission is called so too, and both lead to line 2 of the roster\n"
           "8|Pat O'Brien|||8|0|a submission that is nobody's could be theirs: no grade goes back\n"
           "9|Pat OBrien|||9|0|a submission that is nobody's could be theirs: no grade goes back\n"
           "903|Pat OBrien|||903|1|several of the roster are called so\n");
    expect("id,name,also\n7,Jo Li,902\n8,Pat O'Brien,903\n9,Pat OBrien,\n", false,
           "904|Jo|||904|1|not in the roster\n"
           "7|Jo Li|||7|1|\n"
           "901|Jo Li|||901|1|the student of line 2 of the roster has another submission\n"
           "8|Pat O'Brien|||8|1|\n"
           "9|Pat OBrien|||9|0|\n");
}

/* Moodle's number of one student is another one's id in the roster. */
Test(roster, numbers_that_are_the_same_by_chance)
{
    write_moodle();
    expect("id,name\n900,Ben K\n901,Ada L\n902,Other\n903,\n", false,
           "903|903|||903|1|\n"
           "901|Ada L|||901|1|\n"
           "900|Ben K|||900|1|\n"
           "Jo_902|Jo|||Jo_902|1|not in the roster: its line 4 has this number as an id, but another name\n"
           "902|Other|||902|0|\n");
    expect("id,name,also\n902,Other,\n10,\"Li, Jo\",902\n900,Ada L\n", false,
           "900|Ada L|||900|1|\n"
           "901|Ben K|||901|1|not in the roster\n"
           "10|Li, Jo|||10|1|\n"
           "902|Other|||902|0|\n"
           "903|Zoe|||903|1|not in the roster\n");
}

/* An id with two names: somebody called themselves like what Canvas writes. */
Test(roster, one_number_with_two_names)
{
    scratch_write("in/x_12_4711_900_clamp.c", "1");
    scratch_write("in/doejane_12_901_clamp.c", "2");
    scratch_write("in/roe_LATE_13_902_clamp.c", "3");
    scratch_write("in/roe_13_903_dot.c", "3");
    expect("id,name\n7,Jane Doe\n8,Roe\n", false,
           "7|Jane Doe|||7|1|Canvas has this id with another name too: look whose the submission is\n"
           "8|Roe|||8|1|Canvas marks it as late\n"
           "x_12|x|||x_12|1|not in the roster; Canvas has this id with another name too: look whose the "
           "submission is\n");
}

/* Two are called the same; the platform's numbers, of this assignment and another one, tell them apart. */
Test(roster, what_else_a_student_is_called)
{
    write_moodle();
    scratch_write("in/Jo_904_assignsubmission_file/clamp.c", "5");
    expect("id,name,also\n7,Ada L,\n8,Ben K,\n9,Jo,811; 904\n10,Jo,902\n11,Zo\xc3\xab A,Zoe;n/a\n", false,
           "7|Ada L|||7|1|\n"
           "8|Ben K|||8|1|\n"
           "10|Jo|||10|1|\n"
           "9|Jo|||9|1|\n"
           "11|Zo\xc3\xab A|||11|1|\n");
}

Test(roster, anonymous)
{
    write_moodle();
    static const char roster[] =
        "id,name,email,pseudonym\n7,Ada L,ada@example.org,owl\n8,Ben K,,cat\n9,Jo,,x y\n10,Zoe,,elk\n";
    expect(roster, true,
           "cat|cat|||cat|1|\n"
           "elk|elk|||elk|1|\n"
           "owl|owl|||owl|1|\n"
           "x y|x y|||x=20y|1|\n");
    struct error err;
    struct grade_class *class = joined(roster, true, &err);
    cr_assert(class);
    cr_expect_eq(grade_called(&class->students[2], "7"), CALLED_BY_ROSTER_ID);
    cr_expect_eq(grade_called(&class->students[2], "Ada L"), CALLED_BY_NAME);
    cr_expect_eq(grade_called(&class->students[2], "owl"), CALLED_BY_ID);
    cr_expect_eq(grade_called(&class->students[2], ""), CALLED_NOT);
    grade_class_free(class);
    refused("id,name\n7,Jos\xe9\n", false, "expected text in UTF-8");
    refused("id,pseudonym\n7,owl\n8,\n", true, "roster.csv:3: expected a pseudonym");
    refused("id,pseudonym\n7,owl\n8,owl\n", true, "the pseudonym `owl` is there already");
}

Test(roster, what_is_none)
{
    write_moodle();
    refused("", false, "roster.csv:1: expected the columns' names");
    refused("name,email\n", false, "roster.csv:1: expected the columns' names");
    refused("id,name\n", false, "expected a line for each student, found none");
    refused("id,name\n7,a\n7,b\n", false, "the id `7` is there already");
    refused("id,name\n7,a,b\n", false, "roster.csv:2: more cells than the first line has");
    refused("id,name\n,a\n", false, "roster.csv:2: expected an id, found none");
    refused("id,name\n7,\"a\n", false, "roster.csv:2: a quotation mark is missing");
    refused("id,name\n7,\"a\"\"\n", false, "roster.csv:2: a quotation mark is missing");
    refused("id,name\n7,\"a\" b\n", false, "roster.csv:2: a quotation mark is missing");
    struct error err = {""};
    struct grade_class *class = joined("id\n1\n", false, &err);
    cr_assert(class);
    cr_expect_not(grade_join_roster(class, scratch_path("none.csv"), false, &err));
    grade_class_free(class);
}

/* Their reports would lie in one folder. */
Test(roster, a_pseudonym_that_is_anothers_id)
{
    scratch_write("in/7/clamp.c", "1");
    scratch_write("in/owl/clamp.c", "2");
    refused("id,pseudonym\n7,owl\n", true, "roster.csv: `owl` is a pseudonym, and a submission");
    expect("id,pseudonym\n7,owl\nowl,cat\n", true, "cat|cat|||cat|1|\nowl|owl|||owl|1|\n");
}

/* What a student's archive and folders are called is not told where the student is called by a pseudonym. */
Test(roster, pseudonyms_in_notes)
{
    struct error err = {""};
    scratch_write("in/Jane Doe.zip", "no archive");
    scratch_write("in/roe/roe_hw/3/clamp.c", "1");
    struct grade_class *class = joined("id,name,pseudonym\n7,Jane Doe,owl\n8,Roe,elk\n", true, &err);
    cr_assert(class, "%s", err.text);
    cr_assert_eq(class->students_count, 2);
    cr_expect_str_eq(class->students[0].entries[0].folder, "elk_hw/3");
    cr_expect(class->students[1].note && !strcasestr(class->students[1].note, "jane") &&
                  strstr(class->students[1].note, "owl.zip is"),
              "`%s`", class->students[1].note);
    grade_class_free(class);
}
