// SPDX-License-Identifier: BSD-3-Clause
// Heat maps over time, with a row for each PE or KP: the virtual time by which each KP is ahead of GVT.

function aheadView(run, index) {
  const ahead = run.ahead
  if (!ahead || !ahead.kps.length) return null
  const largest = d3.max(report.runs, (any) => any.ahead ? d3.max(['wall', 'virtual'], (clock) =>
    d3.max(any.ahead[clock] || [], (row) => d3.max(row.filter(isNumber)))) : 0) || 1
  const line = readingLine()
  const state = { row: null, changed: [] }
  const parts = []
  for (const clock of ['wall', 'virtual']) {
    if (ahead[clock] && ahead[clock].length && spanOf(run, clock)) {
      parts.push(figure('By ' + TIME_NAMES[clock], null, heatPanel({ run, index, clock, line, state, kps: ahead.kps,
        cells: () => ahead[clock], largest: () => largest, unit: 'virtual time', words: 'ahead of GVT', rowTitle: 'KP',
        label: 'How far KPs are ahead of GVT' })))
    }
  }
  return [el('div', { class: 'pair' }, ...parts), el('div', { class: 'under' },
    heatLegend('ahead of GVT, in virtual time', (at) => formatPlain(Number((largest * at).toPrecision(3)))).node, line)]
}

// Returns the label of a row, of which there is room for the beginning.
function rowLabel(entry) {
  const label = entry.label !== undefined ? String(entry.label) : entry.kp === undefined ? nameOfPe(entry.pe) : 'PE ' + entry.pe + ' KP ' + entry.kp
  return plainName(label).slice(0, 12)
}

// Returns the rows at which the KPs of a PE begin, as [row, label, PE]; each KP has a label if rows are few
// and high.
function rowGroups(kps, rowHeight) {
  if (rowHeight >= 11 && kps.length <= 16) return kps.map((kp, row) => [row, rowLabel(kp), kp.pe])
  const groups = []
  kps.forEach((kp, row) => {
    if (row === 0 || kp.pe !== kps[row - 1].pe) groups.push([row, rowLabel({ pe: kp.pe }), kp.pe])
  })
  return groups
}

// Makes a heat map over a clock. kps: what the rows are; cells(): arrays of values, a row for each; largest(): the value
// of the last colour; words: what the values are; state: { row, changed }, the chosen row, which several maps may share.
function heatPanel({ run, index, clock, kps, cells, largest, unit, words, rowTitle, label, line, state }) {
  const rowHeight = Math.max(1.25, Math.min(16, Math.floor(280 / kps.length * 4) / 4))
  const height = rowHeight * kps.length
  const groups = rowGroups(kps, rowHeight)
  const left = Math.max(MARGIN.left, ...groups.map(([, label]) => 8 + 6 * label.length))
  const mark = svg('rect', { class: 'row-mark', visibility: 'hidden' })

  const draw = (panel) => {
    const context = panel.canvas.getContext('2d')
    context.clearRect(0, 0, panel.width, height)
    const [from, to] = spanOf(run, clock)
    const most = largest()
    cells().forEach((row, at) => row.forEach((value, bin) => {
      if (!isNumber(value)) return
      const x = panel.x(from + (to - from) * bin / row.length)
      const end = panel.x(from + (to - from) * (bin + 1) / row.length)
      context.fillStyle = heatColour(value / most)
      context.fillRect(x, at * rowHeight, end - x + 0.5, rowHeight > 5 ? rowHeight - 0.5 : rowHeight)
    }))
    let labelled = -20
    for (const [row, label, pe] of groups) {
      const newPe = row > 0 && pe !== kps[row - 1].pe
      if (newPe) {
        panel.layer.append(svg('line', { class: 'separator', x1: -6, x2: panel.width, y1: row * rowHeight, y2: row * rowHeight }))
      }
      if (row * rowHeight - labelled < 11) continue
      labelled = row * rowHeight
      panel.layer.append(svg('text', { class: 'tick', x: -6, y: row * rowHeight + Math.max(5, Math.min(rowHeight, 12) / 2),
        dy: '0.32em', 'text-anchor': 'end' }, label))
    }
    panel.layer.append(mark)
    showMark()
  }
  const showMark = () => {
    mark.setAttribute('visibility', state.row === null ? 'hidden' : 'visible')
    if (state.row !== null) {
      fill(mark, { x: 0, width: panel.width, y: state.row * rowHeight, height: Math.max(2, rowHeight) }, [])
    }
  }
  const panel = timePanel({ run: index, clock, height, left, canvas: true, draw,
    label: label + ', by ' + TIME_NAMES[clock] + '. Up and down choose a ' + rowTitle + '.',
    rowKey: (step) => {
      state.row = Math.max(0, Math.min(kps.length - 1, state.row === null ? 0 : state.row + step))
      state.changed.forEach((change) => change())
      say(line, rowSentence())
    } })
  const rowSentence = () => {
    const sums = summarize(cells()[state.row], spanOf(run, clock), rangeOn(run, clock))
    return plainName(nameOfKp(kps[state.row])) + ': mean ' + formatTick(sums.mean, unit) + ' ' + words + ', at most ' +
      formatTick(sums.largest, unit)
  }
  state.changed.push(showMark)
  panel.drawing.addEventListener('pointermove', (event) => {
    const box = panel.drawing.getBoundingClientRect()
    const row = Math.floor((event.clientY - box.top - MARGIN.top) / rowHeight)
    const time = panel.x.invert(event.clientX - box.left - left)
    const [from, to] = spanOf(run, clock)
    const values = cells()[row] || []
    const value = values[Math.floor((time - from) / (to - from) * values.length)]
    if (value === undefined) return
    say(line, plainName(nameOfKp(kps[row])) + ' at ' + (clock === 'wall' ? formatSeconds(time) : 'virtual time ' + formatPlain(time)) +
      ': ' + (isNumber(value) ? formatTick(value, unit) + ' ' + words : 'no sample'))
  })
  panel.drawing.addEventListener('pointerleave', () => say(line, ''))
  const table = asTable(rowTitle + 's ' + words, () => {
    const rows = kps.map((kp, at) => ({ kp, sums: summarize(cells()[at], spanOf(run, clock), rangeOn(run, clock)) }))
    rows.sort((a, b) => b.sums.mean - a.sums.mean)
    return [[{ title: rowTitle, text: true }, { title: 'mean' }, { title: 'largest' }],
      rows.map(({ kp, sums }) => [plainName(nameOfKp(kp)), formatTick(sums.mean, unit), formatTick(sums.largest, unit)])]
  })
  return el('div', {}, panel.node, table)
}
