// SPDX-License-Identifier: BSD-3-Clause
// The states that the server sends, as runs of a report: the views of reports show them. A state changes a run in its
// place, since views keep what they show.

const COLUMNS = 300 // seconds of a heat map that are kept
const stateWatchers = []

// Has an action done whenever a state has come, and now.
function watchState(action) {
  stateWatchers.push(action)
  guarded(action)
}

function newRun(number, called) {
  return { number, name: called, state: {}, series: { wall: [] }, findings: [], absent: [], counters: [], facts: [], heat: null,
    lp: null, answer: '', stale: false, bins: 1, cell_bins: 1 }
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

// Puts the columns of heat maps behind those that the run has. Returns false if columns between them are missing.
function takeHeat(run, heat) {
  const key = JSON.stringify([run.state.directory, run.state.followed, heat.pes, heat.kps.length, heat.maps.map((map) => map.name)])
  const same = run.heat && run.heat.key === key
  if (!same && heat.maps.length && heat.first > run.state.elapsed - 4 && run.state.elapsed > 6 && !heat.whole) return false
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

// Returns the rows of a heat map over the span of the run's curves.
function heatCells(run, map) {
  const [from, to] = run.wall
  return map.cells.map((row) => Array.from({ length: to - from }, (none, at) => row[from + at - run.heat.first] ?? null))
}

// Takes a state over into a run. Returns false if the state of the whole is needed, since columns are missing.
function takeState(run, state, whole) {
  run.state = state
  run.stale = false
  if (!state.wall) return true
  run.wall = state.wall
  run.bins = run.cell_bins = state.wall[1] - state.wall[0]
  run.series.wall = state.series.wall.map((series) => {
    const own = seriesNamed(run, 'wall', series.name)
    if (!own) return series
    own.values.splice(0, own.values.length, ...series.values)
    return own
  })
  if (run.phases && state.phases && run.phases.pes.length === state.phases.pes.length) {
    run.phases.seconds.splice(0, run.phases.seconds.length, ...state.phases.seconds)
  } else {
    run.phases = state.phases
  }
  run.findings = state.findings.map((finding, at) => ({ ...finding, since: isOver(state) ? '' : sinceText(state.since[at]) }))
  return !state.heat || takeHeat(run, { ...state.heat, whole })
}

function sinceText({ since, before }) {
  return (before ? 'since before ' : 'since ') + clockText(since)
}

// Takes over what is known of the chosen LP.
function takeLp(run, lp) {
  if (!lp || run.lp === null || String(lp.lp) !== String(run.lp.lp)) return
  run.lp = lp
  run.virtual = lp.fields ? lp.fields.virtual : undefined
  run.model_fields = lp.fields ? lp.fields.model_fields : []
}

// Returns what decides which views there are, and what they have rows for. Only if this changes is the page built anew.
function shapeOf(run) {
  const state = run.state
  const phases = run.phases ? run.phases.names.filter((one, phase) => run.phases.seconds.some((pe) => pe[phase] > 0)) : null
  return JSON.stringify([run.number, choices, run.heat && run.heat.key, run.series.wall.filter(showsAnything).map((series) => series.name),
    phases, Boolean(state.wall), Boolean(state.control), (state.lps || []).length > 0, state.lps_sampled > 0, run.lp && [run.lp.lp, run.lp.is_read],
    run.model_fields && run.model_fields.map((field) => field.field + spanOf(run, 'virtual'))])
}
