#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the pictures of reports in docs/images: records runs, writes their reports, and takes pictures of them in
Chromium.

    scripts/report_pictures.py [BUILD [DIRECTORY]]

The default is build and docs/images. mpirun must be on the PATH."""
import base64
import os
import struct
import subprocess
import sys
import tempfile
import zlib

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(root, "tests/system/python"))
sys.dont_write_bytecode = True
from browser import Browser, find_browser  # noqa: E402

LARGEST = 120_000  # bytes of a picture
PHOLD = ("phold --nlp=256 --nkp=8 --remote=0.5 --hot-lps=300 --lookahead=0.05 --end=1000 --synch=3 --enable-gvt-stats=1 "
         "--granularity=1 --real-time-samp=5 --event-trace=2 --quiet")
NETSIM = ("netsim --load=0.6 --end=0.05 --enable-gvt-stats=1 --granularity=1 --num-gvt=8 --real-time-samp=5 --event-trace=3 --model-stats=4 "
          "--vt-interval=0.0002 --quiet")

# name, report, width, dark, what to choose (shares of the run), sections
PICTURES = [
    ("report-summary", "hot", 1280, False, None, "#top, #summary"),
    ("report-rates", "hot", 1280, False, (0.4, 0.55), "#rates"),
    ("report-phases", "net", 1280, False, None, "#phases"),
    ("report-ahead", "net", 1280, True, (0.2, 0.4), "#ahead"),
    ("report-rollbacks", "hot", 1280, False, None, "#rollbacks"),
    ("report-memory", "hot", 1280, False, None, "#memory"),
    ("report-traffic", "net", 1280, False, None, "#traffic, #offsets"),
    ("report-allows", "net", 1280, False, None, "#allows"),
    ("report-model", "net", 1280, False, None, "#model"),
    ("report-two", "both", 1280, False, None, "#compare"),
    ("report-narrow", "hot", 400, True, None, "#top, #timeline, #summary .tiles, #summary .findings"),
]


def record(build, directory):
    def run(ranks, command, name):
        subprocess.run(["mpirun", "-n", str(ranks), *command.split(), "--stats-path=" + name], cwd=directory, check=True,
                       stdout=subprocess.DEVNULL)

    def report(output, *names):
        subprocess.run(["warpscope", "report", "-o", output + ".html", *names], cwd=directory, check=True,
                       stdout=subprocess.DEVNULL)

    os.environ["PATH"] = os.path.join(build, "bin") + ":" + os.environ["PATH"]
    for turn in "1234":
        run(2, PHOLD, "hot" + turn)
        run(2, PHOLD.replace("--nkp=8", "--nkp=64"), "more-kps" + turn)
    run(2, NETSIM, "net")
    report("hot", "hot1")
    report("net", "net")
    report("both", *(name + turn for name in ("hot", "more-kps") for turn in "1234"))


# Gives a picture as a palette and the numbers of its pixels in it; rare colours become the nearest frequent one.
REDUCE = """(async url => {
  const image = new Image()
  image.src = url
  await image.decode()
  const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  const words = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)
  const counts = new Map()
  for (const word of words) counts.set(word, (counts.get(word) || 0) + 1)
  const palette = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 256).map(([word]) => word)
  const numbers = new Map(palette.map((word, index) => [word, index]))
  const parts = word => [word & 255, word >> 8 & 255, word >> 16 & 255]
  const colours = palette.map(parts)
  const nearest = word => {
    const one = parts(word)
    let best = 0, least = Infinity
    colours.forEach((colour, index) => {
      const far = (colour[0] - one[0]) ** 2 + (colour[1] - one[1]) ** 2 + (colour[2] - one[2]) ** 2
      if (far < least) [best, least] = [index, far]
    })
    return best
  }
  let text = ''
  for (const word of words) {
    if (!numbers.has(word)) numbers.set(word, nearest(word))
    text += String.fromCharCode(numbers.get(word))
  }
  return [image.width, image.height, colours.flat(), btoa(text)]
})"""


def make_small(browser, path):
    """Writes a picture again with a palette of 256 colours."""
    with open(path, "rb") as file:
        url = "data:image/png;base64," + base64.b64encode(file.read()).decode()
    page = browser.open("about:blank")
    width, height, palette, pixels = page.evaluate(f"{REDUCE}({url!r})")
    page.close()
    pixels = base64.b64decode(pixels)
    rows = b"".join(b"\0" + pixels[at * width:(at + 1) * width] for at in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)) +
                   chunk(b"PLTE", bytes(palette)) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main():
    build = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(root, "build"))
    images = os.path.abspath(sys.argv[2] if len(sys.argv) > 2 else os.path.join(root, "docs/images"))
    with tempfile.TemporaryDirectory() as scratch:
        record(build, scratch)
        with Browser(find_browser(), scratch) as browser:
            for name, report, width, dark, chosen, sections in PICTURES:
                page = browser.open(f"file://{scratch}/{report}.html", width=width, dark=dark)
                if chosen:
                    page.drag("#timeline .overlay", *chosen)
                    page.mouse("mouseMoved", 1, 1)
                    page.settle()
                path = os.path.join(images, name + ".png")
                page.screenshot(path, sections)
                page.close()
                make_small(browser, path)
                size = os.path.getsize(path)
                print(f"{path}: {size} bytes")
                if size > LARGEST:
                    sys.exit(f"{path} is too large")


main()
