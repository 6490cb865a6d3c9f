// SPDX-License-Identifier: BSD-3-Clause
// Distributions: how many events a rollback undid, by how much virtual time events were sent ahead.

const HISTOGRAM_HEIGHT = 150
const BAR_WIDEST = 90

// Draws a histogram: histogramView({ run, title, histogram: { edges, counts, over_time... }, unit, what,
// marks }).
//
// The edges grow by factors or by steps, so that all bars have the same width. The bars follow the chosen
// range if they are known over time; otherwise a note states that they are those of the whole run.
// marks(spread): returns the lines to draw at values of the spread, such as the mean.
function histogramView({ run, title, histogram, unit, what, marks }) {
  const { edges } = histogram
  const bars = histogram.counts.length
  const follows = Boolean(histogram.over_time && spanOf(run, 'wall'))
  let counts
  let total
  let zeros
  let lines
  const count = () => {
    const chosen = follows && rangeOn(run, 'wall') ? spreadIn(run, 'wall', histogram, bars, 1) : null
    counts = chosen ? chosen.counts.slice(0, bars).map(Math.round) : histogram.counts
    zeros = chosen ? Math.round(chosen.counts[bars]) : histogram.zeros || 0
    total = d3.sum(counts)
    lines = marks ? marks(chosen || histogram) : []
  }
  count()
  const drawing = svg('svg', { class: 'histogram', tabindex: 0, role: 'group', 'aria-roledescription': 'histogram',
    'aria-label': title + '. Left and right read the bars.' })
  const place = el('div', { style: { height: HISTOGRAM_HEIGHT + 44 + 'px' } }, drawing)
  const line = readingLine()
  let cursor = null
  const edgeText = (value) => unit === 'events' ? formatShort(value)
    : formatPlain(isNumber(value) && !Number.isInteger(value) ? Number(value.toPrecision(3)) : value)
  const sentence = (bar) => edgeText(edges[bar]) + ' to ' + edgeText(edges[bar + 1]) + ' ' + unit + ': ' +
    formatCount(counts[bar]) + ' ' + what + ', ' + formatPercent(total > 0 ? counts[bar] / total * 100 : 0)
  const draw = () => {
    const width = Math.floor(place.getBoundingClientRect().width)
    if (width <= 0) return
    const inner = width - MARGIN.left - MARGIN.right
    const one = Math.min(inner / counts.length, BAR_WIDEST)
    const y = d3.scaleLinear().domain([0, d3.max(counts) || 1]).range([HISTOGRAM_HEIGHT, 4])
    fill(drawing, { width, height: HISTOGRAM_HEIGHT + 44 }, [])
    const group = svg('g', { transform: 'translate(' + MARGIN.left + ',4)' })
    counts.forEach((count, bar) => {
      const target = svg('g', { class: cursor === bar ? 'bar-row chosen' : 'bar-row', pointerenter: () => say(line, sentence(bar)) },
        svg('rect', { class: 'bar-target', x: bar * one, y: 0, width: one, height: HISTOGRAM_HEIGHT }),
        svg('rect', { class: 'count', x: bar * one + 0.5, width: Math.max(1, one - 1), y: y(count), height: HISTOGRAM_HEIGHT - y(count) }))
      group.append(target)
    })
    const every = Math.max(1, Math.ceil((unit === 'events' ? 44 : 74) / one))
    edges.forEach((edge, index) => {
      if (index % every !== 0) return
      group.append(svg('line', { class: 'rule', x1: index * one, x2: index * one, y1: HISTOGRAM_HEIGHT, y2: HISTOGRAM_HEIGHT + 5 }),
        svg('text', { class: 'tick', x: index * one, y: HISTOGRAM_HEIGHT + 16, 'text-anchor': index === 0 ? 'start' : index * one > inner - 20 ? 'end' : 'middle' }, edgeText(edge)))
    })
    for (const mark of lines) {
      const x = placeOnEdges(edges, mark.value) * one
      group.append(svg('line', { class: 'mark-line', x1: x, x2: x, y1: 0, y2: HISTOGRAM_HEIGHT }),
        svg('text', { class: 'mark-text', x: x + (x > inner - 60 ? -4 : 4), y: 10, 'text-anchor': x > inner - 60 ? 'end' : 'start' }, mark.words))
    }
    group.append(svg('line', { class: 'rule', x1: 0, x2: one * counts.length, y1: HISTOGRAM_HEIGHT, y2: HISTOGRAM_HEIGHT }),
      svg('text', { class: 'axis-title', x: Math.max(one * counts.length, 80), y: HISTOGRAM_HEIGHT + 31, 'text-anchor': 'end' }, unit))
    drawEnds(group, y, what)
    drawing.replaceChildren(group)
  }
  onWidth(place, draw)
  drawing.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!step) return
    event.preventDefault()
    cursor = Math.max(0, Math.min(counts.length - 1, cursor === null ? 0 : cursor + step))
    draw()
    say(line, sentence(cursor))
  })
  const table = asTable(title, () => [[{ title: 'from' }, { title: 'to' }, { title: what }, { title: 'share' }],
    counts.map((count, bar) => [edgeText(edges[bar]), edgeText(edges[bar + 1]), formatCount(count),
      formatPercent(total > 0 ? count / total * 100 : 0)])])
  const note = el('span')
  watchRange(() => {
    count()
    draw()
    const parts = [follows ? null : 'whole run', zeros > 0 ? formatCount(zeros) + ' ' + what + ' of 0 not drawn' : null]
    note.textContent = parts.filter(Boolean).join('; ')
  })
  return figure(title, note, place, line, table)
}

// Returns the place of a value among edges that grow by a factor, in widths of bars.
function placeOnEdges(edges, value) {
  const above = edges.findIndex((edge) => edge > value)
  if (above <= 0) return above === 0 ? 0 : edges.length - 1
  const [low, high] = [edges[above - 1], edges[above]]
  const part = low > 0 && value > 0 ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low)
  return above - 1 + part
}

function offsetsView(run) {
  const offsets = run.offsets
  if (!offsets || !offsets.counts || !offsets.counts.length) return null
  const words = el('p', { class: 'note' })
  const marks = (spread) => {
    const known = ['least', 'mean', 'largest'].filter((key) => isNumber(spread[key]))
    words.textContent = known.map((key) => key + ' ' + formatPlain(spread[key])).join(', ') +
      (known.length ? '. Lookahead can be at most the least offset of events between PEs.' : '')
    return known.includes('mean') ? [{ value: spread.mean, words: 'mean ' + formatPlain(spread.mean) }] : []
  }
  return [histogramView({ run, title: 'Receive time less send time', histogram: offsets, unit: offsets.unit || 'virtual time',
    what: 'events', marks }), words]
}
