# SPDX-License-Identifier: BSD-3-Clause
# Makes a network like those of the Internet Topology Zoo, as GML for netsim: cities around some centres, linked
# to their nearest neighbours, by a tree that connects all of them, and by some long links. Cities are numbered
# in random order, as in the Zoo.
#
#     awk -v sites=120 -v seed=1 -f bench/support/backbone.awk >backbone.gml

# A random number from 0 to 1 (Park & Miller), the same in every awk.
function random() {
    state = state * 48271 % 2147483647
    return state / 2147483647
}

function distance(a, b,    x, y) {
    x = (lon[a] - lon[b]) * 0.7
    y = lat[a] - lat[b]
    return sqrt(x * x + y * y)
}

function link(a, b) {
    if (a != b && !((a, b) in linked)) {
        linked[a, b] = linked[b, a] = 1
        printf "  edge [ source %d target %d ]\n", a, b
    }
}

# Links a city to the nearest one that is in the tree.
function link_to_tree(a,    b, best) {
    best = 0
    for (b = 1; b < a; b++) {
        if (distance(a, b) < distance(a, best)) {
            best = b
        }
    }
    link(a, best)
}

# Links a city to its two nearest ones.
function link_to_nearest(a,    b, first, second) {
    first = second = -1
    for (b = 0; b < sites; b++) {
        if (b == a) {
            continue
        }
        if (first < 0 || distance(a, b) < distance(a, first)) {
            second = first
            first = b
        } else if (second < 0 || distance(a, b) < distance(a, second)) {
            second = b
        }
    }
    link(a, first)
    link(a, second)
}

BEGIN {
    state = seed * 7919 + 1
    for (i = 0; i < 10; i++) {
        random()
    }
    centres = int(sites / 12) + 1
    for (i = 0; i < centres; i++) {
        centre_lat[i] = 28 + 20 * random()
        centre_lon[i] = -122 + 50 * random()
    }
    print "graph [\n  directed 0"
    for (i = 0; i < sites; i++) {
        c = int(centres * random())
        lat[i] = centre_lat[c] + 4 * (random() - 0.5)
        lon[i] = centre_lon[c] + 5 * (random() - 0.5)
        printf "  node [ id %d label \"City %d\" lat %.3f lon %.3f population %d ]\n", i, i, lat[i], lon[i], \
            1e5 * (1 + int(20 * random() ^ 4))
    }
    for (i = 1; i < sites; i++) {
        link_to_tree(i)
    }
    for (i = 0; i < sites; i++) {
        link_to_nearest(i)
    }
    for (i = 0; i < sites / 20; i++) {
        link(int(sites * random()), int(sites * random()))
    }
    print "]"
}
