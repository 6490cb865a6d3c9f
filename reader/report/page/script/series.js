// SPDX-License-Identifier: BSD-3-Clause
// Rows of small charts above one axis: rates and levels over time, values of the model, busy times. The right
// of each row has the mean and the peak in the chosen range, or the value at the pointer.

const ROW = 62
const ROW_TOP = 20 // space for the words of a row

// Returns the range of values that a row must show: its own values, and those of the same row in other runs.
function rowDomain(rows) {
  let least = 0
  let largest = 0
  let percent = false
  for (const row of rows) {
    percent = row.unit === '%'
    for (const values of [row.values, row.low || [], row.high || []]) {
      least = Math.min(least, d3.min(values.filter(isNumber)) || 0)
      largest = Math.max(largest, d3.max(values.filter(isNumber)) || 0)
    }
  }
  if (percent) return [Math.max(-100, Math.floor(least / 25) * 25), Math.max(100, largest)]
  return largest === least ? [0, 1] : [least, largest]
}

function drawRow(panel, group, row, y) {
  const [from, to] = spanOf(panel.run, panel.clock)
  const step = (to - from) / row.values.length
  const middle = (value, bin) => panel.x(from + (bin + 0.5) * step)
  const at = (value) => y(Math.max(y.domain()[0], Math.min(y.domain()[1], value)))
  if (row.low && row.high) {
    const band = d3.area().defined((value, bin) => isNumber(row.low[bin]) && isNumber(row.high[bin]))
      .x(middle).y0((value, bin) => at(row.low[bin])).y1((value, bin) => at(row.high[bin]))
    group.append(svg('path', { class: 'band', d: band(row.values) || '' }))
  } else {
    const area = d3.area().defined(isNumber).x(middle).y0(at(0)).y1(at)
    group.append(svg('path', { class: 'area', d: area(row.values) || '' }))
    if (row.high) group.append(svg('path', { class: 'high', d: d3.line().defined(isNumber).x(middle).y(at)(row.high) || '' }))
  }
  const line = d3.line().defined(isNumber).x(middle).y(at)
  group.append(svg('path', { class: 'line', d: line(row.values) || '' }))
}

function valueAt(run, clock, row, time) {
  const span = spanOf(run, clock)
  const bin = Math.floor((time - span[0]) / (span[1] - span[0]) * row.values.length)
  return row.values[Math.max(0, Math.min(row.values.length - 1, bin))]
}

// Returns the numbers at the right of a row. before: the same row of the first run, for comparison.
function rowNumbers(panel, row, before) {
  const time = pointOn(panel.run, panel.clock)
  const span = spanOf(panel.run, panel.clock)
  if (time !== null && time >= span[0] && time <= span[1]) {
    return formatTick(valueAt(panel.run, panel.clock, row, time), row.unit) + ' here'
  }
  const sums = summarizeSeries(panel.run, panel.clock, row.key, row.values, rangeOn(panel.run, panel.clock))
  let text = 'mean ' + formatTick(sums.mean, row.unit)
  if (before) {
    const first = report.runs[0]
    const mean = summarizeSeries(first, panel.clock, before.key, before.values, rangeOn(first, panel.clock)).mean
    text += ' (' + formatChange(mean, sums.mean) + ')'
  } else {
    text += row.peak === 'least' ? ', least ' + formatTick(sums.least, row.unit)
      : ', peak ' + formatTick(row.high ? d3.max([sums.largest, summarize(row.high, span, rangeOn(panel.run, panel.clock)).largest])
        : sums.largest, row.unit)
  }
  return text
}

function shortUnit(unit, clock) {
  if (!unit || unit === '%' || unit === 's' || unit === 'B' || unit === 'bytes') return ''
  return clock === 'virtual' ? unit.replace(/(\/| per )unit of virtual time/, ' per virtual time') : unit
}

// Makes a panel of rows: seriesPanel({ run, clock, rows, label, others, title }). rows: { key, words, unit,
// values, low, high, hot }. others: the rows of all runs, which share scales. A row without values states
// that.
function seriesPanel(options) {
  const { rows, clock } = options
  const run = report.runs[options.run]
  const texts = []
  const panel = timePanel({ ...options, height: rows.length * ROW,
    draw: () => {
      texts.length = 0
      rows.forEach((row, index) => {
        const same = options.others.map((those) => those.find((other) => other.key === row.key && other.values))
          .filter(Boolean)
        const y = d3.scaleLinear().domain(rowDomain(same)).range([(index + 1) * ROW - 6, index * ROW + ROW_TOP])
        const group = svg('g', { class: 'row' + (row.hot ? ' hot' : ''), 'data-series': row.key })
        const words = svg('text', { class: 'row-words', x: 2, y: index * ROW + 13 }, row.words)
        const unit = svg('tspan', { class: 'row-unit', dx: 6 }, shortUnit(row.unit, clock))
        words.append(unit)
        const numbers = svg('text', { class: 'row-numbers', 'data-series': row.key, x: panel.width, y: index * ROW + 13, 'text-anchor': 'end' })
        if (row.values) {
          drawRow(panel, group, row, y)
          drawEnds(group, y, row.unit)
        } else {
          numbers.textContent = 'not recorded'
        }
        if (index > 0) group.append(svg('line', { class: 'rule', x1: 0, x2: panel.width, y1: index * ROW, y2: index * ROW }))
        panel.layer.append(group)
        panel.over.append(words, numbers)
        if (row.values) texts.push({ row, numbers, words, unit, before: options.run > 0 ? same[0] : null })
      })
      showNumbers()
      for (const text of texts) fitWords(panel, text)
    } })

  function showNumbers() {
    for (const { row, numbers, before } of texts) {
      numbers.textContent = rowNumbers(panel, row, before)
    }
  }
  watchRange(showNumbers)
  watchPoint(showNumbers)

  const table = asTable(options.label, () => {
    const shown = rows.filter((row) => row.values)
    const span = spanOf(run, clock)
    const range = rangeOn(run, clock)
    const lines = []
    const bins = shown.length ? shown[0].values.length : 0
    eachBin(bins, span, range, (bin) => {
      const time = span[0] + (span[1] - span[0]) * bin / bins
      lines.push([clock === 'wall' ? formatSeconds(time) : formatPlain(time),
        ...shown.map((row) => formatTick(row.values[bin], row.unit))])
    })
    return [[{ title: 'from ' + TIME_NAMES[clock] }, ...shown.map((row) =>
      ({ title: row.words + (shortUnit(row.unit, clock) ? ', ' + shortUnit(row.unit, clock) : '') }))], lines]
  })
  return el('div', {}, panel.node, table)
}

// Removes the unit, and then the end of the words, of a row that is too narrow for them.
function fitWords(panel, { row, words, unit, numbers }) {
  const room = panel.width - numbers.getComputedTextLength() - 14
  if (words.getComputedTextLength() <= room) return
  unit.remove()
  let length = row.words.length
  while (length > 3 && words.getComputedTextLength() > room) {
    length -= 1
    words.textContent = row.words.slice(0, length) + '\u2026'
  }
  words.append(svg('title', {}, row.words + ' ' + row.unit))
}

// Returns the rows of a run over a clock, in the same order for all runs.
function rateRows(run, clock) {
  const keys = []
  for (const any of report.runs) {
    for (const series of any.series[clock] || []) if (!keys.includes(series.name)) keys.push(series.name)
  }
  const shows = (key, on) => report.runs.some((any) => seriesNamed(any, on, key) && showsAnything(seriesNamed(any, on, key)))
  // Rows that both clocks have come first, so that the same rows stand side by side.
  const both = (key) => shows(key, 'wall') && shows(key, 'virtual')
  keys.sort((a, b) => both(b) - both(a))
  return keys.filter((key) => shows(key, clock)).map((key) => {
    const own = seriesNamed(run, clock, key)
    const any = own || report.runs.map((other) => seriesNamed(other, clock, key)).find(Boolean)
    return { key, words: plainName(any.words || key), unit: any.unit || '', values: own && own.values, high: own && own.high,
      hot: /undone|rollback|rolled|abort/.test(key), peak: key === 'efficiency' ? 'least' : 'largest' }
  })
}

function ratesView(run, index) {
  const parts = []
  for (const clock of ['wall', 'virtual']) {
    const rows = rateRows(run, clock)
    if (!(run.series[clock] || []).length || !rows.length || !spanOf(run, clock)) continue
    const others = report.runs.map((any) => rateRows(any, clock))
    parts.push(figure('Over ' + TIME_NAMES[clock], null, seriesPanel({ run: index, clock, rows, others,
      label: 'Rates over ' + TIME_NAMES[clock] })))
  }
  return parts.length ? [el('div', { class: 'pair' }, ...parts)] : null
}
