// SPDX-License-Identifier: BSD-3-Clause
// Puts the page together.

// Returns the lines that name the option which records a view.
function absentLines(id, run) {
  return run.absent.filter((one) => one.view === id).map((one) => el('p', { class: 'absent' }, name(one.text)))
}

// Makes a view of all runs; null if no run has data for it.
function viewSection([id, title, make]) {
  const contents = report.runs.map((run, index) => guarded(() => make(run, index), (error) =>
    el('p', { class: 'problem' }, 'This view could not be drawn: ' + error.message)))
  if (!contents.some(Boolean)) return null
  return el('section', { id }, el('h2', {}, title), inRuns((run, index) => {
    if (contents[index]) return contents[index]
    const lines = absentLines(id, run)
    return lines.length ? lines : el('p', { class: 'absent' }, 'Not recorded in run ' + runLetter(index) + '.')
  }, report.runs.length > 1))
}

// Makes the section at the end of the page that lists what no run has.
function absentSection(present) {
  const rows = VIEWS.filter(([id]) => !present.includes(id)).map(([id, title]) => {
    const texts = new Set()
    const lines = report.runs.flatMap((run) => absentLines(id, run))
      .filter((line) => !texts.has(line.textContent) && texts.add(line.textContent))
    return lines.length ? el('tr', { 'data-view': id }, el('th', { scope: 'row' }, title), el('td', {}, lines)) : null
  }).filter(Boolean)
  if (!rows.length) return null
  return el('section', { id: 'absent' }, el('h2', {}, 'Not recorded'), el('table', { class: 'missing' }, el('tbody', {}, rows)))
}

// Makes the strip that stays at the top: the whole run, the chosen range, and its numbers.
function timelineStrip() {
  const clock = report.runs.length > 1 && commonSpan('virtual') && report.runs.every(clocksJoined) ? 'virtual'
    : commonSpan('wall') ? 'wall' : 'virtual'
  if (!commonSpan(clock)) return null
  const rows = report.runs.map((run) => {
    const all = (spanOf(run, clock) ? run.series[clock] || [] : []).filter(showsAnything)
    return all.find((series) => series.name === 'committed') || all[0]
  })
  const index = Math.max(0, rows.findIndex(Boolean))
  const largest = d3.max(rows, (row) => row ? d3.max(row.values.filter(isNumber)) : 0) || 1
  const height = 34
  const panel = timePanel({ run: index, clock, height, left: 4, noAxis: true, label: 'The whole run. Left and right move the chosen range, ' +
    'with shift its end; Escape clears it.',
  draw: (drawn) => rows.forEach((row, at) => {
    if (!row) return
    const group = svg('g', { class: 'row run-' + at })
    const y = d3.scaleLinear().domain([0, largest]).range([height - 2, 3])
    drawRow({ ...drawn, run: report.runs[at] }, group, { ...row, low: null }, y)
    drawn.layer.append(group)
  }) })
  panel.node.classList.add('strip')
  const text = el('span', { class: 'range-text' })
  const clear = el('button', { type: 'button', class: 'clear', click: () => select(null) }, 'Clear', el('kbd', {}, 'Esc'))
  watchRange(() => {
    const run = report.runs[selection ? selection.run : index]
    text.textContent = (selection ? '' : 'Whole run: ') + rangeText(run)
    clear.disabled = !selection
  })
  return el('div', { class: 'strip-line' }, el('div', { class: 'strip-words' }, text, clear), panel.node)
}

function topLine(sections) {
  const runs = report.runs
  const title = runs.length > 1 ? runs.flatMap((run, index) => [runHeading(run, index, 'span'), ' ']) : [name(runs[0].name)]
  return [el('h1', {}, title, el('span', { class: 'product' }, 'warpscope report')),
    el('nav', { 'aria-label': 'Views' }, sections.map((section) =>
      el('a', { href: '#' + section.id }, section.querySelector('h2').textContent)))]
}

function footer() {
  const resolutions = report.runs.map((run) => run.resolution).filter(Boolean)
  return [el('p', {}, resolutions.length ? ['Resolution: ', [...new Set(resolutions)].map((text) => plainName(text).replace(/\.$/, '')).join('; '), '. '] : null,
    'Values between steps are means of a step.'),
  el('p', {}, 'Drag over any view over time to choose a range for all; a click or ', el('kbd', {}, 'Esc'), ' clears it. With a view focused, ',
    el('kbd', {}, '\u2190'), ' ', el('kbd', {}, '\u2192'), ' move the range, with ', el('kbd', {}, 'Shift'), ' its end, with ',
    el('kbd', {}, 'Ctrl'), ' faster; ', el('kbd', {}, '\u2191'), ' ', el('kbd', {}, '\u2193'), ' choose a row.'),
  el('p', {}, 'Made by Warpscope ', plainName(report.version || ''), report.made ? ', ' + plainName(report.made) : '',
    '. Drawn with d3 ', d3.version, ', whose licence stands in this file. This page loads nothing from the network.')]
}

function build() {
  readReport()
  const views = VIEWS.map(viewSection).filter(Boolean)
  const sections = [compareSection(), summarySection(), ...views, absentSection(views.map((view) => view.id))].filter(Boolean)
  document.getElementById('top').replaceChildren(...topLine(sections))
  const strip = guarded(timelineStrip)
  if (strip) document.getElementById('timeline').replaceChildren(strip)
  document.getElementById('main').append(...sections)
  document.getElementById('foot').replaceChildren(...footer())
  dropDeadLinks()
  layoutAll()
  document.documentElement.dataset.ready = 'yes'
}

build()
