// SPDX-License-Identifier: BSD-3-Clause
// The comparison of several runs: what "warpscope stats --against" prints, from the same document.

function letterOf(side) {
  return el('span', { class: 'letter letter-' + 'ABCDEF'.indexOf(side) }, side)
}

function timeText(time, value) {
  return /seconds$/.test(time) ? formatSeconds(value) : formatShort(value)
}

// Makes a picture of the values of a side's runs: a mark for each, and a longer one for the median.
function spreadOf(values, median, most) {
  const at = (value) => (100 * value / most).toFixed(2) + '%'
  const [least, largest] = d3.extent(values)
  return el('span', { class: 'spread', 'aria-hidden': 'true' },
    values.length ? el('span', { class: 'extent', style: { left: at(least), width: at(largest - least) } }) : null,
    values.map((value) => el('span', { class: 'dot', style: { left: at(value) } })),
    isNumber(median) ? el('span', { class: 'middle', style: { left: at(median) } }) : null)
}

const TIME_WORDS = { wall_seconds: 'Wall clock', events_per_second: 'Committed events/s', processor_seconds: 'Processor time',
  lost_seconds: 'Time lost' }

function timesTable({ times, runs }) {
  const valuesOf = (time, side) => runs.filter((run) => run.is_whole && (side === null || run.side === side) && isNumber(run[time]))
    .map((run) => run[time])
  const body = times.map((row, index) => {
    const first = index === 0 || times[index - 1].time !== row.time
    const most = d3.max(valuesOf(row.time, null)) || 1
    return el('tr', { class: first ? 'first' : 'rest', 'data-time': row.time, 'data-side': row.side },
      el('th', { scope: 'row' }, first ? TIME_WORDS[row.time] || plainName(row.time) : el('span', { class: 'unseen' }, TIME_WORDS[row.time])),
      el('td', {}, letterOf(row.side)), el('td', { class: 'number' }, timeText(row.time, row.median)),
      el('td', { class: 'number' }, isNumber(row.least) ? timeText(row.time, row.least) + ' to ' + timeText(row.time, row.most) : MISSING),
      el('td', { class: 'spread-cell' }, spreadOf(valuesOf(row.time, row.side), row.median, most)),
      el('td', { class: 'number' }, isNumber(row.ratio) ? '\u00d7' + formatPlain(Number(row.ratio.toPrecision(3))) : null),
      el('td', { class: 'number' }, isNumber(row.low) ? formatPlain(Number(row.low.toPrecision(3))) + ' to ' + formatPlain(Number(row.high.toPrecision(3))) : null),
      el('td', { class: row.verdict === 'more than noise' ? 'verdict-more' : null }, plainName(row.verdict || '')))
  })
  const heads = [['', null], ['', null], ['median', 'number'], ['range', 'number'], ['runs', 'spread-cell'], ['against A', 'number'],
    ['95 % interval', 'number'], ['', null]]
  return el('div', { class: 'scroll' }, el('table', { class: 'times' }, el('thead', {}, el('tr', {}, heads.map(([text, kind]) =>
    el('th', { scope: 'col', class: kind }, text)))), el('tbody', {}, body)))
}

function settingsTable({ settings }, sides) {
  if (!settings.length) return el('p', { class: 'note' }, 'The same program, ranks and options.')
  return tableOf(null, [{ title: 'setting', text: true }, ...sides.map((side) => ({ title: letterOf(side), text: true }))],
    settings.map((row) => [name(row.name), ...sides.map((side) => name(row[side]))]), { class: 'facts' })
}

function countsTable({ counts }, sides) {
  const text = (row, value) => row.name === 'efficiency' ? formatPercent(value) : formatCount(value)
  return tableOf(null, [{ title: 'count', text: true }, ...sides.map((side) => ({ title: letterOf(side) })),
    ...sides.slice(1).map((side) => ({ title: side + ' / A' }))],
  counts.map((row) => [el('span', { 'data-counter': row.name }, plainName(row.words)),
    ...sides.map((side) => text(row, row[side])),
    ...sides.slice(1).map((side) => isNumber(row['ratio_' + side]) ? formatPlain(Number(row['ratio_' + side].toPrecision(3))) : MISSING)]),
  { class: 'counters' })
}

function changesTable({ changes }, sides) {
  if (!changes.length) return el('p', { class: 'note' }, 'No rule for findings applied to any of them.')
  const changed = (row, side) => side === 'A' ? null : row['change_' + side]
  return tableOf(null, [{ title: 'finding', text: true }, ...sides.map((side) => ({ title: letterOf(side), text: true }))],
    changes.map((row) => [el('span', { 'data-rule': row.rule }, name(row.text)), ...sides.map((side) =>
      [isNumber(row[side]) ? formatPercent(100 * row[side]) : MISSING, changed(row, side) ? ' ' + changed(row, side) : null].filter(Boolean).join(''))]),
    { class: 'changes' })
}

function compareSection() {
  const compare = report.compare
  if (!compare) return null
  const sides = [...new Set(compare.runs.map((run) => run.side))].sort()
  const hidden = sides.length > report.runs.length
  return el('section', { id: 'compare' }, el('h2', {}, 'Comparison'),
    el('ul', { class: 'statements' }, compare.findings.map((words) => el('li', {}, name(words)))),
    guarded(() => timesTable(compare)),
    el('div', { class: 'summary-pair' },
      el('div', {}, el('h3', {}, 'Settings that differ'), guarded(() => settingsTable(compare, sides)),
        el('h3', {}, 'Findings'), guarded(() => changesTable(compare, sides))),
      el('div', {}, el('h3', {}, 'Counts'), guarded(() => countsTable(compare, sides)))),
    el('p', { class: 'note' }, 'Times and counts are those of whole runs, and medians of several. Below are the first runs of ',
      sides.slice(0, report.runs.length).join(', '), hidden ? '; charts of others are not shown.' : '.'))
}
