// SPDX-License-Identifier: BSD-3-Clause
// The one range of time that all views show, and the one point that the pointer is at. Whatever changes them
// calls select() or pointAt(); each view watches them.

let selection = null // { run, clock, from, to }
let pointer = null // { run, clock, at }
const rangeWatchers = []
const pointWatchers = []
let rangeDue = false
let pointDue = false

// What fails in one view leaves the others as they are.
function guarded(act, instead) {
  try {
    return act()
  } catch (error) {
    console.error(error)
    return instead && instead(error)
  }
}

function watchRange(watcher) {
  rangeWatchers.push(watcher)
  guarded(watcher)
}

function watchPoint(watcher) {
  pointWatchers.push(watcher)
}

function select(next) {
  selection = next
  if (rangeDue) return
  rangeDue = true
  requestAnimationFrame(() => {
    rangeDue = false
    for (const watcher of rangeWatchers) guarded(watcher)
  })
}

function pointAt(next) {
  pointer = next
  if (pointDue) return
  pointDue = true
  requestAnimationFrame(() => {
    pointDue = false
    for (const watcher of pointWatchers) guarded(watcher)
  })
}

// A time on one clock of one run, on a clock of another: null if the two have nothing in common. Two runs have
// their virtual time in common, or else the time since their start.
function translate(value, fromRun, fromClock, toRun, toClock) {
  if (fromRun === toRun || fromClock === toClock && fromClock === 'virtual') {
    if (fromClock === toClock) return value
    return clocksJoined(toRun) ? convert(toRun, toClock, value) : null
  }
  if (fromClock === 'virtual') return clocksJoined(toRun) ? convert(toRun, 'wall', value) : null
  if (!clocksJoined(fromRun)) return toClock === 'wall' ? value : null
  const virtual = wallToVirtual(fromRun, value)
  if (toClock === 'virtual') return virtual
  return clocksJoined(toRun) ? virtualToWall(toRun, virtual) : value
}

// The chosen range on a clock of a run as [from, to]; null: everything. On another clock the range may have no
// length, as while GVT stands still: it is then the step that it lies in.
function rangeOn(run, clock) {
  if (!selection) return null
  const [from, to] = [selection.from, selection.to].map((value) =>
    translate(value, report.runs[selection.run], selection.clock, run, clock))
  if (from === null || to === null) return null
  const span = spanOf(run, clock)
  const step = span ? (span[1] - span[0]) / run.bins : 0
  if (to - from >= step / 2) return [from, to]
  const bin = Math.max(0, Math.min(run.bins - 1, Math.floor(((from + to) / 2 - span[0]) / step)))
  return [span[0] + bin * step, span[0] + (bin + 1) * step]
}

function pointOn(run, clock) {
  if (!pointer) return null
  return translate(pointer.at, report.runs[pointer.run], pointer.clock, run, clock)
}

// The range in words.
function rangeText(run) {
  const parts = []
  const wall = rangeOn(run, 'wall') || (selection ? null : spanOf(run, 'wall'))
  const virtual = rangeOn(run, 'virtual') || (selection ? null : spanOf(run, 'virtual'))
  if (wall) parts.push(formatSeconds(wall[0]) + ' to ' + formatSeconds(wall[1]))
  if (virtual) parts.push('virtual time ' + formatPlain(virtual[0]) + ' to ' + formatPlain(virtual[1]))
  return parts.join(', ')
}

// Chooses what was drawn on a clock of a run, in whole steps of its recording.
function selectNear(runIndex, clock, from, to) {
  const run = report.runs[runIndex]
  const span = spanOf(run, clock)
  const bin = (span[1] - span[0]) / run.bins
  const first = Math.max(0, Math.min(run.bins - 1, Math.round((from - span[0]) / bin)))
  const end = Math.max(first + 1, Math.min(run.bins, Math.round((to - span[0]) / bin)))
  select({ run: runIndex, clock, from: span[0] + first * bin, to: span[0] + end * bin })
}

// Moves the range on a clock by steps of a bin, or its end alone; makes one where there is none.
function stepRange(runIndex, clock, steps, endOnly) {
  const run = report.runs[runIndex]
  const span = spanOf(run, clock)
  const bin = (span[1] - span[0]) / run.bins
  const now = rangeOn(run, clock)
  if (!now) {
    const begin = steps > 0 ? span[0] : span[1] - (span[1] - span[0]) / 10
    select({ run: runIndex, clock, from: begin, to: begin + (span[1] - span[0]) / 10 })
    return
  }
  let [from, to] = now
  if (endOnly) {
    to = Math.min(Math.max(to + steps * bin, from + bin), span[1])
  } else {
    const by = Math.min(Math.max(steps * bin, span[0] - from), span[1] - to)
    from += by
    to += by
  }
  select({ run: runIndex, clock, from, to })
}

// The keys of every view over time. Returns false for other keys.
function rangeKey(event, runIndex, clock) {
  const far = event.ctrlKey || event.altKey || event.metaKey ? 12 : 1
  switch (event.key) {
    case 'ArrowLeft': stepRange(runIndex, clock, -far, event.shiftKey); break
    case 'ArrowRight': stepRange(runIndex, clock, far, event.shiftKey); break
    case 'PageUp': stepRange(runIndex, clock, -24, event.shiftKey); break
    case 'PageDown': stepRange(runIndex, clock, 24, event.shiftKey); break
    case 'Home': stepRange(runIndex, clock, -1e6, event.shiftKey); break
    case 'End': stepRange(runIndex, clock, 1e6, event.shiftKey); break
    default: return false
  }
  return true
}
