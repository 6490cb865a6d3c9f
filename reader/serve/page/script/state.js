// SPDX-License-Identifier: BSD-3-Clause
// The states that the server sends, as runs of a report: the views of reports show them. A state changes a run in its
// place, since views keep what they show.

const COLUMNS = 300 // seconds of a heat map that are kept
const HELD = 15 // seconds before a sample of which it may tell
const SHORT = 5 // a finding that held for less is not listed once it is over
const PES_SHOWN = 64
const stateWatchers = []

// Has an action done whenever a state has come, and now.
function watchState(action) {
  stateWatchers.push(action)
  guarded(action)
}

function newRun(number, called) {
  return { number, name: called, state: {}, series: { wall: [] }, findings: [], absent: [], counters: [], facts: [], heat: null,
    lp: null, past: [], answer: '', stale: false, bins: 1, cell_bins: 1 }
}

// Returns a time of day, with the date unless it is today.
function clockText(seconds) {
  const date = new Date(seconds * 1000)
  const day = date.toDateString() === new Date().toDateString() ? {} : { month: 'short', day: 'numeric' }
  return date.toLocaleString('en-GB', { ...day, hour: '2-digit', minute: '2-digit', second: '2-digit' })
}

// Returns a duration as "warpscope top" writes it.
function durationText(seconds) {
  if (!isNumber(seconds)) return MISSING
  const two = (value) => String(value).padStart(2, '0')
  if (seconds < 59.95) return seconds.toFixed(1) + NARROW + 's'
  const whole = Math.round(seconds)
  if (seconds < 3599.5) return Math.floor(whole / 60) + NARROW + 'm ' + two(whole % 60) + NARROW + 's'
  return Math.floor(whole / 3600) + NARROW + 'h ' + two(Math.floor(whole / 60) % 60) + NARROW + 'm'
}

// The heat maps: of PEs or KPs, a sum over the samples of each second, or its share of another one in per cent.
const MAPS = [['pes', 'undone', 'undone, of those executed', '%', 'undone', 'executed'], ['pes', 'lost', 'lost to other threads', '%', 'lost', 'covered'],
  ['pes', 'waiting', 'waiting and scheduling', '%', 'waiting', 'ticks'], ['pes', 'queue', 'pending events', 'events', 'queue'],
  ['pes', 'ahead', 'ahead of GVT', 'virtual time', 'ahead'], ['kps', 'kp_ahead', 'ahead of GVT', 'virtual time', 'ahead'],
  ['kps', 'kp_undone', 'undone', 'events', 'undone']]

function mapsOf(heat) {
  const share = (part, all) => all > 0 ? Math.min(100, 100 * part / all) : null
  return MAPS.flatMap(([of, called, text, unit, sum, whole]) => {
    const sums = of === 'pes' ? heat.pe_sums : heat.kp_sums
    return sums[sum] && (!whole || sums[whole]) ? [{ of, name: called, words: text, unit,
      cells: whole ? sums[sum].map((row, at) => row.map((part, column) => share(part, sums[whole][at][column]))) : sums[sum] }] : []
  })
}

// Puts the columns of heat maps behind those that the run has. Returns false if columns between them are missing.
function takeHeat(run, heat) {
  heat.maps = mapsOf(heat)
  const key = JSON.stringify([run.state.directory, run.state.followed, heat.pes, heat.kps.length, heat.maps.map((map) => map.name)])
  const same = run.heat && run.heat.key === key
  if (!same && !heat.whole) return false
  if (!same || heat.whole) {
    run.heat = { ...heat, key, pes: heat.pes.map((pe) => typeof pe === 'number' ? { pe } : { label: pe }) }
    return true
  }
  const own = run.heat
  const keep = heat.first - own.first
  const gap = own.maps.length && keep > own.maps[0].cells[0].length
  if (keep < 0) return false
  for (const [at, map] of own.maps.entries()) {
    map.cells.forEach((row, index) => {
      while (row.length < keep) row.push(null)
      row.splice(keep, row.length, ...heat.maps[at].cells[index])
      row.splice(0, row.length - COLUMNS)
    })
  }
  own.first = Math.max(own.first, heat.first + (heat.maps.length ? heat.maps[0].cells[0].length : 0) - COLUMNS)
  return !gap
}

// Returns the rows of a heat map over the span of the run's curves. A sample also tells of the seconds since the one before.
function heatCells(run, map) {
  const [from, to] = run.wall
  return map.cells.map((row) => {
    let since = HELD
    let next = null
    const cells = Array(to - from).fill(null)
    for (let at = to - from - 1; at >= 0; at--) {
      const own = row[from + at - run.heat.first] ?? null
      since = own === null ? since + 1 : 0
      next = own ?? next
      cells[at] = since <= HELD ? next : null
    }
    return cells
  })
}

// Returns the curves of a state, as in a report: GVT holds until it advances, and all others are rates or shares.
function curvesOf(state) {
  return state.series.map((series) => {
    const isRate = !['gvt', 'efficiency'].includes(series.name)
    if (series.name === 'gvt') {
      series.values.forEach((value, at, all) => { all[at] = value ?? (at > 0 && state.wall[0] + at < state.elapsed ? all[at - 1] : null) })
    }
    return { ...series, unit: series.unit + (isRate ? '/s' : '') }
  })
}

// Returns the shares of the phases of each PE, as a report has their seconds.
function phasesOf(state) {
  const pes = state.pes.filter((pe) => pe.phases).slice(0, PES_SHOWN)
  const names = pes.length ? Object.keys(pes[0].phases) : []
  const called = { rest: 'rest, waiting', gvt: 'GVT', anti_messages: 'anti-messages' }
  return pes.length ? { pes: pes.map((pe) => pe.pe), names, words: names.map((one) => called[one] || one.replace(/_/g, ' ')),
    seconds: pes.map((pe) => names.map((one) => pe.phases[one])) } : undefined
}

// Keeps the findings that no longer hold.
function takePast(run, findings) {
  const key = (one) => one.rule + one.at
  const gone = run.findings.filter((one) => run.state.time - one.at >= SHORT && !findings.some((now) => key(now) === key(one)))
  run.past = [...gone.map((one) => ({ ...one, until: run.state.time })), ...run.past].filter((one) => !findings.some((now) => key(now) === key(one))).slice(0, 8)
}

// Takes a state over into a run. Returns false if the state of the whole is needed, since columns are missing.
function takeState(run, state, whole) {
  run.state = state
  run.stale = false
  if (!state.wall) return true
  run.wall = state.wall
  run.bins = run.cell_bins = state.wall[1] - state.wall[0]
  run.series.wall = curvesOf(state).map((series) => {
    const own = seriesNamed(run, 'wall', series.name)
    if (!own) return series
    own.values.splice(0, own.values.length, ...series.values)
    return own
  })
  const phases = phasesOf(state)
  if (run.phases && phases && run.phases.pes.length === phases.pes.length) {
    run.phases.seconds.splice(0, run.phases.seconds.length, ...phases.seconds)
  } else {
    run.phases = phases
  }
  const findings = state.findings.map((finding, at) => ({ ...finding, at: state.since[at].since, since: isOver(state) ? '' : sinceText(state.since[at]) }))
  takePast(run, findings)
  run.findings = findings
  return !state.heat || takeHeat(run, { ...state.heat, whole })
}

function sinceText({ since, before }) {
  return (before ? 'since before ' : 'since ') + clockText(since)
}

// Takes over what is known of the chosen LP.
function takeLp(run, lp) {
  if (!lp || run.lp === null || String(lp.lp) !== String(run.lp.lp)) return
  run.lp = lp
  const fields = lp.report ? lp.report.runs[0] : {}
  run.virtual = fields.virtual
  run.model_fields = fields.model_fields || []
}

// Returns what decides which views there are, and what they have rows for. Only if this changes is the page built anew.
function shapeOf(run) {
  const state = run.state
  const phases = run.phases ? run.phases.names.filter((one, phase) => run.phases.seconds.some((pe) => pe[phase] > 0)) : null
  return JSON.stringify([run.number, choices, run.heat && run.heat.key, run.series.wall.filter(showsAnything).map((series) => series.name),
    phases, Boolean(state.wall), Boolean(state.control), (state.lps || []).length > 0, state.lps_sampled > 0, run.lp && [run.lp.lp, run.lp.is_read],
    run.model_fields && run.model_fields.map((field) => field.field + spanOf(run, 'virtual'))])
}
