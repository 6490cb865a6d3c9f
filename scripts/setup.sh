# SPDX-License-Identifier: BSD-3-Clause
# setup.sh - installs what building and testing need, if it is missing. Sourced after steps.sh.
#
#   setup_tools [tests]   what is required; with tests also what tests need, and the optional packages
#   setup_optional_begin  begins to install the optional packages; fails if there is nothing to install
#   setup_optional_end    waits for that; without them, some commands of the reader do less
#
# Looks for each thing by using it (a compiler that compiles, a library that pkg-config finds), so
# hand-installed ones count; where all is there nothing is installed and nothing is asked. On Debian
# and its relatives the missing packages are installed with apt-get, as root or through sudo; on
# other systems, and without the right to install, it says what to install and ends.
#
# Any MPI that is there is used. Otherwise Open MPI is installed: with more ranks than processors it
# gives the processor away while it waits, which Debian's MPICH does not (measured with 4 ranks on
# 2 processors: 4 us against 4500 us for an MPI_Allreduce).

# Folders of MPIs that are not on the PATH until a module is loaded (Fedora, openSUSE).
setup_path() {
    local folder
    command -v mpicc >/dev/null && return
    for folder in /usr/lib64/openmpi/bin /usr/lib64/mpich/bin /usr/lib64/mpi/gcc/openmpi*/bin; do
        if [ -x "$folder/mpicc" ]; then
            PATH=$PATH:$folder
            return
        fi
    done
}

have_compiler() {
    echo '#include <stdio.h>' | "${CC:-cc}" -fsyntax-only -x c - 2>/dev/null
}

have_cmake() {
    local version
    version=$(cmake --version 2>/dev/null | sed -n 's/^cmake version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
    [ -n "$version" ] && set -- $version && [ "$1" -gt 3 -o "$1" -eq 3 -a "$2" -ge 20 ]
}

have_mpi() {
    local suffix=${WARPSCOPE_MPI:+.$WARPSCOPE_MPI}
    [ -z "$suffix" ] || [ ! -x "/usr/lib64/$WARPSCOPE_MPI/bin/mpicc" ] || return 0
    command -v "mpicc$suffix" >/dev/null && command -v "mpiexec$suffix" >/dev/null &&
        "mpicc$suffix" -show >/dev/null 2>&1
}

have_module() {
    pkg-config --exists "$1" 2>/dev/null
}

# d3, with which reports are drawn: where the build looks for it.
have_metis() {
    echo '#include <metis.h>' | "${CC:-cc}" -E - >/dev/null 2>&1
}

have_d3() {
    local file
    [ -z "${WARPSCOPE_D3-}" ] || return 0
    for file in /usr/share/nodejs /usr/share/javascript /usr/lib/node_modules /usr/local/lib/node_modules; do
        [ ! -e "$file/d3/dist/d3.min.js" ] && [ ! -e "$file/d3/d3.min.js" ] || return 0
    done
    return 1
}

# A browser, in which the tests open reports, or a system that packages none (Ubuntu).
have_browser() {
    command -v chromium >/dev/null || command -v chromium-browser >/dev/null ||
        command -v google-chrome-stable >/dev/null || ! apt-cache show chromium >/dev/null 2>&1
}

# Succeeds if clang can build programs with its fuzzer and sanitizers.
have_fuzzer() {
    command -v clang >/dev/null &&
        echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n);
              int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d[n] != 0; }' |
        clang -x c -fsanitize=fuzzer,address,undefined -o /dev/null - >/dev/null 2>&1
}

# Succeeds if setup would install missing packages.
can_install() {
    [ "$(package_manager)" = apt ] && [ "$(privilege)" != no ]
}

# Prints the keys of missing required packages, one per line. $1 is "tests" when the tests are to be built.
missing_tools() {
    have_compiler || echo compiler
    command -v make >/dev/null || echo make
    have_cmake || echo cmake
    command -v pkg-config >/dev/null || echo pkg-config
    have_mpi || echo mpi
    have_module liblz4 || echo lz4
    have_module libxxhash || echo xxhash
    have_module 'igraph >= 0.10' || echo igraph
    [ "${1-}" = tests ] || return 0
    have_module cunit || echo cunit
    command -v python3 >/dev/null || echo python3 # the second reader of the file format
}

# Prints the keys of missing optional packages that setup can install, like missing_tools().
missing_optional() {
    can_install || return 0
    have_module sqlite3 || echo sqlite3
    have_d3 || echo d3
    have_module ncursesw || echo ncurses
    have_module libmicrohttpd || echo microhttpd
    have_metis || echo metis
    have_module libzstd || echo zstd
    [ "${1-}" = tests ] || return 0
    have_fuzzer || echo fuzzer
    command -v gdb >/dev/null || echo gdb
    command -v ip >/dev/null || echo iproute2
    command -v shellcheck >/dev/null || echo shellcheck
    [ "${long-0}" != 1 ] || command -v slurmd >/dev/null || echo slurm
    have_browser || echo chromium
}

# package_names MANAGER KEY: prints the names of the key's packages for this package manager.
package_names() {
    case $1:$2 in
    apt:compiler | apt:make) echo build-essential ;;
    apt:mpi)
        if [ "${WARPSCOPE_MPI-}" = mpich ]; then
            echo libmpich-dev mpich
        else
            echo libopenmpi-dev openmpi-bin
        fi
        ;;
    apt:cunit) echo libcunit1-dev ;;
    apt:slurm) echo slurmctld slurmd slurm-client munge ;;
    apt:d3) echo node-d3 ;;
    apt:fuzzer) echo clang $(apt-cache show libclang-rt-dev >/dev/null 2>&1 && echo libclang-rt-dev) ;;
    apt:lz4 | apt:xxhash | apt:igraph | apt:sqlite3 | apt:ncurses | apt:microhttpd | apt:metis | apt:zstd) echo "lib$2-dev" ;;
    dnf:compiler | zypper:compiler) echo gcc ;;
    dnf:pkg-config) echo pkgconf-pkg-config ;;
    dnf:cunit) echo CUnit-devel ;;
    dnf:mpi | zypper:mpi) echo openmpi-devel ;;
    zypper:lz4) echo liblz4-devel ;;
    dnf:zstd | zypper:zstd) echo libzstd-devel ;;
    dnf:microhttpd | zypper:microhttpd) echo libmicrohttpd-devel ;;
    pacman:microhttpd | brew:microhttpd) echo libmicrohttpd ;;
    dnf:lz4 | dnf:xxhash | dnf:igraph | zypper:xxhash | zypper:igraph | zypper:cunit) echo "$2-devel" ;;
    pacman:compiler | pacman:make) echo base-devel ;;
    pacman:pkg-config) echo pkgconf ;;
    pacman:mpi) echo openmpi ;;
    pacman:python3) echo python ;;
    brew:compiler | brew:make) echo gcc make ;;
    brew:mpi) echo open-mpi ;;
    *) echo "$2" ;;
    esac
}

# Prints the package manager of this system, or nothing.
package_manager() {
    local manager
    for manager in apt-get dnf pacman zypper brew; do
        if command -v $manager >/dev/null; then
            echo ${manager%-get}
            return
        fi
    done
}

# Prints how to become root for one command: "", "sudo", or "no".
privilege() {
    if [ "$(id -u)" -eq 0 ]; then
        echo ""
    elif ! command -v sudo >/dev/null; then
        echo no
    elif sudo -n true 2>/dev/null; then
        echo sudo
    elif [ -t 0 ] && [ -z "${CI-}" ]; then
        echo sudo # it will ask for the password
    else
        echo no
    fi
}

install_command() {
    case $1 in
    apt) echo "apt-get install" ;;
    dnf) echo "dnf install" ;;
    pacman) echo "pacman -S" ;;
    zypper) echo "zypper install" ;;
    brew) echo "brew install" ;;
    esac
}

# apt-get as root or through sudo ($1); waits for another apt-get, and is not interactive.
apt() {
    local become=$1
    shift
    ${become:+$become} env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
        -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 "$@"
}

# $1: "" or sudo; the rest: packages. The update may fail for one of several sources: if a package cannot be
# found, the installation reports it. A second installation has the lists already.
apt_install() {
    local become=$1
    shift
    [ -n "${apt_has_lists-}" ] || apt "$become" update || echo "apt-get update failed; going on with the existing lists"
    apt_has_lists=yes
    apt "$become" install --no-install-recommends "$@"
}

# packages_of MANAGER KEY...: prints the packages of the keys, on one line.
packages_of() {
    local manager=$1 key
    shift
    for key in "$@"; do package_names "$manager" "$key"; done | tr ' ' '\n' | sort -u | tr '\n' ' '
}

setup_tools() {
    local missing manager become packages
    setup_path
    missing=$(missing_tools "${1-}")
    [ "${1-}" != tests ] || missing=$(echo $missing $(missing_optional tests))
    if [ -z "$missing" ]; then
        say "Set-up: everything needed is installed"
        return
    fi
    manager=$(package_manager)
    [ -n "$manager" ] || die "Missing: $(echo $missing). This system has none of the package managers
that this script knows (apt-get, dnf, pacman, zypper, brew). Install a C compiler, make,
CMake 3.20 or later, pkg-config, an MPI, and the libraries lz4, xxhash, igraph 0.10 or later${1:+, and CUnit and python3}."
    packages=$(packages_of "$manager" $missing)
    become=$(privilege)
    if [ "$manager" != apt ] || [ "$become" = no ]; then
        setup_explain "$manager" "$become" "$packages" "$missing"
    fi
    say "Set-up: installing with ${become:+$become }apt-get: $packages"
    if [ -n "$become" ] && ! sudo -n true 2>/dev/null; then
        sudo true || setup_explain "$manager" no "$packages" "$missing"
    fi
    step "Installing" "$LOGS/setup.log" apt_install "$become" $packages
    setup_path
    hash -r
    missing=$(missing_tools "${1-}")
    [ -z "$missing" ] || die "Still missing after the installation: $(echo $missing).
The log of the installation: $LOGS/setup.log"
}

setup_optional_begin() {
    local missing become
    missing=$(missing_optional)
    [ -n "$missing" ] || return
    become=$(privilege)
    [ -z "$become" ] || sudo -n true 2>/dev/null || return # nobody answers in the background
    optional_packages=$(packages_of apt $missing)
    say "Set-up: installing in the background with ${become:+$become }apt-get: $optional_packages"
    mkdir -p "$LOGS"
    apt_install "$become" $optional_packages >"$LOGS/setup-optional.log" 2>&1 </dev/null &
    optional_job=$!
}

setup_optional_end() {
    try_step "Waiting for these packages" "$LOGS/setup-wait.log" wait "$optional_job" ||
        say "Going on without $optional_packages(log: $LOGS/setup-optional.log)"
}

# Prints what to install by hand, and ends.
setup_explain() {
    local manager=$1 become=$2 packages=$3 missing=$4 why how="as root"
    if [ "$manager" != apt ]; then
        why="This script installs with apt-get only."
        [ "$manager" != brew ] || how="yourself"
    else
        why="Installing needs root, and sudo is missing or asks for a password."
    fi
    die "Missing: $(echo $missing). $why
Install these packages $how (or ask the administrator of this machine) and start again:

    $(install_command "$manager") $packages"
}
