// SPDX-License-Identifier: BSD-3-Clause
// The document that "warpscope report" wrote; sums and means over a part of a run.

let report = null

// Returns JSON text in which whole numbers that a double cannot hold, such as numbers of LPs, are strings.
function keepLargeNumbers(text) {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? '"' + token + '"' : token)
}

function readReport() {
  report = JSON.parse(keepLargeNumbers(document.getElementById('warpscope-data').textContent))
  for (const run of report.runs) {
    run.bins = run.bins || 240
    run.cell_bins = run.cell_bins || 60
    run.absent = run.absent || []
    run.findings = run.findings || []
    run.counters = run.counters || []
    run.series = run.series || {}
  }
}

// Returns the span of a clock, "wall" or "virtual", in a run; undefined if nothing was recorded over that
// clock.
function spanOf(run, clock) {
  const span = run[clock]
  return span && isNumber(span[0]) && isNumber(span[1]) && span[1] > span[0] ? span : undefined
}

// Returns the span of a clock that covers all runs, which share their axes. While runs go on, each has its own.
function commonSpan(clock, own) {
  if (report.live && own) return spanOf(own, clock)
  const spans = report.runs.map((run) => spanOf(run, clock)).filter(Boolean)
  return spans.length ? [d3.min(spans, (span) => span[0]), d3.max(spans, (span) => span[1])] : undefined
}

// Returns true if times of wall clock and virtual time of a run can be converted into each other.
function clocksJoined(run) {
  return Array.isArray(run.clock) && run.clock.length > 1 && Boolean(spanOf(run, 'wall'))
}

function gvtAt(run, edge) {
  const gvt = run.clock[edge]
  return isNumber(gvt) ? gvt : (run.virtual || [0])[0]
}

// Returns GVT at a time of the wall clock.
function wallToVirtual(run, time) {
  const [from, to] = run.wall
  const steps = run.clock.length - 1
  const at = Math.min(Math.max((time - from) / (to - from) * steps, 0), steps)
  const edge = Math.min(Math.floor(at), steps - 1)
  const low = gvtAt(run, edge)
  return low + (gvtAt(run, edge + 1) - low) * (at - edge)
}

// Returns the time of the wall clock at which GVT reached a virtual time.
function virtualToWall(run, time) {
  const [from, to] = run.wall
  const steps = run.clock.length - 1
  for (let edge = 0; edge < steps; edge++) {
    const low = gvtAt(run, edge)
    const high = gvtAt(run, edge + 1)
    if (high >= time) {
      const part = high > low ? Math.max(0, (time - low) / (high - low)) : 1
      return from + (to - from) * (edge + part) / steps
    }
  }
  return to
}

function convert(run, clock, value) {
  return clock === 'wall' ? virtualToWall(run, value) : wallToVirtual(run, value)
}

function otherClock(clock) {
  return clock === 'wall' ? 'virtual' : 'wall'
}

// Calls visit(bin, part) for each of the bins into which a span is divided. part: the part of the bin that
// lies in the range. range null: all of the span.
function eachBin(bins, span, range, visit) {
  if (!range || !span) {
    for (let bin = 0; bin < bins; bin++) visit(bin, 1)
    return
  }
  const scale = bins / (span[1] - span[0])
  const from = Math.max(0, (range[0] - span[0]) * scale)
  const to = Math.min(bins, (range[1] - span[0]) * scale)
  for (let bin = Math.floor(from); bin < to; bin++) {
    const part = Math.min(bin + 1, to) - Math.max(bin, from)
    if (part > 0) visit(bin, part)
  }
}

// Returns an array with the part of each bin that lies in the range.
function partsOfBins(bins, span, range) {
  const parts = new Float64Array(bins)
  eachBin(bins, span, range, (bin, part) => { parts[bin] = part })
  return parts
}

// Returns the mean, minimum and maximum of the values of bins within a range; null if there is no value.
function summarize(values, span, range) {
  let sum = 0
  let weight = 0
  let least = null
  let largest = null
  eachBin(values.length, span, range, (bin, part) => {
    const value = values[bin]
    if (!isNumber(value)) return
    sum += value * part
    weight += part
    if (least === null || value < least) least = value
    if (largest === null || value > largest) largest = value
  })
  return { mean: weight > 0 ? sum / weight : null, least, largest }
}

// Returns the integral of a rate over the time in the range.
function integrate(values, span, range) {
  const step = (span[1] - span[0]) / values.length
  let sum = 0
  eachBin(values.length, span, range, (bin, part) => {
    if (isNumber(values[bin])) sum += values[bin] * part * step
  })
  return sum
}

// Returns the efficiency over all events in a range, unlike the mean over bins, in which idle bins would
// count as much as others. Returns null if numbers of executed and undone events are not known.
function efficiencyIn(run, clock, range) {
  const executed = seriesNamed(run, clock, 'executed')
  const undone = seriesNamed(run, clock, 'undone')
  const span = spanOf(run, clock)
  if (!executed || !undone || !span) return null
  const done = integrate(executed.values, span, range)
  const back = integrate(undone.values, span, range)
  if (back <= 0) return 100
  return done > back ? 100 * (1 - back / (done - back)) : 0
}

// Returns the mean, minimum and maximum of a series: a level, a rate, or the efficiency.
function summarizeSeries(run, clock, key, values, range) {
  const sums = summarize(values, spanOf(run, clock), range)
  if (key === 'efficiency' && sums.mean !== null) {
    const whole = efficiencyIn(run, clock, range)
    if (whole !== null) sums.mean = whole
  }
  return sums
}

// Names of the series that show the rate at which a counter grows.
const RATES = {
  events_committed: ['committed'],
  net_events: ['committed'],
  events_processed: ['executed', 'processed'],
  events_rolled_back: ['undone', 'rolled_back'],
  total_rollbacks: ['rollbacks'],
  secondary_rollbacks: ['secondary', 'secondary_rollbacks'],
  remote_events: ['remote', 'remote_events'],
  num_gvt: ['gvt_rate'],
  trace_events: ['events'],
  trace_rollbacks: ['rollbacks']
}

// Returns true if a curve has something to show: not if it is zero, or the efficiency of a run that undid nothing.
function showsAnything(series) {
  return series.values.some((value) => isNumber(value) && value !== (series.name === 'efficiency' ? 100 : 0))
}

function seriesNamed(run, clock, name) {
  return (run.series[clock] || []).find((series) => series.name === name)
}

function rateOf(run, counter) {
  for (const name of [counter, ...(RATES[counter] || [])]) {
    const series = seriesNamed(run, 'wall', name)
    if (series) return series
  }
  return (run.series.wall || []).find((series) => series.counter === counter)
}

// Returns the part of each bin of cells that lies in a range. step: number of bins that share a cell; these
// have equal parts.
function cellParts(run, clock, step, range) {
  const parts = partsOfBins(run.cell_bins, spanOf(run, clock), range)
  if (step <= 1) return parts
  return parts.map((part, bin) => {
    const first = bin - bin % step
    return d3.mean(parts.subarray(first, Math.min(first + step, parts.length)))
  })
}

// Sums up a distribution over time within the chosen range of a clock. spread: cells [bin, bar, count], and
// values per bin. Returns the counts of all bars, the last of which is that of zeros; their total; and the
// mean, minimum and maximum of the numbers.
function spreadIn(run, clock, spread, bars, step) {
  const parts = cellParts(run, clock, step, rangeOn(run, clock))
  const counts = new Array(bars + 1).fill(0)
  for (const [bin, bar, count] of spread.over_time) counts[bar] += count * parts[bin]
  const total = d3.sum(counts)
  const used = d3.range(parts.length).filter((bin) => parts[bin] > 0)
  const values = (list) => used.map((bin) => list[bin]).filter(isNumber)
  return { counts, total, mean: total > 0 ? d3.sum(used, (bin) => (spread.sums[bin] || 0) * parts[bin]) / total : null,
    least: d3.min(values(spread.lows)), largest: d3.max(values(spread.highs)) }
}

// Calls add(from, to, part, cell) for the sparse cells [bin, from, to, values...] in a range, to sum them up.
// part: the part of the cell's time that lies in the range.
function eachCell(run, cells, step, range, add) {
  const parts = cellParts(run, 'wall', step, range)
  for (const cell of cells) {
    const part = parts[cell[0]]
    if (part > 0) add(cell[1], cell[2], part, cell)
  }
}
