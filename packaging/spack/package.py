# SPDX-License-Identifier: BSD-3-Clause
# Recipe for Spack. Put it into a repository of your own, as packages/warpscope/package.py, and set
# git to where the sources are: see docs/installing.md.

from spack.package import *


class Warpscope(CMakePackage):
    """Parallel discrete-event simulator (optimistic, Time Warp, over MPI) that records what
    happens inside it. Models written for ROSS compile against it."""

    git = "file:///path/to/warpscope"

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("curses", default=True, description="Full screen of warpscope top")
    variant("http", default=True, description="Command warpscope serve")
    variant("sqlite", default=True, description="Write SQLite databases")
    variant("metis", default=True, description="Command warpscope partition")
    variant("models", default=False, description="Build the models that come with it")

    depends_on("c", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("pkgconfig", type=("build", "run"))
    depends_on("mpi")
    depends_on("lz4")
    depends_on("xxhash")
    depends_on("zstd")
    depends_on("metis", when="+metis")
    depends_on("ncurses", when="+curses")
    depends_on("libmicrohttpd@0.9.75:", when="+http")
    depends_on("sqlite@3", when="+sqlite")
    depends_on("igraph@0.10:", when="+models")

    def cmake_args(self):
        return [
            self.define("WARPSCOPE_TESTS", False),
            self.define("WARPSCOPE_BENCH", False),
            self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
            self.define_from_variant("WARPSCOPE_MODELS", "models"),
            self.define_from_variant("WARPSCOPE_CURSES", "curses"),
            self.define_from_variant("WARPSCOPE_HTTP", "http"),
            self.define_from_variant("WARPSCOPE_SQLITE", "sqlite"),
        ]
