// SPDX-License-Identifier: BSD-3-Clause
// What the run would need on other numbers of ranks: speed beside one rank, and counts.

const PREDICTED_HEIGHT = 220
const PREDICTED_LINES = ['optimistic', 'conservative']

// Returns columns and rows of a table of some members of rows. columns: [['key', 'title', function that makes text], ...].
function predictedCells(rows, columns) {
  return [columns.map(([key, title], at) => ({ title, text: at < 2 || key === 'limit' })),
    rows.map((row) => columns.map(([key, , text]) => text ? text(row[key]) : plainName(row[key])))]
}

// Draws speed over ranks: a line for each scheduler with the range of its runs, and the speed of ranks that wait for nothing.
function predictedChart(rows, columns) {
  const alone = rows[0].seconds
  const ranks = [...new Set(rows.map((row) => row.ranks))]
  const most = d3.max(rows, (row) => alone / row.least)
  const drawing = svg('svg', { class: 'histogram', tabindex: 0, role: 'group', 'aria-roledescription': 'chart',
    'aria-label': 'Speed over ranks. Left and right read the numbers of ranks.' })
  const place = el('div', { style: { height: PREDICTED_HEIGHT + 44 + 'px' } }, drawing)
  const line = readingLine()
  const on = (count) => rows.filter((row) => row.ranks === count)
  const sentence = (count) => count + (count === 1 ? ' rank: ' : ' ranks: ') + on(count).map((row) => row.scheduler + ' ' +
    formatSeconds(row.seconds) + ', ' + formatPlain(Number(row.speed_up.toPrecision(3))) + ' times').join('; ')
  let cursor = 0
  onWidth(place, (width) => {
    const x = d3.scalePoint().domain(ranks).range([0, width - MARGIN.left - MARGIN.right - 70]).padding(0.3)
    const y = d3.scaleLinear().domain([0, most * 1.05]).range([PREDICTED_HEIGHT, 8]).clamp(true)
    const path = (points) => 'M' + points.map(([at, value]) => x(at) + ',' + y(value)).join('L')
    const group = svg('g', { transform: 'translate(' + MARGIN.left + ',0)' })
    fill(drawing, { width, height: PREDICTED_HEIGHT + 44 }, [])
    group.append(svg('path', { class: 'mark-line', fill: 'none', d: path(ranks.filter((count) => count <= most * 1.05).map((count) => [count, count])) }))
    PREDICTED_LINES.forEach((scheduler, index) => {
      const own = [rows[0], ...rows.filter((row) => row.scheduler === scheduler)]
      if (own.length < 2) return
      const last = own[own.length - 1]
      group.append(svg('g', { class: index ? 'run-1' : null },
        svg('path', { class: 'line', d: path(own.map((row) => [row.ranks, row.speed_up])) }),
        own.map((row) => svg('line', { class: 'line', x1: x(row.ranks), x2: x(row.ranks), y1: y(alone / row.most), y2: y(alone / row.least) })),
        own.map((row) => svg('circle', { class: 'line', cx: x(row.ranks), cy: y(row.speed_up), r: 2.5 }))),
      svg('text', { class: 'tick', x: x(last.ranks) + 8, y: y(last.speed_up), dy: index ? '0.9em' : '-0.2em' }, scheduler))
    })
    const axes = [svg('g', { class: 'axis', transform: 'translate(0,' + PREDICTED_HEIGHT + ')' }), svg('g', { class: 'axis' })]
    d3.select(axes[0]).call(d3.axisBottom(x).tickSizeOuter(0))
    d3.select(axes[1]).call(d3.axisLeft(y).ticks(5).tickSizeOuter(0))
    group.append(...axes, svg('text', { class: 'axis-title', x: x.range()[1], y: PREDICTED_HEIGHT + 36, 'text-anchor': 'end' }, 'ranks'))
    drawing.replaceChildren(group)
    drawing.onpointermove = (event) => {
      const at = event.clientX - drawing.getBoundingClientRect().left - MARGIN.left
      cursor = d3.scan(ranks, (a, b) => Math.abs(x(a) - at) - Math.abs(x(b) - at))
      say(line, sentence(ranks[cursor]))
    }
  })
  drawing.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    cursor = Math.max(0, Math.min(ranks.length - 1, cursor + (event.key === 'ArrowRight' ? 1 : -1)))
    say(line, sentence(ranks[cursor]))
    event.preventDefault()
  })
  return figure('Speed beside one rank', 'dashed: ranks that wait for nothing', place, line,
    asTable('the speed beside one rank', () => predictedCells(rows, columns)))
}

function predictedTable(caption, rows, columns) {
  return figure(caption, null, tableOf(null, ...predictedCells(rows, columns)))
}

function predictedView(run) {
  const predicted = run.predicted
  if (!predicted) return null
  const who = [['ranks', 'ranks'], ['scheduler', 'scheduler']]
  const share = (value) => formatPercent(value * 100)
  const times = (value) => formatPlain(Number(value.toPrecision(3)))
  const bytes = (value) => formatQuantity(value, 'bytes')
  return [el('ul', { class: 'allows' }, predicted.findings.map((text) => el('li', {}, words(text)))),
    predictedChart(predicted.predictions, [...who, ['seconds', 'time', formatSeconds], ['least', 'least', formatSeconds],
      ['most', 'most', formatSeconds], ['speed_up', 'speed', times], ['efficiency', 'efficiency', share], ['limit', 'limited by']]),
    predictedTable('Counts', predicted.counts, [...who, ['undone', 'undone', formatCount], ['undone_least', 'least', formatCount],
      ['undone_most', 'most', formatCount], ['remote', 'between ranks', formatCount], ['resent', 'sent again', formatCount],
      ['rounds', 'GVTs', formatCount], ['bytes_per_rank', 'bytes of a rank', bytes]]),
    predictedTable('Where the ranks\u2019 time goes', predicted.times, [...who, ['events', 'events', share],
      ['undone', 'undone', share], ['messages', 'messages', share], ['gvt', 'GVT', share], ['waiting', 'waiting', share]])]
}
