// SPDX-License-Identifier: BSD-3-Clause
// The views that only the live page has: the state of a run, its controls, its findings as they change, heat maps that
// scroll, and LPs.

const choices = {} // what the user chose, by the name of the choice; it outlives the building of the page anew

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text
}

// Makes an element whose text follows the state.
function live(tag, attributes, text) {
  const node = el(tag, attributes)
  watchState(() => {
    const now = text()
    setText(node, now || '')
    node.hidden = !now
  })
  return node
}

// ---- The state -----------------------------------------------------------------------------------------

const STATES = { running: 'badge good', ended: 'badge', reading: 'badge', waiting: 'badge', recovered: 'badge' }

// Says of the PE that delays the run since when, and in which event.
function behindText({ behind, time }) {
  if (!behind) return ''
  const event = behind.last_event
  return 'PE ' + behind.pe + ' ' + behind.words + ': its latest news is of ' + clockText(time - behind.silence) + (event ? '; the last event that it traced, of ' +
    (event.lp_name ? plainName(event.lp_name) : 'LP ' + event.lp) + (event.lp_type ? ' (' + plainName(event.lp_type) + ')' : '') + ', at virtual time ' +
    formatPlain(event.recv_ts) : '')
}

function isOver(state) {
  return ['ended', 'killed', 'recovered'].includes(state.state)
}

function timesText(state) {
  return [isNumber(state.end_time) ? 'GVT ' + formatPlain(state.gvt) + ' of ' + formatPlain(state.end_time) : 'GVT ' + formatPlain(state.gvt),
    isNumber(state.end_time) ? formatPercent(100 * state.gvt / state.end_time) : '',
    (isOver(state) ? 'ran for ' : 'running for ') + durationText(state.elapsed),
    isNumber(state.ends_in) ? 'ends in ' + durationText(state.ends_in) + ' (' + durationText(state.ends_in_early) + ' to ' +
      durationText(state.ends_in_late) + ')' : ''].filter(Boolean).join(' \u00b7 ')
}

function tiles(run) {
  const lost = (state) => d3.max(state.pes || [], (pe) => pe.lost)
  const list = [['committed_per_second', 'Committed/s', formatShort, 'latest seconds'], ['efficiency', 'Efficiency', formatPercent, 'latest seconds'],
    ['rollbacks_per_second', 'Rollbacks/s', formatShort, 'latest seconds'], ['gvts_per_second', 'GVT/s', formatShort, 'latest seconds'],
    ['events_committed', 'Events committed', formatShort, 'so far'], [lost, 'Most lost to others', formatPercent, 'of a PE\u2019s time']]
  return el('div', { class: 'tiles' }, list.map(([key, words, format, note]) => {
    const node = tile(words, MISSING, null, null, note)
    watchState(() => {
      const value = typeof key === 'function' ? key(run.state) : run.state[key]
      setText(node.children[1], format(value))
      node.title = isNumber(value) ? String(value) : ''
      if (typeof key === 'string') node.dataset.number = key
    })
    return node
  }))
}

function statePanel(run) {
  const state = () => run.state
  const badge = el('span', { class: 'badge' })
  const bar = el('progress', { max: 1, 'aria-label': 'Progress' })
  const reportLink = el('a', { href: 'report?run=' + run.number }, 'Show its report')
  const node = el('div', {}, el('p', { class: 'ending' }, badge, live('span', {}, () => state().end ? plainName(state().end.words)
    : state().state === 'reading' ? 'what was recorded so far' : ''), ' ', reportLink),
  live('p', { class: 'times-line headline' }, () => isNumber(state().gvt) ? timesText(state()) : ''), bar,
  live('p', { class: 'problem', 'data-note': 'warning' }, () => state().warning && '\u26a0 ' + plainName(state().warning)),
  live('p', { class: 'note', 'data-note': 'behind' }, () => behindText(state())),
  live('p', { class: 'problem', 'data-note': 'problem' }, () => state().problem && plainName(state().problem)),
  live('p', { class: 'note', 'data-note': 'notice' }, () => state().notice && plainName(state().notice)),
  tiles(run), state().command ? el('pre', { class: 'command', tabindex: 0, 'aria-label': 'Command' }, words(state().command)) : null,
  live('p', { class: 'absent' }, () => state().not_recorded && 'Not recorded: ' + plainName(state().not_recorded.replace(/ {2,}/g, '; '))), controlsOf(run))
  watchState(() => {
    badge.className = STATES[state().state] || 'badge bad'
    setText(badge, (state().state || 'waiting') + (run.stale ? ', no news' : ''))
    node.classList.toggle('stale', run.stale)
    bar.hidden = !isNumber(state().end_time)
    bar.value = isNumber(state().end_time) ? Math.max(0, Math.min(1, state().gvt / state().end_time)) : 0
    reportLink.hidden = !isOver(state())
  })
  return node
}

// ---- Controls ------------------------------------------------------------------------------------------

const CONTROLS = [['Record more\u2026', 'set', 'Records more from the next GVT on: options as of warpscope ctl, separated by blanks.'],
  ['Checkpoint', 'checkpoint', 'Writes a checkpoint, if the run has a directory for checkpoints.'],
  ['Save', 'save', 'Writes the records that a flight recorder holds in memory.'],
  ['Stop', 'stop', 'Ends the run in order. It cannot be continued, except from a checkpoint.']]

async function request(run, requested) {
  run.answer = 'Asked the run: ' + requested.join(' ')
  update()
  const answer = await ask('control?run=' + run.number, { method: 'POST', body: requested.join('\n'), headers: { 'Content-Type': 'text/plain' } })
  const result = answer && answer.ok ? await answer.json() : null
  run.answer = result ? (result.done ? 'Done: ' : 'Refused: ') + requested.join(' ') + '. ' + plainName((result.text || '').replace(/^warpscope[^:]*: /, '').trim().replace(/\s+/g, ' '))
    : 'The server did not pass on the request: ' + requested.join(' ')
  update()
  announce(run.answer)
}

// Asks the user to confirm a request, in a dialog that the keyboard reaches and Escape closes.
function confirmRequest(run, [title, what, words]) {
  const input = what === 'set' ? el('input', { type: 'text', 'aria-label': 'Options', spellcheck: 'false', value: 'real-time-samp=100 kp-data=1 lp-data=1' }) : null
  const dialog = el('dialog', { 'aria-label': title }, el('h2', {}, title.replace('\u2026', '') + ': ', name(run.name)), el('p', {}, words), input,
    el('form', { method: 'dialog', class: 'controls' }, el('button', { value: '' }, 'Cancel'),
      el('button', { value: what, class: what === 'stop' ? 'danger' : null }, title.replace('\u2026', ''))))
  if (input) input.addEventListener('keydown', (event) => { if (event.key === 'Enter') dialog.close(what) })
  dialog.addEventListener('close', () => {
    dialog.remove()
    if (dialog.returnValue) request(run, [what, ...(input ? input.value.split(/\s+/).filter(Boolean) : [])])
  })
  document.body.append(dialog)
  dialog.showModal()
}

function controlsOf(run) {
  const over = () => !['running', 'silent'].includes(run.state.state)
  const answer = live('p', { class: 'note', 'data-note': 'answer' }, () => run.answer)
  if (!run.state.control) return answer
  const buttons = CONTROLS.map((control) => el('button', { type: 'button', 'data-control': control[1], title: control[2],
    class: control[1] === 'stop' ? 'danger' : null, click: () => confirmRequest(run, control) }, control[0]))
  watchState(() => buttons.forEach((button) => { button.disabled = over() }))
  return el('div', {}, el('div', { class: 'controls', role: 'group', 'aria-label': 'Requests to the run' }, buttons), answer)
}

// ---- Findings as they change ------------------------------------------------------------------------------

function findingsPanel(run) {
  const place = el('div')
  const past = el('div', { class: 'past' })
  let last = ''
  watchState(() => {
    const now = JSON.stringify([run.findings, run.past])
    if (now === last) return
    last = now
    refill(place, findingsList(run))
    refill(past, run.past.length ? el('details', { open: true }, el('summary', {}, 'No longer so'), el('ul', {}, run.past.map((one) =>
      el('li', {}, el('span', { class: 'note' }, one.since.replace(/^since /, '') + ' to ' + clockText(one.until) + ': '), name(one.text))))) : '')
    dropDeadLinks()
  })
  return [place, past]
}

// ---- Heat maps that scroll ----------------------------------------------------------------------------

// Makes a heat map of the PEs or the KPs, whose figure the user chooses.
function heatView(run, index, of) {
  const maps = run.heat ? run.heat.maps.filter((map) => map.of === of) : []
  const rows = run.heat ? run.heat[of] : []
  if (!maps.length || !rows.length) return null
  const chosen = () => run.heat.maps.find((map) => map.name === choices[of]) || run.heat.maps.find((map) => map.of === of)
  const largest = () => Math.max(d3.max(report.runs, (any) => {
    const map = any.heat && any.heat.maps.find((one) => one.name === chosen().name)
    return map ? d3.max(map.cells, (row) => d3.max(row)) : 0
  }) || 0, chosen().unit === '%' ? 10 : 1e-9)
  const line = readingLine()
  const legend = heatLegend('', (at) => formatTick(Number((largest() * at).toPrecision(3)), chosen().unit))
  const title = of === 'pes' ? 'PE' : 'KP'
  const chooser = el('select', { 'aria-label': 'Figure of ' + title + 's', change: () => {
    choices[of] = chooser.value
    update()
  } }, maps.map((map) => el('option', { value: map.name, selected: map.name === chosen().name }, map.words)))
  const panel = heatPanel({ run, index, clock: 'wall', kps: rows, cells: () => heatCells(run, chosen()), largest, unit: chosen().unit,
    words: chosen().words, rowTitle: title, label: title + 's over the latest minutes', line, state: { row: null, changed: [] } })
  watchState(() => legend.update(chosen().words + (chosen().unit === 'virtual time' ? ', in virtual time' : '')))
  return [el('div', { class: 'chooser' }, el('label', {}, 'figure ', chooser)), panel, el('div', { class: 'under' }, legend.node, line)]
}

// ---- Tables of PEs, KPs and LPs ---------------------------------------------------------------------------

// Makes a table that follows the state. columns: [title, cell(one), is text]; list(): what the rows are.
function liveTable(key, columns, list) {
  const place = el('div', { 'data-table': key })
  let last = ''
  watchState(() => {
    const rows = list()
    const used = columns.filter(([, cell]) => rows.some((one) => cell(one) !== MISSING))
    const now = JSON.stringify(rows)
    if (now === last) return
    last = now
    refill(place, rows.length ? tableOf(null, used.map(([title, , text]) => ({ title, text })), rows.map((one) => used.map(([, cell]) => cell(one)))) : '')
  })
  return place
}

function pesView(run, index) {
  if (!(run.state.pes || []).length) return null
  const columns = [['PE', (pe) => 'PE ' + pe.pe, true], ['committed', (pe) => formatCount(pe.events_committed)],
    ['efficiency', (pe) => formatPercent(pe.efficiency)], ['rollbacks', (pe) => formatCount(pe.total_rollbacks)],
    ['lost', (pe) => formatPercent(pe.lost)], ['queue', (pe) => formatCount(pe.queue)], ['ahead', (pe) => formatPlain(pe.ahead)],
    ['memory', (pe) => formatQuantity(pe.memory, 'B')], ['no news for', (pe) => isNumber(pe.silence) && !isOver(run.state) ? durationText(pe.silence) : MISSING],
    ['process', (pe) => pe.process ? pe.process + ' ' + plainName(pe.process_state) : MISSING]]
  return [...heatView(run, index, 'pes') || [], liveTable('pes', columns, () => run.state.pes.slice(0, PES_SHOWN))]
}

const KP_COLUMNS = [['executed', (one) => formatCount(one.events_processed)], ['undone', (one) => formatCount(one.events_rolled_back)],
  ['rollbacks', (one) => formatCount(one.total_rollbacks)]]

function kpsView(run, index) {
  const map = heatView(run, index, 'kps')
  if (!map && !(run.state.kps || []).length) return null
  return [...map || [], liveTable('kps', [['KPs that undo most', (kp) => nameOfKp(kp), true], ...KP_COLUMNS, ['ahead', (kp) => formatPlain(kp.ahead)]],
    () => run.state.kps || [])]
}

function chooseLp(run, lp) {
  if (!/^\d{1,20}$/.test(lp)) return
  run.lp = { lp, is_read: false }
  run.model_fields = []
  followLp(run)
  update()
}

function lpsView(run, index) {
  const lps = run.state.lps || []
  const called = (lp) => lp.lp_name ? plainName(lp.lp_name) : 'LP ' + lp.lp
  const input = el('input', { type: 'text', inputmode: 'numeric', 'aria-label': 'Number of an LP', placeholder: 'number', value: run.lp ? run.lp.lp : null })
  const form = el('form', { class: 'chooser lp-choice', submit: (event) => {
    event.preventDefault()
    const named = (run.state.lps || []).find((lp) => lp.lp_name === input.value)
    chooseLp(run, named ? String(named.lp) : input.value.trim())
  } }, el('label', {}, 'LP ', input), el('button', {}, 'Follow'))
  return [el('div', { class: 'wide-pair' }, el('div', {}, lps.length || run.state.lps_sampled > 0
    ? liveTable('lps', [['LPs that undo most', (lp) => el('button', { type: 'button', class: 'as-link', click: () => chooseLp(run, String(lp.lp)) }, called(lp)), true],
      ...KP_COLUMNS.slice(0, 2), ['sent to other ranks', (lp) => formatCount(lp.remote_events)]], () => run.state.lps || [])
    : el('p', { class: 'absent' }, 'The records do not tell LPs apart: --lp-data=1'), form), chosenLp(run, index))]
}

function chosenLp(run, index) {
  if (!run.lp) return el('p', { class: 'note' }, 'Choose an LP to see the model\u2019s own fields of it.')
  const fields = (run.model_fields || []).filter((field) => field.lps.length)
  const rows = fields.map((field) => ({ key: field.field, words: plainName(field.words || field.field.replace(/_/g, ' ')), unit: field.measure === 'counter' ? (field.unit || '').replace(', all LPs', '') : field.unit || '',
    values: field.lps[0].values }))
  return el('div', { 'data-lp': run.lp.lp }, el('h3', {}, run.lp.lp_name ? name(run.lp.lp_name) : 'LP ' + run.lp.lp), live('p', { class: 'note' }, () =>
    [run.lp.pe === undefined ? '' : 'LP ' + run.lp.lp + ', PE ' + run.lp.pe + ', KP ' + run.lp.kp, isNumber(run.lp.events_processed)
      ? formatCount(run.lp.events_processed) + ' events executed, ' + formatCount(run.lp.events_rolled_back) + ' undone' : ''].filter(Boolean).join(' \u00b7 ')),
  rows.length && spanOf(run, 'virtual') ? seriesPanel({ run: index, clock: 'virtual', rows, others: [rows], label: 'Fields of ' + (run.lp.lp_name ? plainName(run.lp.lp_name) : 'LP ' + run.lp.lp) })
    : el('p', { class: 'absent' }, run.lp.is_read ? 'The model recorded no fields of it: --model-stats=2' : 'Reading the records so far\u2026'))
}
