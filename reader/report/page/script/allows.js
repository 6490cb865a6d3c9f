// SPDX-License-Identifier: BSD-3-Clause
// What the model allows: findings of the analysis, parallelism over virtual time, and the critical path.

// Returns a value of a table of the analysis as text: shares in per cent, times with units.
function allowsText(key, value, row) {
  if (value === undefined || value === null) return ''
  if (!isNumber(value)) return plainName(value)
  if (/share$|^self$/.test(key)) return formatPercent(value * 100)
  if (key === 'handler_time') return formatSeconds(value)
  if (/^(work|length|latency)$/.test(key) && row.weight === 'handler time') return formatSeconds(value)
  return Number.isInteger(value) ? formatCount(value) : formatPlain(Number(value.toPrecision(4)))
}

// Draws a table: allowsTable('caption', rows, [['key', 'title', text], ...]).
function allowsTable(caption, rows, columns) {
  if (!rows || !rows.length) return null
  const shown = columns.filter(([key]) => rows.some((row) => row[key] !== undefined))
  return figure(caption, null, tableOf(null, shown.map(([, title, text]) => ({ title, text })),
    rows.map((row) => shown.map(([key]) => row[key + '_name'] ? name(row[key + '_name']) : allowsText(key, row[key], row)))))
}

function parallelismPanel(run, index) {
  const rowsOf = (any) => [{ key: 'parallelism', words: 'Events that could run at once', unit: 'events', peak: 'largest',
    values: any.allows && any.allows.parallelism }]
  if (!spanOf(run, 'virtual')) return null
  return figure('Over virtual time', null, seriesPanel({ run: index, clock: 'virtual', rows: rowsOf(run),
    others: report.runs.map(rowsOf), label: 'Events that could run at once' }))
}

function allowsView(run, index) {
  const allows = run.allows
  if (!allows) return null
  return [el('ul', { class: 'allows' }, allows.findings.map((text) => el('li', {}, words(text)))),
    parallelismPanel(run, index),
    histogramView({ run, title: 'Events that could run at once', histogram: allows.widths, unit: 'events', what: 'cycles' }),
    allowsTable('Critical path', allows.critical_paths, [['weight', 'weight', true], ['in_order_on', 'in order on each', true],
      ['work', 'work'], ['length', 'longest path'], ['speed_up', 'speed-up']]),
    allowsTable('LPs with most of the critical path', allows.lps, [['lp', 'LP', true], ['type', 'type', true], ['rank', 'rank'],
      ['events', 'events'], ['handler_time', 'handlers'], ['path_events', 'on the path'], ['path_share', 'of its length']]),
    allowsTable('Types of LPs', allows.types, [['type', 'type', true], ['lps', 'LPs'], ['events', 'events'],
      ['handler_time', 'handlers'], ['path_events', 'on the path'], ['path_share', 'of its length']]),
    allowsTable('Values of the model with most of the critical path', allows.values, [['type', 'type', true],
      ['field', 'field', true], ['name', 'value', true], ['events', 'events'], ['path_events', 'on the path'],
      ['path_share', 'of its length']]),
    allowsTable('Windows of conservative execution', allows.windows, [['lookahead', 'lookahead', true], ['windows', 'windows'],
      ['events', 'events'], ['lps', 'LPs'], ['ones_share', 'of 1 event'], ['speed_up', 'speed-up']])]
}
