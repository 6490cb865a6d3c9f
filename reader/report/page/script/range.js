// SPDX-License-Identifier: BSD-3-Clause
// The one range of time that all views show, and the one time at the pointer. select() and pointAt() change
// them; each view watches them.

let selection = null // { run, clock, from, to }
let pointer = null // { run, clock, at }
const rangeWatchers = []
const pointWatchers = []
let rangeDue = false
let pointDue = false

// Calls act(). If it fails, calls `instead`, so that a failure in one view leaves the other views as they
// are.
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

// Converts a time on a clock of one run into a time on a clock of another; null if the two clocks have
// nothing in common. Two runs have their virtual time in common, otherwise the time since their start.
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

// Returns the chosen range on a clock of a run as [from, to]; null: no range is chosen. On the other clock, a
// range may have no length, for example while GVT stands still. The result is then the bin that contains it.
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

// Describes the range in words.
function rangeText(run) {
  const parts = []
  const wall = rangeOn(run, 'wall') || (selection ? null : spanOf(run, 'wall'))
  const virtual = rangeOn(run, 'virtual') || (selection ? null : spanOf(run, 'virtual'))
  if (wall) parts.push(formatSeconds(wall[0]) + ' to ' + formatSeconds(wall[1]))
  if (virtual) parts.push('virtual time ' + formatPlain(virtual[0]) + ' to ' + formatPlain(virtual[1]))
  return parts.join(', ')
}

// Chooses the range that was drawn on a clock of a run, rounded to whole bins of its recording.
function selectNear(runIndex, clock, from, to) {
  const run = report.runs[runIndex]
  const span = spanOf(run, clock)
  const bin = (span[1] - span[0]) / run.bins
  const first = Math.max(0, Math.min(run.bins - 1, Math.round((from - span[0]) / bin)))
  const end = Math.max(first + 1, Math.min(run.bins, Math.round((to - span[0]) / bin)))
  select({ run: runIndex, clock, from: span[0] + first * bin, to: span[0] + end * bin })
}

// Moves the range on a clock by `steps` bins, or only its end; makes a range if there is none.
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

// Handles the keys that all views over time have in common. Returns false for other keys.
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
