/* SPDX-License-Identifier: BSD-3-Clause */
/* no_http.c - stands in for the server where libmicrohttpd is missing; see serve.h. */
#include <stdio.h>

#include "serve/serve.h"

int serve_run_server(struct serve *serve)
{
    (void)serve;
    fputs("warpscope serve: this program was built without libmicrohttpd, the library that answers "
          "browsers.\n"
          "Install it and build again. Debian: apt-get install libmicrohttpd-dev\n",
          stderr);
    return WS_EXIT_USAGE;
}
