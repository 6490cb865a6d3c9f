/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * netsim's networks: GML files in all spellings, invalid files and the places of their errors,
 * great-circle delays, the order of arcs.
 */
/* test: libs=netsim_model alone=yes */
#include "common/collective.h"
#include "support/netsim_support.h"

#define NODES "node [ id 1 label \"A\" lat 1 lon 2 ]\nnode [ id 2 label \"B\" lat 3 lon 4 ]\n"

static void test_spellings(void)
{
    static const char *const nodes[] = {
        "node [ id 1 lat 10 lon 20 ] node [ id 2 lat -5 lon 0 ]",
        "node [ id 1 Latitude 10 Longitude 20 ] node [ id 2 Latitude -5 Longitude 0 ]",
        "node [ id 1 y 10 x 20 ] node [ id 2 y -5 x 0 ]",
        "node [ id 1 latitude \"10\" long \"20\" ] node [ id 2 latitude \"-5.0\" long 0 ]",
        "node [ id 1 lat 10 lng 20 ] node [ id 2 LAT -5 Lng 0 ]",
        "node [ id 1 lat 10 lon 20 x 77 y 77 ] node [ id 2 lat -5 x 0 ]",
    };
    static const char *const edges[] = {
        "edge [ source 1 target 2 capacity 2.5e9 ]",
        "edge [ source 1 target 2 Bandwidth 2500000000 ]",
        ("edge [ source 1 target 2 LinkSpeedRaw \"2500000000.0\" LinkSpeed \"2.5\" LinkSpeedUnits "
         "\"G\" ]"),
    };
    for (size_t n = 0; n < sizeof nodes / sizeof *nodes; n++) {
        for (size_t e = 0; e < sizeof edges / sizeof *edges; e++) {
            char text[600];
            snprintf(text, sizeof text, "Creator \"x\"\n# comment\ngraph [ %s %s ]", nodes[n],
                     edges[e]);
            struct ns_topology t;
            struct model_error error = {""};
            bool ok = test_topology(text, &t, &error);
            CU_ASSERT_TRUE(ok);
            if (!ok) {
                printf("%s\n", error.text);
                continue;
            }
            CU_ASSERT_EQUAL(t.sites[0].lat_deg, 10.0);
            CU_ASSERT_EQUAL(t.sites[0].lon_deg, 20.0);
            CU_ASSERT_EQUAL(t.sites[1].lat_deg, -5.0);
            CU_ASSERT_EQUAL(t.sites[1].lon_deg, 0.0);
            CU_ASSERT_EQUAL(t.arcs[0].rate_bps, 2.5e9);
            ns_topology_fini(&t);
        }
    }
}

static void test_defaults(void)
{
    struct ns_topology t;
    struct model_error error;
    CU_ASSERT_TRUE_FATAL(
        test_topology("graph [ node [ id 7 lat 0 lon 0 ] node [ id 9 label \"\" ]\n"
                      "node [ lat 0 lon 0 label 12 ]\n"
                      "edge [ source 9 target 7 delay_ms 2.5 capacity 5 ]\n"
                      "edge [ source 9 target 7 delay 1 ] ]",
                      &t, &error));
    CU_ASSERT_EQUAL(t.n_sites, 3);
    CU_ASSERT_EQUAL(t.n_links, 2);
    CU_ASSERT_EQUAL(t.n_arcs, 4);
    CU_ASSERT_STRING_EQUAL(t.sites[0].label, "node 7");
    CU_ASSERT_STRING_EQUAL(t.sites[1].label,
                           "node 9"); /* without coordinates: its links have delays */
    CU_ASSERT_STRING_EQUAL(t.sites[2].label, "12");
    CU_ASSERT_EQUAL(t.arcs[0].delay_s, 0.0025);
    CU_ASSERT_EQUAL(t.arcs[0].rate_bps, 5.0);
    CU_ASSERT_EQUAL(t.arcs[1].delay_s, 1.0);
    CU_ASSERT_EQUAL(t.arcs[1].rate_bps, 10e9);
    ns_topology_fini(&t);
}

/* Files as collections of real networks have them: nodes without coordinates or links, the same
 * label several times, entities and bytes that are not UTF-8 in labels. */
static void test_gaps(void)
{
    struct ns_topology t;
    struct model_error error = {""};
    CU_ASSERT_TRUE_FATAL(
        test_topology("graph [ node [ id 1 label \"A\" lat 0 lon 0 ]\n"
                      "node [ id 2 label \"legend\" ]\n"
                      "node [ id 3 label \"X\" ] node [ id 4 label \"X\" lat 1 ]\n"
                      "node [ id 5 label \"X (3)\" lat 0 lon 0 ]\n"
                      "edge [ source 1 target 3 ] edge [ source 3 target 4 delay 0.5 ]\n"
                      "edge [ source 5 target 4 ] edge [ source 5 target 1 ] ]",
                      &t, &error));
    CU_ASSERT_EQUAL_FATAL(t.n_sites, 4);
    CU_ASSERT_STRING_EQUAL(t.left_out.text, "\"legend\"");
    CU_ASSERT_STRING_EQUAL(t.sites[0].label, "A");
    CU_ASSERT_STRING_EQUAL(t.sites[1].label, "X (3)");
    CU_ASSERT_STRING_EQUAL(t.sites[2].label, "X (4)");
    CU_ASSERT_STRING_EQUAL(t.sites[3].label, "X (3) (5)");
    CU_ASSERT_STRING_EQUAL(t.no_place.text, "\"X (3)\", \"X (4)\"");
    CU_ASSERT_EQUAL(t.n_default_delay, 2);
    CU_ASSERT_EQUAL(t.arcs[t.arc_begin[0]].delay_s, 0.001);
    CU_ASSERT_EQUAL(t.arcs[t.arc_begin[0] + 1].delay_s, 0.0);
    CU_ASSERT_EQUAL(t.arcs[t.arc_begin[1] + 1].delay_s, 0.5);
    CU_ASSERT_EQUAL(t.arcs[t.arc_begin[3]].delay_s, 0.001);
    ns_topology_fini(&t);
}

/* A list of names says how many did not fit, and a site's name keeps its id when it is cut. */
static void test_names(void)
{
    struct ns_names names = {.n = 0};
    char label[80], expected[16], short_name[64];
    for (int i = 0; i < 100; i++) {
        snprintf(label, sizeof label, "name of site %d", i);
        ns_names_add(&names, label);
    }
    ns_names_end(&names);
    CU_ASSERT_EQUAL(names.n, 100);
    CU_ASSERT_TRUE(names.more > 0 && names.more < 100);
    snprintf(expected, sizeof expected, " and %u more", names.more);
    CU_ASSERT_STRING_EQUAL(names.text + strlen(names.text) - strlen(expected), expected);
    struct ns_site site = {.in_file = "\xc3\x85lesund in Norway",
                           .label = "\xc3\x85lesund in Norway (71)"};
    CU_ASSERT_STRING_EQUAL(ns_site_name(short_name, sizeof short_name, 13, &site),
                           "\xc3\x85lesund  (71)");
    CU_ASSERT_STRING_EQUAL(ns_site_name(short_name, sizeof short_name, 60, &site), site.label);
    CU_ASSERT_STRING_EQUAL(ns_site_name(short_name, 7, 60, &site), " (71)");
}

static void test_text(void)
{
    static const char *const labels[][2] = {
        {"S&#227;o &atilde;&#xE3; Tom&eacute;", "S\xc3\xa3o \xc3\xa3\xc3\xa3 Tom\xc3\xa9"},
        {"&quot;AT&amp;T&quot; &#34;&#38;", "\"AT&T\" \"&"},
        {"&#x1F600;&yuml;&nbsp;&unknown; & &#; &#x;",
         "\xf0\x9f\x98\x80\xc3\xbf\xc2\xa0&unknown; & &#; &#x;"},
        {"&#xD800;&#1114112;&#99999999999;&#10;", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "},
        {"M\xfcnchen", "M\xef\xbf\xbdnchen"},
    };
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        char text[400];
        struct ns_topology t;
        struct model_error error = {""};
        snprintf(text, sizeof text,
                 "\xef\xbb\xbfgraph [ node [ id 1 label \"%s\" lat 0 lon 0 ]\n"
                 "node [ id 2 lat 0 lon 0 ] edge [ source 1 target 2 ] ]",
                 labels[i][0]);
        CU_ASSERT_TRUE_FATAL(test_topology(text, &t, &error));
        CU_ASSERT_STRING_EQUAL(t.sites[0].label, labels[i][1]);
        ns_topology_fini(&t);
    }
}

/* Refuses a text made of a beginning, n times a piece with a number, and an end; the message has to
 * say why. igraph would take much memory or time for each. */
static void refuse_long(const char *begin, unsigned n, const char *piece, const char *end,
                        const char *says)
{
    char *text = malloc(1000 + n * (strlen(piece) + 10));
    size_t used = (size_t)sprintf(text, "%s", begin);
    for (unsigned i = 0; i < n; i++) {
        const char *mark = strchr(piece, '%');
        used += mark == NULL ? (size_t)sprintf(text + used, "%s", piece)
                             : (size_t)sprintf(text + used, "%.*s%u%s", (int)(mark - piece), piece,
                                               i, mark + 1);
    }
    sprintf(text + used, "%s", end);
    struct ns_topology t;
    struct model_error error = {""};
    CU_ASSERT_FALSE(test_topology(text, &t, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, says));
    if (strstr(error.text, says) == NULL) {
        printf("\"%.200s\" lacks \"%s\"\n", error.text, says);
    }
    free(text);
}

#define XML_HEAD                                                                                   \
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"                                                 \
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"                                  \
    "<key id=\"a\" for=\"node\" attr.name=\"Latitude\" attr.type=\"double\"/>\n"                   \
    "<key id=\"b\" for=\"node\" attr.name=\"Longitude\" attr.type=\"double\"/>\n"                  \
    "<key id=\"c\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>\n"                      \
    "<key id=\"d\" for=\"edge\" attr.name=\"LinkSpeedRaw\" attr.type=\"double\"/>\n"               \
    "<graph edgedefault=\"undirected\">\n"
#define XML_END "</graph></graphml>"

static void test_graphml(void)
{
    struct ns_topology t;
    struct model_error error = {""};
    bool read = test_topology(
        XML_HEAD
        "<node id=\"n0\"><data key=\"a\">10</data><data key=\"b\">20</data>"
        "<data key=\"c\">S&#227;o &lt;1&gt;</data></node>\n"
        "<node id=\"Wien\"><data key=\"a\">-5</data><data key=\"b\">0</data></node>\n"
        "<node id=\"7\"/>\n<edge source=\"n0\" target=\"Wien\"><data key=\"d\">2.5e9</data>"
        "</edge><edge source=\"7\" target=\"Wien\"/>" XML_END,
        &t, &error);
    if (!read && strstr(error.text, "disabled") != NULL) {
        return; /* igraph was built without libxml2 */
    }
    CU_ASSERT_TRUE_FATAL(read);
    CU_ASSERT_STRING_EQUAL(t.sites[0].label, "S\xc3\xa3o <1>");
    CU_ASSERT_STRING_EQUAL(t.sites[0].id, "n0");
    CU_ASSERT_STRING_EQUAL(t.sites[1].label, "Wien");
    CU_ASSERT_STRING_EQUAL(t.sites[2].label, "node 7");
    CU_ASSERT_EQUAL(t.sites[0].lat_deg, 10.0);
    CU_ASSERT_EQUAL(t.sites[1].line, 9);
    CU_ASSERT_EQUAL(t.arcs[0].rate_bps, 2.5e9);
    CU_ASSERT_STRING_EQUAL(t.no_place.text, "\"node 7\"");
    ns_topology_fini(&t);
    refuse_long(XML_HEAD, 20000, "<node id=\"n%\"/>\n", XML_END,
                "t.gml:1032: the graph has 20000 nodes");
    refuse_long("<graphml>\n", 300, "<key id=\"k%\" for=\"node\" attr.name=\"k%\"/>\n", XML_END,
                "t.gml:258: there are more than 256 different attributes");
}

/* Arcs are sorted by their start, then as in the file; a directed graph has one per edge. */
static void test_arcs(void)
{
    const char *text =
        "graph [ directed %d\nnode [ id 0 lat 0 lon 0 ]\nnode [ id 1 lat 0 lon 1 ]\n"
        "node [ id 2 lat 0 lon 2 ]\nedge [ source 2 target 1 capacity 1 ]\n"
        "edge [ source 1 target 0 capacity 2 ]\nedge [ source 0 target 1 capacity 3 ]\n"
        "edge [ source 1 target 2 capacity 4 ]\n]";
    static const uint32_t both[8][3] = {{0, 1, 2}, {0, 1, 3}, {1, 2, 1}, {1, 0, 2},
                                        {1, 0, 3}, {1, 2, 4}, {2, 1, 1}, {2, 1, 4}};
    static const uint32_t one[4][3] = {{0, 1, 3}, {1, 0, 2}, {1, 2, 4}, {2, 1, 1}};
    for (int directed = 0; directed < 2; directed++) {
        char copy[600];
        snprintf(copy, sizeof copy, text, directed);
        struct ns_topology t;
        struct model_error error;
        CU_ASSERT_TRUE_FATAL(test_topology(copy, &t, &error));
        CU_ASSERT_EQUAL_FATAL(t.n_arcs, directed ? 4 : 8);
        for (uint32_t a = 0; a < t.n_arcs; a++) {
            const uint32_t *expected = directed ? one[a] : both[a];
            CU_ASSERT_EQUAL(t.arcs[a].from, expected[0]);
            CU_ASSERT_EQUAL(t.arcs[a].to, expected[1]);
            CU_ASSERT_EQUAL(t.arcs[a].rate_bps, expected[2]);
            CU_ASSERT_TRUE(a >= t.arc_begin[expected[0]] && a < t.arc_begin[expected[0] + 1]);
        }
        ns_topology_fini(&t);
    }
}

/* Invalid files, with parts of the expected messages. */
static void test_errors(void)
{
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {"", "t.gml:0: the file is empty"},
        {"hello world", "t.gml:1: not a GML graph"},
        {"graph [\nnode [ id 1\n", "t.gml:3: not a GML graph"},
        {"graph [\nnode [ id 1 ]\nedge [ source 1 target 5 ]\n]", "t.gml:3: not a GML graph"},
        {"<?xml version=\"1.0\"?>\n<graphml/>", "t.gml: not a GraphML graph"},
        {"<?xml version=\"1.0\"?>\n<graphml>\n<graph></graphml>", "t.gml:3: not a GraphML graph"},
        {"<graphml>\n\n<node>\n</graphml>", "t.gml:4: not a GraphML graph: Line 4: Opening"},
        {"graph [ ]", "has 0 nodes"},
        {"graph [ node [ id 1 lat 1 lon 1 ] ]", "has 1 node;"},
        {"graph [\n" NODES "]", "has 0 edges"},
        {"graph [\n" NODES "node [ id 3 lat 91 lon 0 ]\nedge [ source 1 target 2 ]\n]",
         "t.gml:4: node \"node 3\" is at latitude 91"},
        {"graph [\n" NODES "node [ id 3 lat 0 lon -400 ]\nedge [ source 1 target 2 ]\n]",
         "t.gml:4: node \"node 3\" is at latitude 0, longitude -400"},
        {"graph [\n" NODES "edge [ source 1 target 2 ]\n\n edge [ source 2 target 2 ]\n]",
         "t.gml:6: link \"B\" - \"B\" is a loop"},
        {"graph [\n" NODES "edge [ source 1 target 2 capacity 0 ]\n]",
         "t.gml:4: link \"A\" - \"B\" has capacity 0;"},
        {"graph [\n" NODES "edge [ source 1 target 2 capacity -1e9 ]\n]", "has capacity -1e+09;"},
        {"graph [\n" NODES "edge [ source 1 target 2 capacity INF ]\n]", "has capacity inf;"},
        {"graph [\n" NODES
         "edge [ source 1 target 2 ]\nedge [\n source 1\n capacity NaN target 2 ]\n]",
         "t.gml:5: edge 2 of the file: capacity is \"NaN\""},
        {"graph [\n" NODES "edge [ source 1 target 2 capacity \"10G\" ]\n]",
         "t.gml:4: edge 1 of the file: capacity is \"10G\""},
        {"graph [\nnode [ id 1 lat \"north\" lon 1 ]\nnode [ id 2 lat 1 lon 1 ]\n"
         "edge [ source 1 target 2 ]\n]",
         "t.gml:2: node 1 of the file: lat is \"north\""},
        {"graph [\n" NODES "edge [ source 1 target 2 delay -1 ]\n]",
         "t.gml:4: link \"A\" - \"B\" has a delay"},
        {"graph [\n" NODES "edge [ source 1 target 2 delay_ms 1e9 ]\n]", "has a delay of 1e+06 s"},
        {"graph [\nnode [ id 1 lat 1 lon 1 population -5 ]\nnode [ id 2 lat 1 lon 1 ]\n"
         "edge [ source 1 target 2 ]\n]",
         "t.gml:2: node \"node 1\" has population -5"},
        {"graph [\nnode [ id 1 lat 1 lon 1 population 1e-300 ]\nnode [ id 2 lat 1 lon 1 ]\n"
         "edge [ source 1 target 2 ]\n]",
         "t.gml:2: node \"node 1\" has population 1e-300; 1e-06 to 1e+12 are possible"},
        {"graph [\nnode [ id 1 lat \"\x1b[2J\" lon 1 ]\nnode [ id 2 lat 1 lon 1 ]\n"
         "edge [ source 1 target 2 ]\n]",
         "t.gml:2: node 1 of the file: lat is \"?[2J\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ns_topology t;
        struct model_error error = {""};
        CU_ASSERT_FALSE(test_topology(cases[i].text, &t, &error));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, cases[i].says));
        if (strstr(error.text, cases[i].says) == NULL) {
            printf("case %zu: \"%s\" lacks \"%s\"\n", i, error.text, cases[i].says);
        }
    }
}

static void test_too_large(void)
{
    char *text = malloc(200000);
    size_t used = (size_t)sprintf(text, "graph [\n");
    for (int i = 0; i <= NS_MAX_SITES; i++) {
        used += (size_t)sprintf(text + used, "node [ id %d lat 0 lon 0 ]\n", i);
    }
    sprintf(text + used, "edge [ source 0 target 1 ]\n]");
    struct ns_topology t;
    struct model_error error = {""};
    CU_ASSERT_FALSE(test_topology(text, &t, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "t.gml:1026: the graph has 1025 nodes"));
    free(text);
}

#define REST NODES "edge [ source 1 target 2 ]\n]"

static void test_out_of_proportion(void)
{
    const char *word = "has more than 65535 characters";
    refuse_long("graph [\n", 20000, "node [ id % ]\n", REST,
                "t.gml:1026: the graph has 20002 nodes");
    refuse_long("graph [\n" NODES, 40000, "edge [ source 1 target 2 ]\n", "]",
                "t.gml:32772: the graph has 40000 edges");
    refuse_long("graph [\nnode [ id 7 lat 1 lon 1\n", 20000, "a% 1\n", "]\n" REST,
                "t.gml:254: there are more than 256 different attributes");
    refuse_long("graph [\n" NODES "edge [ source 1 target 2\n", 20000, "a% 1\n", "] ]",
                "t.gml:252: there are more than 256 different attributes");
    refuse_long("graph [ a 1b 2e5c -infd 3\n", 2000, "node [ id % ]\n", REST, "has 2002 nodes");
    refuse_long("# a comment\rgraph [\n", 2000, "node [ id % ]\n", REST, "has 2002 nodes");
    refuse_long("graph [ node [ id ", 70000, "1", "] ]", word);
    refuse_long("graph [ label \"", 70000, "x", "\"\n" REST, word);
    refuse_long("# ", 70000, "x", "\ngraph [\n" REST, word);
    refuse_long("graph [ k", 70000, "k", " 1\n" REST, word);
}

/* Against the angle between two vectors, and two distances from an atlas. */
static void test_great_circle(void)
{
    for (int i = 0; i < 1000; i++) {
        double place[2][2];
        double v[2][3];
        for (int k = 0; k < 2; k++) {
            place[k][0] = 180 * random_unit(&seed) - 90;
            place[k][1] = 360 * random_unit(&seed) - 180;
            double lat = place[k][0] * M_PI / 180;
            double lon = place[k][1] * M_PI / 180;
            v[k][0] = cos(lat) * cos(lon);
            v[k][1] = cos(lat) * sin(lon);
            v[k][2] = sin(lat);
        }
        double x = v[0][1] * v[1][2] - v[0][2] * v[1][1];
        double y = v[0][2] * v[1][0] - v[0][0] * v[1][2];
        double z = v[0][0] * v[1][1] - v[0][1] * v[1][0];
        double dot = v[0][0] * v[1][0] + v[0][1] * v[1][1] + v[0][2] * v[1][2];
        double expected = NS_EARTH_RADIUS_M * atan2(sqrt(x * x + y * y + z * z), dot);
        CU_ASSERT_DOUBLE_EQUAL(
            ns_great_circle_m(place[0][0], place[0][1], place[1][0], place[1][1]), expected, 0.1);
    }
    CU_ASSERT_DOUBLE_EQUAL(ns_great_circle_m(90, 0, -90, 123), M_PI * NS_EARTH_RADIUS_M, 0.1);
    CU_ASSERT_DOUBLE_EQUAL(ns_great_circle_m(40.71, -74.01, 38.90, -77.04), 328e3, 1.5e3);
    CU_ASSERT_DOUBLE_EQUAL(ns_great_circle_m(5, 6, 5, 6), 0.0, 0.0);
}

/* Its links; the distances are computed with the spherical law of cosines. */
static const struct {
    const char *from;
    const char *to;
    double km;
} abilene_links[] = {
    {"Seattle", "Sunnyvale", 1138.9},     {"Seattle", "Denver", 1641.4},
    {"Sunnyvale", "Los Angeles", 503.9},  {"Sunnyvale", "Denver", 1504.3},
    {"Los Angeles", "Houston", 2206.8},   {"Denver", "Kansas City", 891.3},
    {"Kansas City", "Houston", 1041.8},   {"Kansas City", "Indianapolis", 730.8},
    {"Houston", "Atlanta", 1127.3},       {"Indianapolis", "Chicago", 263.1},
    {"Indianapolis", "Atlanta", 687.7},   {"Chicago", "New York", 1145.6},
    {"New York", "Washington DC", 327.8}, {"Washington DC", "Atlanta", 872.1},
};

/* Returns true if the arc is the i-th link of the list, in either direction. */
static bool arc_is_link(const struct ns_topology *t, const struct ns_arc *arc, size_t i)
{
    const char *from = t->sites[arc->from].label;
    const char *to = t->sites[arc->to].label;
    return (strcmp(from, abilene_links[i].from) == 0 && strcmp(to, abilene_links[i].to) == 0) ||
           (strcmp(to, abilene_links[i].from) == 0 && strcmp(from, abilene_links[i].to) == 0);
}

/* The backbone that netsim ships, against its published facts. */
static void test_abilene(void)
{
    struct ns_bytes text;
    struct model_error error = {""};
    struct ns_gml gml;
    struct ns_topology t;
    char path[4096];
    snprintf(path, sizeof path, "%s/models/netsim/data/abilene.gml", getenv("WS_SRC"));
    text.data = model_file_read(path, NS_INPUT_MAX_BYTES, &text.size, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text.data);
    CU_ASSERT_TRUE_FATAL(ns_gml_init(&gml, "abilene.gml", &text, &error));
    CU_ASSERT_TRUE_FATAL(ns_topology_init(&t, "abilene.gml", &gml, 1.0, 0.001, &error));
    CU_ASSERT_EQUAL(t.n_sites, 11);
    CU_ASSERT_EQUAL(t.n_links, 14);
    CU_ASSERT_EQUAL(t.n_arcs, 28);
    for (size_t i = 0; i < sizeof abilene_links / sizeof *abilene_links; i++) {
        unsigned found = 0;
        for (uint32_t a = 0; a < t.n_arcs; a++) {
            if (arc_is_link(&t, &t.arcs[a], i)) {
                found++;
                CU_ASSERT_EQUAL(t.arcs[a].rate_bps, 9953.28e6);
                CU_ASSERT_DOUBLE_EQUAL(t.arcs[a].delay_s * 199861.639, abilene_links[i].km, 0.06);
            }
        }
        CU_ASSERT_EQUAL(found, 2);
    }
    ns_topology_fini(&t);
    ns_gml_fini(&gml);
    free(text.data);
}

/* Files with random damage are read or refused, without a crash. */
static void test_damage(void)
{
    const char *good = "# c\ngraph [\n directed 0 node [ id 1 label \"A\" lat 1.5 lon -2e1 ]\n"
                       "node [ id 2 label \"B [\" lat 3 lon 4 graphics [ x 1 ] ]\n"
                       "edge [ source 1 target 2 capacity 1e9 ] ]\n";
    static const char alphabet[] = "[]\"# \n0129.-+eabdgilnort\xff";
    unsigned accepted = 0;
    for (int round = 0; round < 20000; round++) {
        char copy[400];
        snprintf(copy, sizeof copy, "%s", good);
        for (uint32_t k = 1 + test_random_below(4); k > 0; k--) {
            uint32_t at = test_random_below((uint32_t)strlen(good));
            copy[at] = alphabet[test_random_below(sizeof alphabet - 1)];
        }
        struct ns_topology t;
        struct model_error error = {""};
        if (test_topology(copy, &t, &error)) {
            accepted++;
            ns_topology_fini(&t);
        } else if (error.text[0] == '\0') {
            CU_FAIL("a file was refused without a message");
        }
    }
    CU_ASSERT_TRUE(accepted > 100 && accepted < 19000);
}

int main(void)
{
    static const CU_TestInfo tests[] = {
        {"spellings of attributes", test_spellings},
        {"what a file may leave out", test_defaults},
        {"gaps in files", test_gaps},
        {"names of sites in messages and tables", test_names},
        {"entities and bytes that are not UTF-8", test_text},
        {"GraphML", test_graphml},
        {"order of arcs", test_arcs},
        {"wrong files and what is said of them", test_errors},
        {"too many nodes", test_too_large},
        {"files out of proportion", test_out_of_proportion},
        {"great circles", test_great_circle},
        {"the Abilene backbone", test_abilene},
        {"damaged files", test_damage},
    };
    return seeded_suite_run("netsim topology", tests, sizeof tests / sizeof *tests);
}
