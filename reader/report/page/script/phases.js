// SPDX-License-Identifier: BSD-3-Clause
// Where the time went: a bar per PE, the phases of the chosen PE or of all PEs over wall clock, and the time
// of each phase.

const BARS_HIGHEST = 22
const BARS_ALL = 330

// Returns the seconds that a PE spent in each phase within the chosen range.
function phaseSeconds(run, pe) {
  const phases = run.phases
  const range = rangeOn(run, 'wall')
  if (!phases.wall || !phases.wall[pe] || !range) return phases.seconds[pe]
  return phases.wall[pe].map((cells) => {
    let sum = 0
    eachBin(cells.length, spanOf(run, 'wall'), range, (bin, part) => { sum += (cells[bin] || 0) * part })
    return sum
  })
}

function addUp(lists) {
  return lists[0].map((value, index) => d3.sum(lists, (list) => list[index]))
}

// Makes a line about PEs whose sampled times differ much from the time of the run, for example because other
// programs used the processor.
function unlikelyTimes(run) {
  const exact = (run.facts || []).some(([key, text]) => key === 'phase times' && text === 'exact')
  const span = spanOf(run, 'wall')
  if (exact || !span || report.live) return null
  const length = span[1] - span[0]
  const off = run.phases.seconds.map((seconds) => d3.sum(seconds)).map((sum, pe) => [pe, sum])
    .filter(([pe, sum]) => typeof run.phases.pes[pe] === 'number' && (sum > 1.5 * length || sum < length / 1.5))
  if (!off.length) return null
  const [pe, sum] = off[0]
  return el('p', { class: 'note' }, 'These times are estimates from samples. Those of ' +
    plainName(nameOfPe(run.phases.pes[pe])) + (off.length > 1 ? ', and of ' + (off.length - 1) + ' more,' : '') + ' add up to ' +
    formatSeconds(sum) + ' of ' + formatSeconds(length) + ': do not trust their shares. ', words('--phase-times=exact'), ' times all.')
}

// Returns the phases of a run in the order of their bars, which is the same in all runs: the longest first,
// and the phase without work last. Also returns the index of that last phase; -1: none.
function phaseOrder(run) {
  const sums = new Map()
  for (const any of report.runs.filter((one) => one.phases)) {
    addUp(any.phases.seconds).forEach((sum, phase) => {
      const key = any.phases.names[phase]
      sums.set(key, (sums.get(key) || 0) + sum)
    })
  }
  const { names, words } = run.phases
  const rest = words.findIndex((text, phase) => /wait|the rest|idle/i.test(text + names[phase]))
  const used = d3.range(names.length).filter((phase) => sums.get(names[phase]) > 0)
    .sort((a, b) => (a === rest) - (b === rest) || sums.get(names[b]) - sums.get(names[a]))
  return { used, rest }
}

function phasesView(run, index) {
  if (!run.phases || !run.phases.pes.length) return null
  const prefix = freshId('phase')
  const { used, rest } = phaseOrder(run)
  const state = { pe: null, changed: [] }
  const choose = (pe) => {
    state.pe = pe
    for (const change of state.changed) change()
  }
  const rank = (phase) => used.indexOf(phase)
  const defs = phasePatterns(prefix, used.length, rest >= 0 ? rank(rest) : -1)
  const context = { run, index, prefix, used, state, choose, rank }
  return [svg('svg', { class: 'defs', width: 0, height: 0, 'aria-hidden': 'true' }, defs),
    el('div', { class: 'pair' }, el('div', {}, phaseBars(context), phaseLegend(context)), phaseArea(context)), unlikelyTimes(run)]
}

function phaseBars({ run, prefix, used, state, choose, rank }) {
  const pes = run.phases.pes
  const row = Math.max(3, Math.min(BARS_HIGHEST, Math.floor(BARS_ALL / pes.length)))
  const left = 70
  const drawing = svg('svg', { class: 'bars', tabindex: 0, role: 'group', 'aria-roledescription': 'bar chart',
    'aria-label': 'Where the time went, per PE. Up and down choose a PE.' })
  const place = el('div', { style: { height: row * pes.length + 4 + 'px' } }, drawing)
  const line = readingLine()
  const draw = () => {
    const width = Math.floor(place.getBoundingClientRect().width)
    if (width <= 0) return
    fill(drawing, { width, height: row * pes.length + 4 }, [])
    drawing.replaceChildren()
    pes.forEach((pe, at) => {
      const seconds = phaseSeconds(run, at)
      const total = d3.sum(seconds) || 1
      const group = svg('g', { class: state.pe === at ? 'bar-row chosen' : 'bar-row', 'data-pe': at,
        transform: 'translate(0,' + (2 + at * row) + ')', click: () => choose(state.pe === at ? null : at),
        pointerenter: () => say(line, phaseSentence(run, at, used)) },
      svg('rect', { class: 'bar-target', width, height: row }))
      if (row >= 10 || at % Math.ceil(10 / row) === 0) {
        group.append(svg('text', { class: 'tick', x: left - 6, y: row / 2, dy: '0.32em', 'text-anchor': 'end' },
          plainName(nameOfPe(pe))))
      }
      let x = left
      for (const phase of used) {
        const share = seconds[phase] / total * (width - left - 2)
        if (share > 0.2) {
          group.append(svg('rect', { class: 'phase', x, width: share, height: Math.max(1, row - (row > 6 ? 3 : 0)),
            fill: 'url(#' + prefix + '-' + rank(phase) + ')' }))
        }
        x += share
      }
      drawing.append(group)
    })
  }
  onWidth(place, draw)
  state.changed.push(() => {
    draw()
    say(line, state.pe === null ? '' : phaseSentence(run, state.pe, used))
  })
  watchRange(draw)
  drawing.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const step = event.key === 'ArrowDown' ? 1 : -1
    const next = state.pe === null ? (step > 0 ? 0 : pes.length - 1) : state.pe + step
    choose(next < 0 || next >= pes.length ? null : next)
  })
  const lost = run.phases.lost || []
  const table = asTable('Where the time went, per PE', () => [
    [{ title: 'PE', text: true }, ...used.map((phase) => ({ title: plainName(run.phases.words[phase]) })),
      ...(lost.some(isNumber) ? [{ title: 'of it lost to other threads' }] : [])],
    pes.map((pe, at) => {
      const seconds = phaseSeconds(run, at)
      return [plainName(nameOfPe(pe)), ...used.map((phase) => report.live ? formatPercent(100 * seconds[phase]) : formatSeconds(seconds[phase])),
        ...(lost.some(isNumber) ? [isNumber(lost[at]) ? formatPercent(lost[at]) : '-'] : [])]
    })])
  return figure('Per PE', 'shares of its time; choose a PE to see it alone', place, line, table)
}

function phaseSentence(run, at, used) {
  const seconds = phaseSeconds(run, at)
  const total = d3.sum(seconds) || 1
  const largest = [...used].sort((a, b) => seconds[b] - seconds[a]).slice(0, 3)
  return plainName(nameOfPe(run.phases.pes[at])) + ': ' + largest.map((phase) =>
    plainName(run.phases.words[phase]) + ' ' + formatPercent(seconds[phase] / total * 100)).join(', ') +
    (run.phases.lost && run.phases.lost[at] >= 1 ? '; other threads had its processor for ' + formatPercent(run.phases.lost[at]) : '')
}

function phaseArea({ run, index, prefix, used, state, rank }) {
  if (!run.phases.wall || !spanOf(run, 'wall')) return null
  const height = 290
  const title = el('h4')
  const panel = timePanel({ run: index, clock: 'wall', height, label: 'Phases over wall clock', draw: () => draw() })
  const y = d3.scaleLinear().range([height, 0])
  const draw = () => {
    if (!panel.width) return
    const pe = state.pe
    title.textContent = (pe === null ? 'All PEs' : plainName(nameOfPe(run.phases.pes[pe]))) + ' over wall clock'
    panel.layer.replaceChildren()
    const cells = pe === null ? run.phases.wall : [run.phases.wall[pe]]
    const [from, to] = spanOf(run, 'wall')
    const bins = run.cell_bins
    const columns = d3.range(bins).map((bin) => {
      const sums = used.map((phase) => d3.sum(cells, (those) => those[phase][bin] || 0))
      const total = d3.sum(sums)
      return total > 0 ? sums.map((sum) => sum / total) : null
    })
    // A bin without a sample stays empty.
    columns.forEach((column, bin) => {
      if (!column) return
      const x = panel.x(from + (to - from) * bin / bins)
      const width = panel.x(from + (to - from) * (bin + 1) / bins) - x + 0.3
      let below = 0
      column.forEach((share, at) => {
        if (share <= 0.001) return
        panel.layer.append(svg('rect', { class: 'phase', x, width, y: y(below + share), height: y(below) - y(below + share),
          fill: 'url(#' + prefix + '-' + rank(used[at]) + ')' }))
        below += share
      })
    })
    const ends = svg('g')
    drawEnds(ends, d3.scaleLinear().domain([0, 100]).range([height, 0]), '%')
    panel.layer.append(ends)
  }
  state.changed.push(draw)
  return el('figure', {}, el('figcaption', {}, title), panel.node)
}

function phaseLegend({ run, prefix, used, state, rank }) {
  const rows = used.map((phase) => {
    const share = el('td', { class: 'number' })
    const bar = shareBar(0)
    const time = el('td', { class: 'number' })
    return { phase, share, bar, time, row: el('tr', {}, el('td', { class: 'swatch-cell' }, phaseSwatch(prefix, rank(phase))),
      el('th', { scope: 'row' }, name(run.phases.words[phase])), el('td', { class: 'bar-cell' }, bar), share, time) }
  })
  const update = () => {
    const pes = state.pe === null ? d3.range(run.phases.pes.length) : [state.pe]
    const seconds = addUp(pes.map((pe) => phaseSeconds(run, pe)))
    const total = d3.sum(seconds)
    for (const { phase, share, bar, time } of rows) {
      share.textContent = formatPercent(total > 0 ? seconds[phase] / total * 100 : null)
      bar.firstChild.style.width = (total > 0 ? seconds[phase] / total * 100 : 0).toFixed(1) + '%'
      time.textContent = report.live ? '' : formatSeconds(seconds[phase])
    }
  }
  state.changed.push(update)
  watchRange(update)
  return el('table', { class: 'phase-legend' }, el('caption', { class: 'unseen' }, 'Phases: share and time'),
    el('tbody', {}, rows.map((one) => one.row)))
}
