// SPDX-License-Identifier: BSD-3-Clause
// Data that the model recorded: payload fields by LP type, tasks, busy times of places, and results of
// tracers.

function fieldRows(run, type) {
  return (run.model_fields || []).filter((field) => field.type === type).map((field) => ({
    key: field.type + '.' + field.field, words: plainName(field.words || field.field.replace(/_/g, ' ')),
    unit: field.unit || '', values: field.values, low: field.low, high: field.high }))
}

function fieldsNote(fields) {
  return [fields.some((field) => field.measure === 'counter') ? 'counters: all LPs together' : null,
    fields.some((field) => field.low) ? 'levels: mean of the LPs, band from least to largest' : null].filter(Boolean).join('; ')
}

function modelView(run, index) {
  const fields = run.model_fields || []
  if (!fields.length || !spanOf(run, 'virtual')) return null
  const types = [...new Set(fields.map((field) => field.type))]
  return types.map((type) => el('div', { class: 'lp-type' }, el('div', { class: 'wide-pair' },
    el('div', {}, figure('LPs of type ' + plainName(type), fieldsNote(fields.filter((field) => field.type === type)),
      seriesPanel({ run: index, clock: 'virtual', rows: fieldRows(run, type), others: report.runs.map((any) => fieldRows(any, type)),
        label: 'Fields of LPs of type ' + plainName(type) + ' over virtual time' })),
    oneLp(run, index, fields.filter((field) => field.type === type))),
    worstLps(fields.filter((field) => field.type === type)))))
}

// Returns equal bars over the values of a curve in the chosen range.
function valueBars(values, span, range) {
  const chosen = []
  eachBin(values.length, span, range, (bin) => { if (isNumber(values[bin])) chosen.push(values[bin]) })
  const [least, largest] = [d3.min(chosen) || 0, d3.max(chosen) || 0]
  const bars = Math.max(1, Math.min(20, Math.ceil(Math.sqrt(chosen.length))))
  const step = (largest - least) / bars || 1
  const counts = new Array(bars).fill(0)
  for (const value of chosen) counts[Math.min(bars - 1, Math.floor((value - least) / step))] += 1
  return { edges: d3.range(bars + 1).map((bar) => least + bar * step), counts }
}

// Shows one LP that the user chooses by its name: a field over virtual time, and how its values are distributed.
function oneLp(run, index, fields) {
  const shown = fields.filter((field) => field.lps && field.lps.length)
  if (!shown.length) return null
  const title = (one) => one.lp_name ? plainName(one.lp_name) : 'LP ' + one.lp
  const words = (field) => plainName(field.words || field.field.replace(/_/g, ' '))
  const lps = shown[0].lps
  const chooser = (label, texts) => el('select', { 'aria-label': label, change: () => draw() }, texts.map((text, at) => el('option', { value: at }, text)))
  const lpChoice = chooser('LP', lps.map(title))
  const fieldChoice = chooser('Field', shown.map(words))
  const place = el('div', {})
  const bars = el('div', {})
  let values = []
  let field = shown[0]
  let unit = ''
  const histogram = () => {
    bars.replaceChildren(histogramView({ run, title: words(field), histogram: valueBars(values, spanOf(run, 'virtual'), rangeOn(run, 'virtual')),
      unit: plainName(unit), what: 'steps of the curve' }))
  }
  const draw = () => {
    field = shown[Number(fieldChoice.value)]
    const lp = lps[Number(lpChoice.value)].lp
    const one = field.lps.find((any) => any.lp === lp) || field.lps[0]
    values = one.values
    unit = field.measure === 'counter' ? (field.unit || '').replace(', all LPs', '') : field.unit || ''
    const rows = [{ key: 'lp', words: title(one) + ', ' + words(field), unit, values }]
    place.replaceChildren(seriesPanel({ run: index, clock: 'virtual', rows, others: [rows], label: words(field) + ' of ' + title(one) }))
    histogram()
  }
  watchRange(histogram)
  draw()
  const note = shown[0].all_lps ? null : 'the first ' + lps.length + ' LPs; warpscope report --lp=... shows others'
  return figure('One LP', note, el('div', { class: 'chooser' }, el('label', {}, 'LP ', lpChoice), el('label', {}, 'field ', fieldChoice)), place,
    el('p', { class: 'note' }, 'How often the curve has a value, in the chosen range'), bars)
}

// Returns the unit of the value of one LP. The curve of a counter has another unit, since it shows the growth
// over all LPs.
function ownUnit(field) {
  return field.measure === 'counter' ? (field.unit || '').replace(/( per |\/).*$/, '') : field.unit || ''
}

// Shows the LPs with the largest values in the whole run.
function worstLps(fields) {
  const shown = fields.filter((field) => field.worst && field.worst.some((one) => one.value !== 0))
  if (!shown.length) return null
  return figure('Largest', 'LPs, whole run', el('div', { class: 'worst' }, shown.map((field) => {
    const largest = d3.max(field.worst, (one) => one.value) || 1
    return tableOf([plainName(field.words || field.field.replace(/_/g, ' ')),
      ownUnit(field) ? el('span', { class: 'note' }, ' ' + plainName(ownUnit(field))) : null],
      [{ title: 'LP', text: true }, { title: '' }, { title: 'value' }],
      field.worst.slice(0, 5).map((one) => [one.lp_name ? name(one.lp_name) : 'LP ' + one.lp, shareBar(one.value / largest),
        formatTick(one.value, ownUnit(field))]))
  })))
}

function busyRows(run) {
  return ((run.tasks && run.tasks.busy) || []).filter((one) => one.values).map((one) => ({ key: one.place, words: plainName(one.place), unit: '%',
    values: one.values.map((value) => isNumber(value) ? value * 100 : null) }))
}

// Returns the number below which the share q of all numbers lies: the middle of its bucket. There are 16
// buckets per factor of two, see ws_histogram.
function quantileOf(counts, first, q, least, largest) {
  const zeros = counts[counts.length - 1]
  const before = q * d3.sum(counts)
  let seen = zeros
  if (zeros > 0 && seen >= before) return 0
  for (let bar = 0; bar < counts.length - 1; bar++) {
    seen += counts[bar]
    if (counts[bar] > 0 && seen >= before) {
      const step = first + bar
      const middle = 2 ** (Math.floor(step / 16) - 64) * (1 + (step % 16 + 0.5) / 16)
      return Math.max(least, Math.min(largest, middle))
    }
  }
  return largest
}

// Sums up the tasks of one kind that ended in the range.
function kindIn(run, one) {
  if (!one.over_time || !rangeOn(run, 'virtual')) return one
  const { counts, total, mean, least, largest } = spreadIn(run, 'virtual', one, one.bars, run.tasks.cell_step || 1)
  const any = total >= 0.5
  return { count: Math.round(total), mean: any ? mean : null, largest: any ? largest : null,
    p90: any ? quantileOf(counts, one.first, 0.9, least, largest) : null }
}

function taskKinds(run) {
  const kinds = run.tasks.kinds
  const place = el('div', { class: 'task-kinds' })
  const note = el('span')
  const follows = kinds.every((one) => one.over_time) && spanOf(run, 'virtual')
  watchRange(() => {
    note.textContent = 'virtual time, ' + (follows && rangeOn(run, 'virtual') ? 'of those that end in the range' : 'whole run')
    place.replaceChildren(tableOf(null, [{ title: 'kind', text: true }, { title: 'what', text: true }, { title: 'tasks' }, { title: 'mean' },
      { title: '90 % below' }, { title: 'largest' }],
    kinds.map((one) => {
      const now = kindIn(run, one)
      return [name(one.kind), name(one.what || ''), formatCount(now.count), formatPlain(now.mean), formatPlain(now.p90), formatPlain(now.largest)]
    })))
  })
  return figure('How long tasks take', note, place)
}

function tasksView(run, index) {
  const tasks = run.tasks
  if (!tasks) return null
  const parts = []
  if (tasks.kinds && tasks.kinds.length) parts.push(taskKinds(run))
  const rows = busyRows(run)
  if (rows.length && spanOf(run, 'virtual')) {
    parts.push(figure('How busy places are', null, seriesPanel({ run: index, clock: 'virtual', rows, others: report.runs.map(busyRows),
      label: 'How busy places are over virtual time' })))
  }
  return parts.length ? [el('div', { class: 'pair' }, ...parts)] : null
}

function tracersView(run) {
  const tracers = run.tracers || []
  if (!tracers.length) return null
  return [el('div', { class: 'pair' }, tracers.map((tracer) => figure(plainName(tracer.name), plainName(tracer.words || ''),
    tableOf(null, (tracer.columns || []).map((title, at) => ({ title: plainName(title), text: at === 0 })),
      (tracer.rows || []).map((row) => row.map((cell) => isNumber(cell) ? formatPlain(cell) : name(cell === null ? MISSING : cell)))))))]
}
