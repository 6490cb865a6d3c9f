// SPDX-License-Identifier: BSD-3-Clause
// The top of the page: what ran, how it ended, the numbers of its end report, and what costs most.

// Returns the letter that tells a run from the others, if there are several; that of its side.
function runLetter(index) {
  return 'ABCDEF'[index]
}

function runHeading(run, index, level) {
  return el(level, { class: 'run-name' }, el('span', { class: 'letter letter-' + index, 'aria-hidden': 'true' }, runLetter(index)),
    el('span', { class: 'unseen' }, 'Run ' + runLetter(index) + ': '), name(run.name))
}

function headline(run) {
  const parts = [[run.scheduler, ''], [run.ranks, run.ranks === 1 ? ' rank' : ' ranks'], [run.lps, ' LPs']]
  return parts.filter(([value]) => value !== undefined && value !== null && value !== '')
    .map(([value, unit]) => (isNumber(value) ? formatCount(value) : plainName(value)) + unit).join(' \u00b7 ')
}

// Returns what a recording has of its run: 'all'; 'part', as the user chose, such as the last records of a flight
// recorder; 'less' if records are missing, or the run goes on.
function partOf(run) {
  const what = run.covers ? run.covers.what : (run.problems || []).length > 0 ? 'cut' : 'whole'
  return !run.complete || !['whole', 'part'].includes(what) ? 'less' : what === 'part' ? 'part' : 'all'
}

const BADGES = { all: ['badge good', '\u2713 complete'], part: ['badge', '\u2713 part of the run'], less: ['badge bad', '\u26a0 incomplete'] }

function whatRan(run, index) {
  const part = partOf(run)
  const end = [run.end_words, isNumber(run.end_gvt) ? 'GVT ' + formatPlain(run.end_gvt) : null,
    isNumber(run.wall_seconds) ? formatSeconds(run.wall_seconds) + ' of wall clock' : null].filter(Boolean)
  return el('div', { class: 'what-ran' },
    report.runs.length > 1 ? runHeading(run, index, 'h3') : null,
    el('p', { class: 'headline' }, name(run.model || 'unknown model'), ' \u00b7 ' + headline(run)),
    el('p', { class: 'ending' }, el('span', { class: BADGES[part][0] }, BADGES[part][1]), ' ', plainName(end.join(', '))),
    (run.problems || []).map((problem) => part === 'less' ? el('p', { class: 'problem' }, '\u26a0 ', name(problem))
      : el('p', { class: 'note' }, name(problem))))
}

function commandOf(run) {
  const command = (run.facts || []).find(([key]) => key === 'command')
  return command ? el('pre', { class: 'command', tabindex: 0, 'aria-label': 'Command' }, words(command[1])) : null
}

// ---- Numbers -------------------------------------------------------------------------------------------

function counterOf(run, counter) {
  return run.counters.find((one) => one.name === counter)
}

function isWhole(counter) {
  return Number.isInteger(counter.value) && counter.unit !== '%' && counter.unit !== 's' && counter.unit !== 'B'
}

// Formats a counter exactly, as the end report prints it.
function counterText(counter) {
  if (!counter) return MISSING
  if (isWhole(counter)) return formatCount(counter.value)
  return formatQuantity(counter.value, counter.unit)
}

// Words for tiles, shorter than those of the end report.
const TILE_WORDS = { total_rollbacks: 'Rollbacks', events_rolled_back: 'Events undone', num_gvt: 'GVT computations' }
const TILES = [['events_committed', 'net_events'], ['efficiency'], ['total_rollbacks'], ['events_rolled_back'], ['remote_events'], ['num_gvt']]

function tile(words, value, exact, range, whole) {
  const second = el('div', { class: 'tile-range' }, whole || '\u00a0')
  if (range) {
    watchRange(() => { second.textContent = selection ? 'in range ' + range() : whole || '\u00a0' })
  }
  return el('div', { class: 'tile', title: exact || null }, el('div', { class: 'tile-words' }, words), el('div', { class: 'tile-value' }, value), second)
}

function rangeShare(run, counter) {
  const series = rateOf(run, counter.name)
  const span = spanOf(run, 'wall')
  if (counter.unit === '%') {
    const level = seriesNamed(run, 'wall', counter.name)
    return level && span ? () => formatPercent(summarizeSeries(run, 'wall', counter.name, level.values, rangeOn(run, 'wall')).mean) : null
  }
  if (!series || !span) return null
  return () => {
    const range = rangeOn(run, 'wall')
    return range ? formatShort(Math.round(integrate(series.values, span, range))) : MISSING
  }
}

// For the second run, returns the change of a counter against the first run.
function againstFirst(run, counter) {
  const first = run === report.runs[0] ? undefined : counterOf(report.runs[0], counter.name)
  if (!first || !isNumber(first.value) || !isNumber(counter.value)) return null
  return (counter.unit === '%' ? differenceText(first.value, counter.value, '%') : formatChange(first.value, counter.value)) + ' against A'
}

function tilesOf(run) {
  const tiles = []
  if (isNumber(run.wall_seconds)) {
    const range = () => {
      const chosen = rangeOn(run, 'wall')
      return chosen ? formatSeconds(chosen[1] - chosen[0]) : MISSING
    }
    tiles.push(tile('Wall clock', formatSeconds(run.wall_seconds), run.wall_seconds + ' s', range))
  }
  for (const names of TILES) {
    const counter = names.map((one) => counterOf(run, one)).find(Boolean)
    if (!counter) continue
    const exact = formatCount(counter.value) + ' ' + (counter.unit || '')
    const shown = isWhole(counter) ? (counter.value < 1e6 ? formatCount(counter.value) : formatShort(counter.value))
      : formatQuantity(counter.value, counter.unit)
    tiles.push(tile(TILE_WORDS[counter.name] || plainName(counter.words || counter.name), shown, exact, rangeShare(run, counter),
      againstFirst(run, counter) || (shown === formatCount(counter.value) || !isWhole(counter) ? null : formatCount(counter.value))))
    if (tiles.length === 2 && isNumber(run.wall_seconds) && run.wall_seconds > 0 && /committed|net_events/.test(counter.name)) {
      const series = rateOf(run, counter.name)
      const rate = series && spanOf(run, 'wall')
        ? () => formatShort(summarize(series.values, spanOf(run, 'wall'), rangeOn(run, 'wall')).mean) + '/s' : null
      tiles.push(tile('Commit rate', formatShort(counter.value / run.wall_seconds) + '/s', null, rate))
    }
  }
  return el('div', { class: 'tiles' }, tiles)
}

// Makes the table of all counters: exact, and in the range.
function countersTable() {
  const run = report.runs[0]
  if (!run.counters.length) return null
  const cells = []
  const rows = run.counters.map((counter) => {
    const range = rangeShare(run, counter)
    const place = el('span', { class: 'in-range' }, MISSING)
    if (range) cells.push(() => { place.textContent = selection ? range() : MISSING })
    return [el('span', {}, name(counter.words || counter.name), unitNote(counter)),
      el('span', { 'data-counter': counter.name, 'data-run': 0, 'data-value': counter.value }, counterText(counter)), place]
  })
  watchRange(() => cells.forEach((cell) => cell()))
  return tableOf(null, [{ title: 'counter', text: true }, { title: report.selection ? 'selected' : 'whole run' },
    { title: 'in the range' }], rows, { class: 'counters' })
}

// Makes a note with the unit, unless the words or the value contain it.
function unitNote({ words, unit }) {
  if (!unit || unit === '%' || unit === 's' || String(words).toLowerCase().includes(unit)) return null
  return el('span', { class: 'note' }, ' ' + plainName(unit))
}

function differenceText(a, b, unit) {
  const sign = b > a ? '+' : ''
  if (unit === '%') return sign + withMinus((b - a).toFixed(1)) + NARROW + 'points'
  return sign + (Number.isInteger(a) && Number.isInteger(b) ? formatCount(b - a) : formatQuantity(b - a, unit))
}

function factsTable(run) {
  if (!run.facts || !run.facts.length) return null
  return el('div', { class: 'scroll' }, el('table', { class: 'facts' }, el('tbody', {}, run.facts.map(([key, text]) =>
    el('tr', {}, el('th', { scope: 'row' }, name(key)), el('td', {}, name(text)))))))
}

// ---- Findings --------------------------------------------------------------------------------------------

// Makes a button that chooses the part of the run that a finding concerns.
function chooseButton(run, wall) {
  if (!Array.isArray(wall) || !wall.every(isNumber) || !spanOf(run, 'wall')) return null
  return el('button', { type: 'button', class: 'choose', click: () => selectNear(report.runs.indexOf(run), 'wall', wall[0], wall[1]) },
    'Choose this period')
}

function findingsList(run) {
  if (!run.findings.length) return el('p', { class: 'note' }, 'Nothing stands out: no rule for findings applied to what was recorded.')
  return el('ol', { class: 'findings' }, run.findings.map((finding) => {
    const view = VIEWS.find(([id]) => id === finding.view)
    return el('li', { 'data-rule': finding.rule }, shareBar(finding.weight),
      el('div', {}, el('p', { class: 'finding' }, finding.since ? el('span', { class: 'note' }, finding.since, ': ') : null, name(finding.text)),
        finding.advice ? el('p', { class: 'try' }, el('span', { class: 'try-word' }, 'Try: '),
          finding.options ? name(finding.options + ': ') : null, words(finding.advice)) : null,
        chooseButton(run, finding.wall)),
      view ? el('a', { class: 'show', href: '#' + finding.view }, view[1], ' \u2193') : null)
  }))
}

function inRuns(make, extra) {
  const runs = report.runs
  return el('div', { class: 'runs runs-' + runs.length + (runs.length > 1 ? ' several' : '') }, runs.map((run, index) =>
    el('div', { class: 'run', 'data-run': index }, extra ? runHeading(run, index, 'h3') : null, make(run, index))))
}

// Makes a note about the options by which records were selected: all numbers are those of these records only.
function selectionNote() {
  if (!report.selection) return null
  const time = 'Samples count what was executed and what was committed in that time: an event may be executed before ' +
    'and committed in it, so more may be committed than executed.'
  return el('p', { class: 'selection' }, 'Only records chosen by ', words(report.selection), '. ', report.selected_time ? time : null)
}

function summarySection() {
  const several = report.runs.length > 1
  const findings = el('div', {}, el('h3', {}, 'Findings'), inRuns((run) => findingsList(run), several))
  return el('section', { id: 'summary' }, el('h2', {}, 'Summary'), selectionNote(), inRuns(whatRan),
    several ? findings : el('div', { class: 'summary-pair' }, findings, el('div', {}, el('h3', {}, 'Counters'), guarded(countersTable))),
    inRuns((run) => [guarded(() => tilesOf(run)), commandOf(run)]),
    el('details', { class: 'all-facts' }, el('summary', {}, 'Options and machine'), inRuns((run) => factsTable(run), several)))
}
