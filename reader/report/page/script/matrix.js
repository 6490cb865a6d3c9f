// SPDX-License-Identifier: BSD-3-Clause
// Matrices over the chosen range: rollbacks from PEs to KPs, events from PE to PE and from LP type to LP
// type. A list beside each matrix has its largest cells.

const CELL_LARGEST = 44
const MATRIX_LARGEST = 420
const TOP_CELLS = 8

// Draws a matrix: matrixView({ run, title, note, from, to, names, cells, value, unit, ranges }). cells:
// sparse cells [bin, from, to, ...]. value(): returns the function that takes the count from a cell. from,
// to: lists of entries. names: [nameOfFrom, nameOfTo].
function matrixView(options) {
  const { run, from, to, names } = options
  const sums = new Map()
  let total = 0
  let largest = 0
  const add = () => {
    sums.clear()
    total = 0
    largest = 0
    const value = options.value()
    eachCell(run, options.cells, options.step || 1, rangeOn(run, 'wall'), (a, b, part, cell) => {
      const key = a * to.length + b
      const sum = (sums.get(key) || 0) + value(cell) * part
      sums.set(key, sum)
      total += value(cell) * part
      if (sum > largest) largest = sum
    })
  }
  const share = (sum) => largest > 0 ? Math.sqrt(sum / largest) : 0
  const at = (key) => [Math.floor(key / to.length), key % to.length]
  const sentence = (a, b) => {
    const sum = sums.get(a * to.length + b) || 0
    return plainName(names[0](from[a])) + ' \u2192 ' + plainName(names[1](to[b])) + ': ' + formatShort(Math.round(sum)) + ' ' +
      options.unit() + (total > 0 ? ', ' + formatPercent(sum / total * 100) : '')
  }
  const line = readingLine()
  const map = matrixMap({ ...options, sums, share, sentence, line })
  const legend = heatLegend(options.unit(), (at) => formatShort(largest * at * at))
  const rows = Math.min(TOP_CELLS, from.length * to.length)
  const list = el('div', { class: 'top-cells', style: { 'min-height': 26 + 25 * rows + 'px' } })
  const update = () => {
    add()
    map.draw()
    legend.update(options.unit())
    const top = [...sums].filter(([, sum]) => sum > 0).sort((a, b) => b[1] - a[1]).slice(0, TOP_CELLS)
    const lines = top.map(([key, sum]) => {
      const [a, b] = at(key)
      return [el('span', {}, name(names[0](from[a])), ' \u2192 ', name(names[1](to[b]))), formatShort(Math.round(sum)),
        el('span', { class: 'share' }, shareBar(sum / largest), formatPercent(sum / total * 100))]
    })
    if (!lines.length) lines.push(['none in this range', '', ''])
    list.replaceChildren(tableOf(null, [{ title: 'from \u2192 to', text: true }, { title: options.unit() }, { title: 'share' }], lines))
  }
  watchRange(update)
  const table = asTable(options.title, () => [
    [{ title: 'from', text: true }, { title: 'to', text: true }, { title: options.unit() }, { title: 'share' }],
    [...sums].filter(([, sum]) => sum > 0).sort((a, b) => b[1] - a[1]).map(([key, sum]) => {
      const [a, b] = at(key)
      return [plainName(names[0](from[a])), plainName(names[1](to[b])), formatCount(Math.round(sum)), formatPercent(sum / total * 100)]
    })])
  return { update, node: figure(options.title, options.note, el('div', { class: 'matrix' }, el('div', {}, map.node, legend.node), list), line, table) }
}

function matrixMap({ from, to, names, sums, share, sentence, line, title }) {
  const canvas = el('canvas', { 'aria-hidden': 'true', class: 'cells' })
  const over = svg('svg', { class: 'matrix-map', tabindex: 0, role: 'group', 'aria-roledescription': 'matrix',
    'aria-label': title + '. Rows are sources, columns are targets. The arrow keys move from cell to cell.' })
  const place = el('div', { class: 'matrix-place' }, canvas, over)
  let cursor = null
  let cell = 10
  let left = 60
  let top = 18
  const draw = () => {
    const holder = place.closest('.matrix')
    const room = Math.floor(holder ? holder.getBoundingClientRect().width : 0)
    if (room <= 0) return
    left = to.length && from.some((one) => nameOfAny(names[0], one).length > 6) ? 84 : 52
    const side = Math.min(MATRIX_LARGEST, room - left - 4)
    cell = Math.max(1, Math.min(CELL_LARGEST, side / to.length))
    const tall = Math.max(2, Math.min(cell * Math.max(1, Math.min(4, 120 / (cell * from.length))), CELL_LARGEST))
    const width = cell * to.length
    const height = tall * from.length
    place.style.height = height + top + 6 + 'px'
    place.style.width = width + left + 4 + 'px'
    fill(over, { width: width + left + 4, height: height + top + 6 }, [])
    sizeCanvas(canvas, width, height, { left, top })
    const context = canvas.getContext('2d')
    over.replaceChildren(svg('rect', { class: 'frame', x: left, y: top, width, height }))
    for (const [key, sum] of sums) {
      if (sum <= 0) continue
      const row = Math.floor(key / to.length)
      const column = key % to.length
      const colour = heatColour(share(sum))
      context.fillStyle = colour
      context.fillRect(column * cell, row * tall, Math.max(cell - (cell > 5 ? 1 : 0), 1), Math.max(tall - (tall > 5 ? 1 : 0), 1))
      if (cell >= 34 && tall >= 14) {
        over.append(svg('text', { class: 'cell-number', x: left + (column + 0.5) * cell, y: top + (row + 0.5) * tall, dy: '0.35em',
          'text-anchor': 'middle', style: { fill: inkOn(colour) } }, formatShort(Math.round(sum)).replace(NARROW, '')))
      }
    }
    drawNames(over, from, names[0], (row, label) => ({ x: left - 6, y: top + (row + 0.5) * tall, 'text-anchor': 'end' }), tall, 12, false)
    drawNames(over, to, names[1], (column) => ({ x: left + (column + 0.5) * cell, y: top - 8, 'text-anchor': 'middle' }), cell, 7, true)
    if (cursor) {
      over.append(svg('rect', { class: 'cell-mark', x: left + cursor[1] * cell, y: top + cursor[0] * tall, width: cell, height: tall }))
    }
    over.tall = tall
  }
  over.addEventListener('pointermove', (event) => {
    const box = over.getBoundingClientRect()
    const column = Math.floor((event.clientX - box.left - left) / cell)
    const row = Math.floor((event.clientY - box.top - top) / over.tall)
    const inside = row >= 0 && row < from.length && column >= 0 && column < to.length
    say(line, inside ? sentence(row, column) : '')
  })
  over.addEventListener('pointerleave', () => say(line, ''))
  const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }
  over.addEventListener('keydown', (event) => {
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    cursor = cursor ? [Math.max(0, Math.min(from.length - 1, cursor[0] + move[0])),
      Math.max(0, Math.min(to.length - 1, cursor[1] + move[1]))] : [0, 0]
    draw()
    say(line, sentence(cursor[0], cursor[1]))
  })
  over.addEventListener('blur', () => {
    cursor = null
    draw()
  })
  onWidthOfHolder(place, draw)
  return { node: place, draw }
}

// Calls draw when the width of the holder of an element changes. The element's own width follows from its
// contents.
function onWidthOfHolder(place, draw) {
  requestAnimationFrame(() => new ResizeObserver(draw).observe(place.closest('.matrix')))
  onLayout(draw)
}

function nameOfAny(naming, entry) {
  return plainName(naming(entry))
}

// Draws short names of rows or columns, as many as there is space for.
function drawNames(over, list, naming, where, size, longest, across) {
  const texts = list.map((entry) => {
    let text = nameOfAny(naming, entry)
    if (text.length > longest) text = text.replace(/^KP (\d+) of PE (\d+)$/, '$2:$1')
    return text.length > longest ? text.slice(0, longest - 1) + '\u2026' : text
  })
  const room = across ? 4 + 6.2 * d3.max(texts, (text) => text.length) : 11
  const every = Math.max(1, Math.ceil(room / size))
  texts.forEach((text, index) => {
    if (index % every !== 0) return
    over.append(svg('text', { class: 'tick', dy: '0.32em', ...where(index) }, text))
  })
}

function rollbacksView(run) {
  const rollbacks = run.rollbacks
  if (!rollbacks) return null
  const measures = { rollbacks: 3, 'events undone': 4 }
  let measure = 'rollbacks'
  const parts = []
  if (rollbacks.cells && rollbacks.cells.length) {
    const matrix = matrixView({ run, title: 'From the sender of the cause to the KP rolled back',
      note: rollbacks.to.some((one) => one.kp !== undefined && one.kp !== null) && rollbacks.to.length > 9
        ? 'columns PE:KP' : null,
      from: rollbacks.from, to: rollbacks.to, names: [nameOfKp, nameOfKp], cells: rollbacks.cells, step: rollbacks.cell_step,
      value: () => (cell) => cell[measures[measure]] || 0, unit: () => measure })
    const group = freshId('measure')
    const choice = el('div', { class: 'choice', role: 'radiogroup', 'aria-label': 'What the matrix counts' },
      Object.keys(measures).map((key) => el('label', {}, el('input', { type: 'radio', name: group, value: key, checked: key === measure,
        change: () => { measure = key; matrix.update() } }), key)))
    parts.push(el('div', {}, choice, matrix.node))
  }
  parts.push(el('div', {}, rollbackKinds(run), rollbacks.lengths ? histogramView({ run, title: 'Events undone by one rollback',
    histogram: rollbacks.lengths, unit: 'events', what: 'rollbacks' }) : null))
  return [el('div', { class: 'pair' }, ...parts)]
}

// Shows the numbers of primary and secondary rollbacks, in the range if the cells have them.
function rollbackKinds(run) {
  const rollbacks = run.rollbacks
  const rows = [['primary', 'a straggler arrived'], ['secondary', 'a processed event was cancelled']].map(([kind, why]) => {
    const share = el('td', { class: 'number' })
    const bar = shareBar(0)
    const count = el('td', { class: 'number', 'data-rollbacks': kind })
    return { share, bar, count, row: el('tr', {}, el('th', { scope: 'row' }, kind, el('span', { class: 'note' }, ' ' + why)),
      el('td', { class: 'bar-cell' }, bar), share, count) }
  })
  const undone = el('p', { class: 'note' })
  watchRange(() => {
    let counts = [rollbacks.primary || 0, rollbacks.secondary || 0]
    let events = null
    if (rangeOn(run, 'wall') && rollbacks.cells) {
      counts = [0, 0]
      events = 0
      eachCell(run, rollbacks.cells, rollbacks.cell_step || 1, rangeOn(run, 'wall'), (a, b, part, cell) => {
        counts[0] += (cell[3] - (cell[5] || 0)) * part
        counts[1] += (cell[5] || 0) * part
        events += (cell[4] || 0) * part
      })
    } else if (rollbacks.cells) {
      events = d3.sum(rollbacks.cells, (cell) => cell[4] || 0)
    }
    const total = counts[0] + counts[1]
    rows.forEach((one, kind) => {
      const share = total > 0 ? counts[kind] / total : 0
      one.count.textContent = formatCount(Math.round(counts[kind]))
      one.share.textContent = total > 0 ? formatPercent(share * 100) : MISSING
      one.bar.firstChild.style.width = (share * 100).toFixed(1) + '%'
    })
    undone.textContent = events === null || total === 0 ? '\u00a0'
      : formatShort(Math.round(events)) + ' events undone, ' + formatShort(events / total) + ' per rollback'
  })
  return figure('Primary and secondary', null, el('table', { class: 'kinds' }, el('tbody', {}, rows.map((one) => one.row))), undone)
}

function trafficView(run) {
  const traffic = run.traffic
  if (!traffic) return null
  const parts = []
  for (const [key, cells, step, title, naming] of [['pes', 'pe_cells', 'cell_step', 'From PE to PE', nameOfPe],
    ['types', 'type_cells', 'type_cell_step', 'From LP type to LP type', String]]) {
    if (!traffic[key] || !traffic[cells] || !traffic[cells].length) continue
    // The last entry is for events whose LP types are not known; it is omitted if there are none.
    const used = 1 + d3.max(traffic[cells], (cell) => Math.max(cell[1], cell[2]))
    const list = traffic[key].filter((entry, at) => at < used || entry !== 'not recorded')
    if (list.length < 2) continue // a matrix of one cell shows nothing
    parts.push(matrixView({ run, title, note: null, from: list, to: list, names: [naming, naming],
      cells: traffic[cells], step: traffic[step], value: () => (cell) => cell[3] || 0, unit: () => traffic.unit || 'events' }).node)
  }
  const unplaced = traffic.unplaced ? el('p', { class: 'note' }, 'There are too many LPs to keep the place of each: ' +
    formatCount(traffic.unplaced) + ' records are of LPs that count as not recorded here.') : null
  return parts.length ? [el('div', { class: 'pair' }, ...parts), unplaced] : null
}
